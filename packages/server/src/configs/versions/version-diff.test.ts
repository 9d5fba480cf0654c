import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let production: string
let preview: string
beforeAll(async () => {
  app = await openConfigApp()
  production = await app.addEnvironment('production')
  preview = await app.addEnvironment('preview', production)
})
afterAll(() => app.close())

interface Listed {
  readonly id: string
  readonly changes: readonly unknown[]
}

const flag = (preset: boolean) => ({
  newCheckout: { type: 'boolean', default: preset } as const,
  url: { type: 'string', tier: 'public' } as const,
  key: { type: 'string' } as const,
})
const set = (schemaId: string, environmentId: string, values: object) =>
  app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId, values } })
const replace = (ref: string, schema: object) =>
  app.ok('developer', `PUT /config-schemas/${ref}`, { body: { schema } })
/** Oldest first. */
async function listVersions(schemaId: string, environmentId: string): Promise<string[]> {
  const path = `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}&limit=100`
  const { items } = (await app.ok('viewer', path)).body
  return items.map(({ id }: Listed) => id).toReversed()
}
/** Leaves out the sources, which have tests of their own. */
async function changesOf(version: string | undefined, against?: string): Promise<unknown> {
  const changes = await sourcedChangesOf(version, against)
  return changes.map(({ sourceBefore: _before, sourceAfter: _after, ...change }) => change)
}
async function sourcedChangesOf(
  version: string | undefined,
  against?: string,
): Promise<{ sourceBefore?: object; sourceAfter?: object }[]> {
  const query = against === undefined ? '' : `?against=${against}`
  return (await app.ok('viewer', `GET /config-versions/${version}${query}`)).body.changes
}

describe('what a version changed', () => {
  it('has the values clients had before and after it, whichever default or parent they are from', async () => {
    const id = await app.addSchema('seen', flag(false))
    await replace(id, flag(true))
    await set(id, production, { newCheckout: false, url: 'https://a.example' })
    await replace(id, flag(false))
    const [, flipped, written, preset] = await listVersions(id, production)
    const switchedOn = {
      key: 'newCheckout',
      tier: 'featureFlags',
      change: 'changed',
      before: false,
      after: true,
    }
    expect(await changesOf(flipped)).toEqual([switchedOn])
    expect(await changesOf(written)).toEqual([
      { ...switchedOn, before: true, after: false },
      { key: 'url', tier: 'public', change: 'added', after: 'https://a.example' },
    ])
    expect(preset).toBeUndefined()
    const [, , inherited] = await listVersions(id, preview)
    expect(await changesOf(inherited)).toEqual(await changesOf(written))
  })

  it('is the difference to the version before, for every kind of version', async () => {
    const id = await app.addSchema('kinds', flag(false))
    await set(id, production, { url: '1', key: 'secret-1' })
    await replace(id, { ...flag(true), more: { type: 'number', tier: 'public', default: 1 } })
    await set(id, production, { key: 'secret-2', newCheckout: false })
    await app.ok('m2m', 'PUT /config-values?replace=true', {
      body: { schemaId: id, environmentId: production, values: { url: '2' } },
    })
    for (const environment of [production, preview]) {
      const ids = await listVersions(id, environment)
      expect(ids).toHaveLength(5)
      for (const [index, version] of ids.slice(1).entries()) {
        expect(await changesOf(version, ids[index])).toEqual(await changesOf(version))
      }
      const text = JSON.stringify(
        await Promise.all(ids.map((version) => changesOf(version, ids[0]))),
      )
      expect(text).not.toContain('secret-')
      expect(text).toContain('{"key":"key","tier":"secret","change":"added"}')
    }
  })

  it('names what the environment sets without any difference to clients, and shows no difference then', async () => {
    const id = await app.addSchema('pinned', flag(true))
    await set(id, production, { newCheckout: true })
    const [first, pinned] = await listVersions(id, production)
    expect(await changesOf(pinned)).toEqual([
      { key: 'newCheckout', tier: 'featureFlags', change: 'added', before: true, after: true },
    ])
    expect(await changesOf(pinned, first)).toEqual([])
    await replace(id, flag(false))
    await set(id, production, { newCheckout: false })
    const [, , switchedOff] = await listVersions(id, production)
    expect(await changesOf(switchedOff, first)).toMatchObject([{ before: true, after: false }])
  })

  it('shows nothing of a key that has become a secret since, in any version', async () => {
    const open = { url: { type: 'string', tier: 'public' } }
    const id = await app.addSchema('sealedLater', flag(false))
    await set(id, production, { url: 'canary-1' })
    await set(id, production, { url: 'canary-2' })
    await replace(id, { ...flag(false), url: { ...open.url, tier: 'secret' } })
    const ids = await listVersions(id, production)
    const changed = { key: 'url', tier: 'secret', change: 'changed' }
    expect(await changesOf(ids[2])).toEqual([changed])
    expect(await changesOf(ids[2], ids[1])).toEqual([changed])
    expect(await changesOf(ids[1])).toEqual([{ ...changed, change: 'added' }])
    const rows = await app.test.asOwner('select v::text as row from config_versions v')
    expect(JSON.stringify(rows)).not.toContain('canary-')
  })
})

describe('the sources of a change', () => {
  const [byDefault, isSet] = [{ source: 'default' }, { source: 'set' }]

  it('say that a value was the default and is set, or was inherited and is set, to the same', async () => {
    const id = await app.addSchema('sourced', flag(false))
    await set(id, production, { newCheckout: false, key: 'canary-1' })
    await set(id, preview, { newCheckout: false, key: 'canary-2' })
    const inherited = { source: 'inherited', environmentId: production, environment: 'production' }
    const on = { key: 'newCheckout', tier: 'featureFlags', before: false, after: false }
    const key = { key: 'key', tier: 'secret' }
    const [, written] = await listVersions(id, production)
    const [, followed, pinned] = await listVersions(id, preview)
    expect(await sourcedChangesOf(written)).toEqual([
      { ...key, change: 'added', sourceAfter: isSet },
      { ...on, change: 'added', sourceBefore: byDefault, sourceAfter: isSet },
    ])
    expect(await sourcedChangesOf(followed)).toEqual([
      { ...key, change: 'added', sourceAfter: inherited },
      { ...on, change: 'changed', sourceBefore: byDefault, sourceAfter: inherited },
    ])
    expect(await sourcedChangesOf(pinned)).toEqual([
      { ...key, change: 'changed', sourceBefore: inherited, sourceAfter: isSet },
      { ...on, change: 'added', sourceBefore: inherited, sourceAfter: isSet },
    ])
    const { items } = (
      await app.ok('viewer', `GET /config-versions?schemaId=${id}&key=newCheckout&limit=1`)
    ).body
    expect(items[0].changes).toMatchObject([{ sourceBefore: inherited, sourceAfter: isSet }])
  })

  it('are those of the moment when a later write only moved the source', async () => {
    const id = await app.addSchema('rewound', flag(false))
    await set(id, production, { newCheckout: true })
    await set(id, production, { newCheckout: false })
    await app.ok(
      'm2m',
      `DELETE /config-values?schemaId=${id}&environmentId=${production}&key=newCheckout`,
    )
    const [first, on, off, unset] = await listVersions(id, production)
    expect(await sourcedChangesOf(unset)).toMatchObject([
      {
        change: 'removed',
        before: false,
        after: false,
        sourceBefore: isSet,
        sourceAfter: byDefault,
      },
    ])
    expect(await sourcedChangesOf(on, first)).toMatchObject([
      { before: false, after: true, sourceBefore: byDefault, sourceAfter: isSet },
    ])
    expect(await sourcedChangesOf(off, on)).toMatchObject([
      { before: true, after: false, sourceBefore: isSet, sourceAfter: isSet },
    ])
    expect(await sourcedChangesOf(unset, off)).toEqual([])
  })
})

describe('the difference of two versions', () => {
  it('reaches over environments and over changes of the schema in both directions', async () => {
    const id = await app.addSchema('across', flag(false))
    await set(id, production, { url: 'https://a.example' })
    await set(id, preview, { url: 'https://b.example', newCheckout: true })
    const { newCheckout: _removed, ...schema } = flag(false)
    await app.ok('developer', `PUT /config-schemas/${id}`, { body: { schema, force: true } })
    const before = (await listVersions(id, production))[1]
    const [, , own, last] = await listVersions(id, preview)
    const url = { key: 'url', tier: 'public', change: 'changed' }
    const on = { key: 'newCheckout', tier: 'featureFlags' }
    expect(await changesOf(own, before)).toEqual([
      { ...on, change: 'changed', before: false, after: true },
      { ...url, before: 'https://a.example', after: 'https://b.example' },
    ])
    expect(await changesOf(last, before)).toEqual([
      { ...on, change: 'removed', before: false },
      { ...url, before: 'https://a.example', after: 'https://b.example' },
    ])
    expect(await changesOf(before, last)).toEqual([
      { ...on, change: 'added', after: false },
      { ...url, before: 'https://b.example', after: 'https://a.example' },
    ])
  })
})

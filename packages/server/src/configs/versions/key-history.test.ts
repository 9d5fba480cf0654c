import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { buildKey, openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let base: string
let child: string
let schemaId: string
beforeAll(async () => {
  app = await openConfigApp()
  base = await app.addEnvironment('base')
  child = await app.addEnvironment('child', base)
  const open = { type: 'string', tier: 'public' } as const
  const text = { type: 'string' } as const
  schemaId = await app.addSchema('web', {
    a: open,
    token: text,
    other: text,
    on: { type: 'boolean' },
  })
  const rules = { on: [{ when: [], serve: { percent: 5 } }] }
  for (const body of [
    { values: { a: '1', token: 'canary-1', other: 'canary-o' } },
    { values: { on: false } },
    { values: { on: true, a: '2' }, rules },
    { values: { token: 'canary-2' } },
  ]) {
    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId, environmentId: base, ...body },
    })
  }
})
afterAll(() => app.close())

const list = async (query: string, as = 'viewer') =>
  (await app.ok(as, `GET /config-versions?schemaId=${schemaId}${query}`)).body

describe('the history of a key', () => {
  it('has the versions that changed it, with what it was before and after, and nothing of other keys', async () => {
    const { items, nextCursor } = await list(`&environmentId=${base}&key=on`)
    expect(items).toMatchObject([
      {
        version: 4,
        changes: [
          { key: 'on', before: false, after: true, rulesAfter: [{ serve: { percent: 5 } }] },
        ],
      },
      { version: 3, changes: [{ key: 'on', change: 'added', after: false }] },
    ])
    expect(items[0].changes).toHaveLength(1)
    expect(nextCursor).toBeNull()
  })

  it('shows no value of a secret', async () => {
    const { items } = await list(`&environmentId=${base}&key=token`, 'developer')
    expect(items.map(({ version }: { version: number }) => version)).toEqual([5, 2])
    const isSet = { source: 'set' }
    expect(items[0].changes).toEqual([
      { key: 'token', tier: 'secret', change: 'changed', sourceBefore: isSet, sourceAfter: isSet },
    ])
    expect(JSON.stringify(items)).not.toContain('canary')
  })

  it('is not asked for in a list of all keys: the first three have their values, short ones and no secret', async () => {
    const text = { type: 'string', tier: 'public' } as const
    const id = await app.addSchema('rows', {
      a: text,
      b: text,
      c: text,
      d: text,
      s: { type: 'string' },
    })
    const write = (values: Record<string, string>) =>
      app.ok('developer', 'PUT /config-values', {
        body: { schemaId: id, environmentId: base, values },
      })
    await write({ a: '1', b: '2', c: '3', d: '4' })
    await write({ a: 'x'.repeat(3_000), b: 'new', s: 'canary-s' })
    const { items } = (
      await app.ok('viewer', `GET /config-versions?schemaId=${id}&environmentId=${base}`)
    ).body
    expect(items[1].changes).toMatchObject([{ after: '1' }, { after: '2' }, { after: '3' }, {}])
    expect(items[1].changes[3]).toEqual({ key: 'd', tier: 'public', change: 'added' })
    expect(items[0].changes).toMatchObject([
      { key: 'a', change: 'changed' },
      { key: 'b', before: '2', after: 'new' },
      { key: 's', tier: 'secret' },
    ])
    expect(items[0].changes[0]).not.toHaveProperty('after')
    expect(JSON.stringify(items)).not.toContain('canary')
  })

  it('is that of every environment when none is named, page by page', async () => {
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await list(`&key=on&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      const [{ environmentId, version }] = page.items
      seen.push(`${environmentId === base ? 'base' : 'child'} ${version}`)
      cursor = page.nextCursor ?? ''
    } while (cursor !== '')
    expect(seen.slice(0, 2).toSorted()).toEqual(['base 4', 'child 4'])
    expect(seen.slice(2).toSorted()).toEqual(['base 3', 'child 3'])
    const all = await list('')
    expect(all.items).toHaveLength(10)
  })

  it('is empty for a key that never changed, and not found for a schema that is not there', async () => {
    expect((await list('&key=nobody')).items).toEqual([])
    expect((await list(`&environmentId=${base}&key=nobody`)).items).toEqual([])
    const absent = 'GET /config-versions?schemaId=sch_01jd2m4x9k0000000000000001'
    expect((await app.call('viewer', absent)).status).toBe(404)
  })

  it('has the environments of a restricted key and no others', async () => {
    app.setActor('narrow', buildKey(app.orgId, 'm2m', { environmentIds: [child] }))
    const { items } = await list('&key=on', 'narrow')
    expect(items).toHaveLength(2)
    for (const { environmentId } of items) expect(environmentId).toBe(child)
  })
})

describe('a reveal of one key', () => {
  const path = () => `GET /config-values?schemaId=${schemaId}&environmentId=${base}`

  it('shows that secret alone, and only that is written down', async () => {
    let text = ''
    const event = await expectOneEvent(app.test, 'secret.revealed', async () => {
      ;({ text } = await app.ok('developer', `${path()}&key=token&reveal=true`))
    })
    expect(text).toContain('canary-2')
    expect(text).not.toContain('canary-o')
    expect(event.detail).toMatchObject({ keys: ['token'] })
  })

  it('hides no later read of the others by a key', async () => {
    await app.ok('m2m', `${path()}&key=token`)
    const event = await expectOneEvent(app.test, 'secret.read_by_key', () => app.ok('m2m', path()))
    expect(event.detail).toMatchObject({ keys: ['token', 'other'] })
  })

  it('is written down once for each secret, by whatever keys it is asked for together', async () => {
    app.setActor('reader', buildKey(app.orgId, 'm2m'))
    const keys = async (query: string) => {
      await app.ok('reader', `${path()}${query}`)
      const [last] = await app.test.asOwner(
        `select detail -> 'keys' as keys, (select count(*)::int from audit_events) as count
         from audit_events where action = 'secret.read_by_key' order by sequence desc limit 1`,
      )
      return last
    }
    const first = await keys('&key=token')
    const second = await keys('&key=other&key=a')
    expect([first, second]).toMatchObject([{ keys: ['token'] }, { keys: ['other'] }])
    for (const query of ['&key=token&key=other', '&key=other&key=token', '&key=token&key=none']) {
      expect([query, await keys(query)]).toEqual([query, second])
    }
  })

  it('narrows what browsers read to what they may know', async () => {
    const { values } = (await app.ok('b2m', `${path()}&key=a&key=token`)).body
    expect(Object.keys(values)).toEqual(['a'])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
beforeAll(async () => {
  app = await openConfigApp()
})
afterAll(() => app.close())

const key = { type: 'string', tier: 'public' } as const

/** Returns how to set a value, and how to promote to another environment from one that inherits. */
async function makeFixture(name: string) {
  const parent = await app.addEnvironment(`${name}-parent`)
  const source = await app.addEnvironment(`${name}-source`, parent)
  const target = await app.addEnvironment(`${name}-target`)
  const schemaId = await app.addSchema(name, { own: key, inherited: key })
  const set = (environmentId: string, values: object) =>
    app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId, values } })
  await set(parent, { inherited: 'a' })
  await set(source, { own: 'a' })
  const body = { schemaId, fromEnvironmentId: source, toEnvironmentId: target }
  const promote = (more: object) =>
    app.call('m2m', 'POST /config-values/promote', { body: { ...body, ...more } })
  return { parent, source, target, set, promote }
}

describe('a promotion on the values of its dry run', () => {
  it('copies what the dry run has shown', async () => {
    const { promote, target, set } = await makeFixture('unchanged')
    const { sourceVersion, currentVersion } = (await promote({ dryRun: true })).body
    await set(target, { own: 'other' })
    const promoted = await promote({ expectedSourceVersion: sourceVersion })
    expect(promoted.status).toBe(200)
    expect(promoted.body).toMatchObject({ sourceVersion, currentVersion: currentVersion + 2 })
  })

  it.each(['source', 'parent'] as const)(
    'is refused when somebody has changed a value of the %s since',
    async (changed) => {
      const fixture = await makeFixture(`changed-${changed}`)
      const { promote, set } = fixture
      const { sourceVersion, currentVersion } = (await promote({ dryRun: true })).body
      await set(fixture[changed], changed === 'source' ? { own: 'b' } : { inherited: 'b' })
      const refused = await promote({ expectedSourceVersion: sourceVersion })
      expect(refused.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
      expect(refused.body.detail).toContain(`changed-${changed}-source`)
      const again = (await promote({ dryRun: true })).body
      expect(again.currentVersion).toBe(currentVersion)
      const promoted = await promote({ expectedSourceVersion: again.sourceVersion })
      expect(promoted.status).toBe(200)
    },
  )
})

describe('a promotion of all keys', () => {
  it('leaves out secrets, what is expected to differ and what is turned off, unless it names them', async () => {
    const [source, target] = [
      await app.addEnvironment('all-from'),
      await app.addEnvironment('all-to'),
    ]
    const flag = { type: 'boolean', tier: 'featureFlags', default: false } as const
    const schemaId = await app.addSchema('all', {
      text: key,
      token: { type: 'string', tier: 'secret' },
      url: { ...key, expectedToDiffer: true },
      sameUrl: { ...key, expectedToDiffer: true },
      killedHere: flag,
      killedThere: flag,
      live: flag,
    })
    const write = (environmentId: string, values: object, rules = {}) =>
      app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId, values, rules } })
    const off = [{ when: [], serve: false, aside: 'on' }]
    const flags = { live: true, killedHere: false, killedThere: true }
    const texts = { text: 'a', token: 'canary', url: 'https://a.example', sameUrl: 'x' }
    await write(source, { ...texts, ...flags }, { killedHere: off })
    await write(target, { sameUrl: 'x', killedThere: false }, { killedThere: off })
    const promote = async (more: object) => {
      const body = { schemaId, fromEnvironmentId: source, toEnvironmentId: target, ...more }
      const { changes, leftOut } = await app
        .ok('m2m', 'POST /config-values/promote', { body })
        .then((answer) => answer.body)
      return [changes.map((one: { key: string }) => one.key).sort(), leftOut]
    }
    const url = { key: 'url', reason: 'expectedToDiffer' }
    const token = { key: 'token', reason: 'secret' }
    const killed = ['killedHere', 'killedThere'].map((name) => ({ key: name, reason: 'turnedOff' }))
    const sorted = (rows: readonly { key: string }[]) =>
      rows.toSorted((one, other) => one.key.localeCompare(other.key))
    for (const dryRun of [true, false]) {
      const [changed, leftOut] = await promote({ dryRun })
      expect(changed).toEqual(['live', 'text'])
      expect(sorted(leftOut)).toEqual(sorted([url, token, ...killed]))
    }
    const [secrets, rest] = await promote({ include: ['secret'], dryRun: true })
    expect([secrets, sorted(rest)]).toEqual([['token'], sorted([url, ...killed])])
    expect(await promote({ keys: ['url', 'killedThere'] })).toEqual([['killedThere', 'url'], []])
    const both = { schemaId, fromEnvironmentId: source, toEnvironmentId: target, keys: ['text'] }
    const refused = await app.call('m2m', 'POST /config-values/promote', {
      body: { ...both, include: ['secret'] },
    })
    expect(refused.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/include', code: 'validation_failed' }],
    })
    const everything = { include: ['secret', 'turnedOff', 'expectedToDiffer'] }
    expect(await promote(everything)).toEqual([['killedHere', 'token'], []])
  })
})

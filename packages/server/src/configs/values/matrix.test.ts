import { findDrift } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { buildKey, openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let base: string
let child: string
let alone: string
beforeAll(async () => {
  app = await openConfigApp()
  base = await app.addEnvironment('base')
  child = await app.addEnvironment('child', base)
  alone = await app.addEnvironment('alone')
})
afterAll(() => app.close())

const open = { type: 'string', tier: 'public' } as const
const secret = { type: 'string' } as const

const set = (schemaId: string, environmentId: string, values: object, rules?: object) =>
  app.ok('developer', 'PUT /config-values', {
    body: { schemaId, environmentId, values, ...(rules !== undefined && { rules }) },
  })

const readMatrix = async (as: string, schemaId: string) =>
  (await app.ok(as, `GET /config-matrix?schemaId=${schemaId}`)).body

/** The cells of a key, in the order of the environments. */
const cellsOf = (matrix: { keys: { key: string; cells: object[] }[] }, key: string) =>
  matrix.keys.find((entry) => entry.key === key)?.cells

describe('the matrix', () => {
  it('has every key in every environment, with where its value comes from', async () => {
    const id = await app.addSchema('sources', {
      own: open,
      defaulted: {
        ...open,
        default: 'd',
        description: 'What it is for',
        constraints: { minLength: 1 },
      },
      optional: { ...open, required: false },
    })
    await set(id, base, { own: 'here' })
    const matrix = await readMatrix('viewer', id)
    expect(matrix.schema).toEqual({ id, name: 'sources', revision: 1 })
    expect(matrix.environments).toMatchObject([
      {
        id: base,
        name: 'base',
        parentId: null,
        version: 2,
        protection: { confirm: false, comment: false },
      },
      { id: child, parentId: base, version: 2, orphaned: [] },
      { id: alone, version: 1 },
    ])
    expect(matrix.authors).toMatchObject([{ type: 'user', name: 'developer' }])
    const made = { updatedAt: expect.stringMatching(/Z$/), updatedBy: 0 }
    expect(matrix.keys).toEqual([
      {
        key: 'own',
        type: 'string',
        tier: 'public',
        required: true,
        hasDefault: false,
        drift: true,
        cells: [
          { source: 'set', value: 'here', ...made },
          { source: 'inherited', inheritedFrom: base, value: 'here', ...made },
          { source: 'missing' },
        ],
      },
      {
        key: 'defaulted',
        type: 'string',
        tier: 'public',
        description: 'What it is for',
        required: false,
        hasDefault: true,
        default: 'd',
        constraints: { minLength: 1 },
        drift: false,
        cells: Array.from({ length: 3 }, () => ({ source: 'default', value: 'd' })),
      },
      {
        key: 'optional',
        type: 'string',
        tier: 'public',
        required: false,
        hasDefault: false,
        drift: false,
        cells: Array.from({ length: 3 }, () => ({ source: 'unset' })),
      },
    ])
  })

  it('says which secrets are the same to whoever may read them, and shows none to anybody', async () => {
    const id = await app.addSchema('secrets', {
      token: secret,
      other: { type: 'string', default: 'canary-4' },
    })
    await set(id, base, { token: 'canary-1' })
    await set(id, alone, { token: 'canary-2' })
    for (const as of ['developer', 'm2m', 'bootstrap']) {
      const answer = await app.ok(as, `GET /config-matrix?schemaId=${id}`)
      expect(answer.text).not.toContain('canary')
      expect(cellsOf(answer.body, 'token')).toMatchObject([{ mark: 0 }, { mark: 0 }, { mark: 1 }])
      expect(cellsOf(answer.body, 'other')).toMatchObject([{ mark: 0 }, { mark: 0 }, { mark: 0 }])
      expect(answer.body.keys).toMatchObject([{ drift: true }, { drift: false }])
    }
    await set(id, alone, { token: 'canary-1' })
    expect((await readMatrix('developer', id)).keys[0].drift).toBe(false)
    const viewed = await app.ok('viewer', `GET /config-matrix?schemaId=${id}`)
    expect(viewed.text).not.toMatch(/canary|mark/)
    expect(viewed.body.keys).toMatchObject([{ drift: null }, { drift: null }])
  })

  it('has no drift of a key that is expected to differ, until the mark is taken away', async () => {
    const declared = { url: { ...open, expectedToDiffer: true }, other: open }
    const id = await app.addSchema('expected', declared)
    await set(id, base, { url: 'https://a.example', other: 'a' })
    await set(id, alone, { url: 'https://b.example', other: 'b' })
    const drifts = async () =>
      (await readMatrix('viewer', id)).keys.map(
        ({ drift, expectedToDiffer }: { drift: boolean; expectedToDiffer?: boolean }) => [
          drift,
          expectedToDiffer,
        ],
      )
    expect(await drifts()).toEqual([
      [false, true],
      [true, undefined],
    ])
    const replace = (url: object) =>
      app.ok('developer', `PUT /config-schemas/${id}`, { body: { schema: { url, other: open } } })
    // Code that does not know the mark keeps it.
    await replace(open)
    expect((await drifts())[0]).toEqual([false, true])
    const event = await expectOneEvent(app.test, 'schema.changed', () =>
      replace({ ...open, expectedToDiffer: false }),
    )
    expect(event.detail).toMatchObject({ keys: ['url'] })
    expect((await drifts())[0]).toEqual([true, undefined])
  })

  it('numbers the secrets of each key anew, so that keys cannot be compared with each other', async () => {
    const id = await app.addSchema('numbered', { one: secret, two: secret })
    await set(id, base, { one: 'same', two: 'different' })
    await set(id, alone, { one: 'same', two: 'same' })
    const matrix = await readMatrix('developer', id)
    expect(cellsOf(matrix, 'one')).toMatchObject([{ mark: 0 }, { mark: 0 }, { mark: 0 }])
    expect(cellsOf(matrix, 'two')).toMatchObject([{ mark: 0 }, { mark: 0 }, { mark: 1 }])
  })

  it('compares secrets without writing down that somebody saw them', async () => {
    const id = await app.addSchema('compared', { token: secret })
    await set(id, base, { token: 'x' })
    await expectNoEvent(app.test, async () => {
      expect((await readMatrix('developer', id)).keys[0].cells[0].mark).toBe(0)
    })
  })

  it('tells flags with other rules apart, and those that say the same in another order not', async () => {
    const id = await app.addSchema('flags', { on: { type: 'boolean' } })
    const rule = (when: object[]) => ({ on: [{ when, serve: { percent: 10 } }] })
    await set(
      id,
      base,
      { on: true },
      rule([{ attribute: 'plan', operator: 'equals', value: 'pro' }]),
    )
    await set(
      id,
      alone,
      { on: true },
      rule([{ operator: 'equals', value: 'pro', attribute: 'plan' }]),
    )
    const same = await readMatrix('viewer', id)
    expect(same.keys[0].drift).toBe(false)
    expect(same.keys[0].cells[1]).toMatchObject({
      source: 'inherited',
      rules: [{ serve: { percent: 10 } }],
    })
    expect(findDrift(same.keys[0].cells)).toBe(false)
    await set(id, alone, { on: true }, rule([]))
    expect((await readMatrix('viewer', id)).keys[0].drift).toBe(true)
  })

  it('names the values whose key the schema has lost', async () => {
    const id = await app.addSchema('losing', { gone: open, kept: open })
    await set(id, base, { gone: 'x' })
    await app.ok('developer', `PUT /config-schemas/${id}`, {
      body: { schema: { kept: open }, force: true },
    })
    const { environments, keys } = await readMatrix('viewer', id)
    expect(environments[0].orphaned).toEqual(['gone'])
    expect(keys.map(({ key }: { key: string }) => key)).toEqual(['kept'])
  })

  it('shows a restricted key its own environments and no others', async () => {
    const id = await app.addSchema('restricted', { own: open })
    app.setActor('narrow', buildKey(app.orgId, 'm2m', { environmentIds: [child] }))
    await set(id, base, { own: 'x' })
    const { environments } = await readMatrix('narrow', id)
    expect(environments.map((entry: { id: string }) => entry.id)).toEqual([child])
    const refused = await app.call(
      'narrow',
      `GET /config-matrix?schemaId=${id}&environmentId=${base}`,
    )
    expect(refused.body.code).toBe('key_scope_forbidden')
    const other = buildKey(app.orgId, 'm2m', { schemaIds: ['sch_01jd2m4x9k0000000000000001'] })
    app.setActor('elsewhere', other)
    expect((await app.call('elsewhere', `GET /config-matrix?schemaId=${id}`)).body.code).toBe(
      'key_scope_forbidden',
    )
  })

  it('has the columns that are asked for', async () => {
    const id = await app.addSchema('columns', { own: open })
    const path = `GET /config-matrix?schemaId=${id}&environmentId=${alone}&environmentId=${base}`
    const { environments } = (await app.ok('viewer', path)).body
    expect(environments.map((entry: { id: string }) => entry.id)).toEqual([base, alone])
    const absent = `${path}&environmentId=env_01jd2m4x9k0000000000000001`
    expect((await app.call('viewer', absent)).status).toBe(404)
  })
})

it('is sent compressed when it is large, and values that may be secret never are', async () => {
  const keys = Array.from({ length: 400 }, (_, at) => [`key${at}`, { ...open, default: 'x' }])
  const schemaId = await app.addSchema('large', Object.fromEntries(keys))
  const headers = { 'accept-encoding': 'gzip' }
  const matrix = await app.call('developer', `GET /config-matrix?schemaId=${schemaId}`, { headers })
  expect(matrix.headers.get('content-encoding')).toBe('gzip')
  const values = await app.ok(
    'm2m',
    `GET /config-values?schemaId=${schemaId}&environmentId=${base}`,
    { headers },
  )
  expect(values.text.length).toBeGreaterThan(32 * 1024)
  expect(values.headers.get('content-encoding')).toBeNull()
})

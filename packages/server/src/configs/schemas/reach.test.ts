import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildKey, openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let mine: string
let other: string
let schemaId: string
let otherSchema: string
let version: string
let otherVersion: string
beforeAll(async () => {
  app = await openConfigApp()
  mine = await app.addEnvironment('mine')
  other = await app.addEnvironment('other')
  schemaId = await app.addSchema('web', {
    a: { type: 'string', tier: 'public' },
    s: { type: 'string' },
  })
  otherSchema = await app.addSchema('api', { a: { type: 'string', tier: 'public' } })
  const reach = { environmentIds: [mine], schemaIds: [schemaId] }
  app.setActor('narrow', buildKey(app.orgId, 'm2m', reach))
  app.setActor('narrowB2m', buildKey(app.orgId, 'b2m', reach))
  const versionOf = async (environmentId: string) => {
    const path = `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`
    return (await app.ok('viewer', path)).body.items[0].id
  }
  version = await versionOf(mine)
  otherVersion = await versionOf(other)
})
afterAll(() => app.close())

const stored = async () => [
  await app.test.asOwner('select * from current_values order by 1, 2, 3'),
  await app.test.asOwner('select * from environments order by 1, 2'),
  await app.test.asOwner('select * from config_schemas order by 1, 2'),
  await app.test.asOwner('select count(*) from config_versions'),
]

describe('a restricted key', () => {
  it('does in its environment and schema what others do', async () => {
    const body = { schemaId, environmentId: mine, values: { a: '1', s: '2' } }
    expect((await app.call('narrow', 'PUT /config-values', { body })).status).toBe(200)
    const path = `GET /config-values?schemaId=${schemaId}&environmentId=${mine}`
    expect((await app.ok('narrow', path)).body.values.s.value).toBe('2')
    expect((await app.ok('narrowB2m', path)).body.values).not.toHaveProperty('s')
    expect((await app.ok('narrow', 'GET /environments')).body.items).toHaveLength(1)
    expect((await app.ok('narrow', 'GET /config-schemas')).body.items).toHaveLength(1)
    expect((await app.ok('narrow', 'GET /config-schemas/web/report')).body.report).toHaveLength(1)
    expect((await app.ok('narrow', `GET /config-versions/${version}`)).body.id).toBe(version)
  })

  it('reaches nothing of another environment or schema through its own', async () => {
    const before = await stored()
    const calls: readonly (readonly [string, object?])[] = [
      [`GET /config-values?schemaId=${otherSchema}&environmentId=${mine}`],
      ['PUT /config-values', { schemaId: otherSchema, environmentId: mine, values: { a: '1' } }],
      [
        'POST /config-values/promote',
        { schemaId, fromEnvironmentId: mine, toEnvironmentId: other },
      ],
      [
        'POST /config-values/promote',
        { schemaId, fromEnvironmentId: other, toEnvironmentId: mine },
      ],
      [`GET /config-versions/${version}?against=${otherVersion}`],
      [`GET /config-versions?schemaId=${otherSchema}`],
      ['PATCH /environments/mine', { parentId: other }],
    ]
    for (const [request, body] of calls) {
      const answer = await app.call('narrow', request, body === undefined ? {} : { body })
      expect({ request, code: answer.body.code }).toEqual({ request, code: 'key_scope_forbidden' })
    }
    expect(await stored()).toEqual(before)
  })

  it('of browsers reads the values of no other environment and no other schema', async () => {
    for (const place of [
      `schemaId=${schemaId}&environmentId=${other}`,
      `schemaId=${otherSchema}&environmentId=${mine}`,
    ]) {
      const { body } = await app.call('narrowB2m', `GET /config-values?${place}`)
      expect([place, body.code]).toEqual([place, 'key_scope_forbidden'])
    }
  })

  it('is told that a schema belongs to every environment, and which key may change one', async () => {
    for (const [request, body] of [
      ['PUT /config-schemas/web', { schema: {} }],
      ['PATCH /config-schemas/web', { name: 'taken' }],
      ['POST /config-schemas', { name: 'more', schema: {} }],
    ] as const) {
      expect((await app.call('narrow', request, { body })).body.detail).toBe(
        'This API key is restricted to certain environments, but a schema applies to all of them. Use a key without this restriction, or a personal access token.',
      )
    }
  })
})

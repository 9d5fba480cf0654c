import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let [base, production, staging] = ['', '', '']
let schemaId: string
let count = 0

beforeAll(async () => {
  app = await openConfigApp()
  base = await app.addEnvironment('base')
  const child = async (name: string, isProduction: boolean) => {
    const body = { name, parentId: base, production: isProduction }
    return (await app.ok('admin', 'POST /environments', { body })).body.id
  }
  production = await child('production', true)
  staging = await child('staging', false)
  schemaId = await app.addSchema('web', {
    retries: { type: 'number', tier: 'public', default: 3 },
    key: { type: 'string' },
  })
})
beforeEach(() => setChat('connected'))
afterAll(() => app.close())

async function setChat(state: string) {
  await app.test.asOwner(
    `insert into integrations (org_id, id, kind, provider, state) values ($1, 'int_1', 'chat', 'slack', $2)
     on conflict (org_id, id) do update set state = excluded.state`,
    [app.orgId, state],
  )
  app.emittedIds.splice(0)
}

const write = (environmentId: string, dryRun = false) => {
  const values = { retries: (count += 1) }
  const body = { schemaId, environmentId, values, dryRun }
  return app.ok('developer', 'PUT /config-values', { body })
}
const newest = async (environmentId: string) =>
  (
    await app.test.asOwner(
      'select id from config_versions where environment_id = $1 order by version desc limit 1',
      [environmentId],
    )
  )[0]?.['id']

describe('a version in production', () => {
  it('is emitted with its id, once', async () => {
    await write(production)
    expect(app.emittedIds).toEqual([await newest(production)])
  })

  it('is emitted when what it inherits has changed', async () => {
    const body = { schemaId, environmentId: base, values: { key: 'sk_live_1' } }
    await app.ok('developer', 'PUT /config-values', { body })
    expect(app.emittedIds).toEqual([await newest(production)])
  })

  it('is emitted when its schema has changed', async () => {
    const schema = {
      retries: { type: 'number', tier: 'public', default: 4 },
      key: { type: 'string' },
      more: { type: 'string', default: 'x' },
    }
    await app.ok('developer', `PUT /config-schemas/${schemaId}`, { body: { schema } })
    expect(app.emittedIds).toEqual([await newest(production)])
  })

  it('is not emitted where nothing was stored, in other environments, or without a connected chat', async () => {
    await write(production, true)
    await write(staging)
    for (const state of ['pending', 'disconnecting', 'disconnected']) {
      await setChat(state)
      await write(production)
    }
    expect(app.emittedIds).toEqual([])
  })
})

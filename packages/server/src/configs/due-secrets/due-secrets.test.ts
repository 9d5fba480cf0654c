import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import { noteDueSecrets } from './note-due-secrets.ts'

let app: ConfigApp
let env: string
let schemaId: string
const dayMs = 86_400_000
/** When the secrets are set, by the clock of the configuration. */
let setAt: number

beforeAll(async () => {
  app = await openConfigApp()
  env = await app.addEnvironment('production')
  await app.addEnvironment('staging')
  schemaId = await app.addSchema('web', {
    stripeKey: {
      type: 'string',
      rotateEvery: 90,
      runbook: 'https://wiki.example.com/rotate-stripe',
    },
    lasting: { type: 'string' },
    flag: { type: 'boolean', expires: '2020-01-01' },
  })
  await app.test.asOwner(
    `insert into outgoing_webhooks (org_id, id, name, url, events, format, enabled, sealed_secrets, has_authorization, created_at)
     values ($1, 'whk_1', 'all', 'https://hooks.example.com/', '{secret.due,config.changed}', 'generic', true, '', false, now())`,
    [app.orgId],
  )
  await app.ok('developer', 'PUT /config-values', {
    body: {
      schemaId,
      environmentId: env,
      values: { stripeKey: 'one', lasting: 'two', flag: true },
    },
  })
  setAt = await readSetAt()
})
afterAll(() => app.close())

async function readSetAt(): Promise<number> {
  const { body } = await app.ok(
    'm2m',
    `GET /config-values?schemaId=${schemaId}&environmentId=${env}`,
  )
  return Date.parse(body.values.stripeKey.updatedAt)
}

const noteAt = (ms: number) => noteDueSecrets({ store: app.test.store, now: () => new Date(ms) })
const messages = () =>
  app.test.asOwner<{ data: Record<string, unknown> }>(
    `select data from outgoing_messages where org_id = $1 and type = 'secret.due' order by id`,
    [app.orgId],
  )

describe('a secret that is due', () => {
  it('is announced two weeks before, three days before and when it is, once each, and again after a rotation', async () => {
    const due = setAt + 90 * dayMs
    await noteAt(due - 15 * dayMs)
    expect(await messages()).toEqual([])
    for (const moment of [due - 14 * dayMs, due - 13 * dayMs, due - 3 * dayMs, due - dayMs]) {
      await noteAt(moment)
      await noteAt(moment)
    }
    expect((await messages()).map(({ data }) => data['daysBefore'])).toEqual([14, 3])
    await noteAt(due)
    await noteAt(due + 30 * dayMs)
    const all = await messages()
    expect(all.map(({ data }) => data['daysBefore'])).toEqual([14, 3, 0])
    expect(all[2]?.data).toEqual({
      schemaId,
      schema: 'web',
      environmentId: env,
      environment: 'production',
      key: 'stripeKey',
      dueAt: new Date(Math.floor(due / 1000) * 1000).toISOString().replace('.000', ''),
      daysBefore: 0,
      reason: 'rotation',
      runbook: 'https://wiki.example.com/rotate-stripe',
    })
    expect(JSON.stringify(all)).not.toContain('"one"')

    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId, environmentId: env, values: { stripeKey: 'another' } },
    })
    setAt = await readSetAt()
    await noteAt(setAt + 80 * dayMs)
    expect((await messages()).map(({ data }) => data['daysBefore'])).toEqual([14, 3, 0, 14])
  })

  it('is noted at the last of its notices after a stop of the server', async () => {
    const { body } = await app.ok('developer', `GET /config-schemas/${schemaId}`)
    await app.ok('developer', `PUT /config-schemas/${schemaId}`, {
      body: {
        ...body,
        schema: {
          ...body.schema,
          lasting: { type: 'string', tier: 'secret', expires: '2020-02-29' },
        },
      },
    })
    const before = (await messages()).length
    await noteAt(setAt)
    const added = (await messages()).slice(before)
    expect(added.map(({ data }) => [data['key'], data['daysBefore'], data['reason']])).toEqual([
      ['lasting', 0, 'end'],
    ])
  })
})

describe('notes on the life of a secret', () => {
  const push = async (key: object) => {
    const answer = await app.call('developer', 'POST /config-schemas', {
      body: { name: 'noted', schema: { key } },
    })
    return [answer.status, answer.body.errors?.map(({ pointer }: { pointer: string }) => pointer)]
  }

  it.each([
    [{ type: 'string', rotateEvery: -1 }, '/schema/key/rotateEvery'],
    [{ type: 'string', rotateEvery: 1.5 }, '/schema/key/rotateEvery'],
    [{ type: 'string', rotateEvery: 4_000 }, '/schema/key/rotateEvery'],
    [{ type: 'string', tier: 'public', rotateEvery: 90 }, '/schema/key/rotateEvery'],
    [{ type: 'boolean', rotateEvery: 90 }, '/schema/key/rotateEvery'],
    [{ type: 'string', expires: '2027-02-29' }, '/schema/key/expires'],
    [{ type: 'string', tier: 'public', expires: '2027-02-28' }, '/schema/key/expires'],
    [{ type: 'string', runbook: 'javascript:alert(1)' }, '/schema/key/runbook'],
    [{ type: 'string', runbook: 'https://me:secret@wiki.example.com' }, '/schema/key/runbook'],
    [{ type: 'string', tier: 'public', runbook: 'https://a.example' }, '/schema/key/runbook'],
  ])('are refused as %j, with their place', async (key, pointer) => {
    expect(await push(key)).toEqual([422, [pointer]])
  })

  it('are kept by a push that does not know them, and taken away by their empty values', async () => {
    const path = `/config-schemas/${schemaId}`
    const stored = async () => (await app.ok('developer', `GET ${path}`)).body.schema.stripeKey
    const put = (stripeKey: object) =>
      app.ok('developer', `PUT ${path}`, {
        body: { schema: { stripeKey, lasting: { type: 'string' }, flag: { type: 'boolean' } } },
      })
    await put({ type: 'string' })
    expect(await stored()).toMatchObject({ rotateEvery: 90, runbook: expect.any(String) })
    await put({ type: 'string', rotateEvery: 0, runbook: '' })
    expect(await stored()).not.toHaveProperty('rotateEvery')
    expect(await stored()).not.toHaveProperty('runbook')
  })
})

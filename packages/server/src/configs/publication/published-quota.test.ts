import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import { createPublishedQuota } from './published-quota.ts'

const limits = { perOrganizationBytes: 100_000, perServerBytes: 150_000 }
let app: ConfigApp
let environmentId: string
let schemaId: string

beforeAll(async () => {
  app = await openConfigApp({ publishedLimits: limits })
  environmentId = await app.addEnvironment('production')
  schemaId = await app.addSchema('web', {
    text: { type: 'string', tier: 'public' },
    more: { type: 'string', tier: 'public' },
  })
})
afterAll(() => app.close())

const write = (values: object, as = 'm2m') =>
  app.call(as, 'PUT /config-values', { body: { schemaId, environmentId, values } })
const readText = async () => {
  const path = `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`
  return (await app.ok('m2m', path)).body.values
}
const text = (bytes: number) => 'x'.repeat(bytes)

const unsigned = { sealedSignature: Buffer.alloc(0), signedBy: 0 }

describe('what an organization publishes', () => {
  it('is limited in all, and a write beyond that stores nothing and says what to do', async () => {
    // The browser's and the server's snapshot hold it, so it counts twice.
    expect((await write({ text: text(40_000) })).status).toBe(200)
    const refused = await write({ more: text(20_000) })
    expect(refused.body).toMatchObject({ status: 409, code: 'quota_exceeded' })
    expect(refused.body.detail).toContain('SIGNALBOX_PUBLISHED_MIB_PER_ORGANIZATION')
    expect((await readText()).more.value).toBeUndefined()
  })

  it('counts what is current: a value that replaces another takes the difference', async () => {
    for (let round = 0; round < 30; round++) {
      const letter = String.fromCodePoint(97 + (round % 26))
      expect((await write({ text: letter.repeat(45_000) })).status).toBe(200)
    }
  })

  it('may shrink although there is no room', async () => {
    await app.test.asOwner(
      `update server_snapshots set body = body || repeat(' ', 200000) where org_id = $1`,
      [app.orgId],
    )
    const quota = createPublishedQuota({ store: app.test.store, limits, now: () => new Date() })
    const of = { schemaId, environmentId, environment: 'production', schema: 'web', etag: 'e' }
    const server = (bytes: number) => ({
      ...of,
      version: 99,
      body: text(bytes),
      sealedSecrets: Buffer.alloc(0),
      ...unsigned,
    })
    const requireQuota = (bytes: number) =>
      app.test.store.transaction({ orgId: app.orgId }, (tx) =>
        quota.require(tx, app.orgId, {
          currentValues: [],
          versions: [],
          effects: [],
          browsers: [],
          servers: [server(bytes)],
        }),
      )
    await requireQuota(150_000)
    await expect(requireQuota(300_000)).rejects.toMatchObject({ code: 'quota_exceeded' })
  })
})

describe('what all organizations of a server publish', () => {
  it('is limited together, also for one that has room itself', async () => {
    const fill = (table: string, bytes: number) =>
      app.test.asOwner(`update ${table} set body = repeat('x', $2) where org_id = $1`, [
        app.orgId,
        bytes,
      ])
    await fill('server_snapshots', 60_000)
    await fill('browser_snapshots', 1)
    const quota = createPublishedQuota({
      store: app.test.store,
      limits: { perOrganizationBytes: 1e9, perServerBytes: 100_000 },
      now: () => new Date(),
    })
    const of = {
      schemaId: 'sch_x',
      environmentId: 'env_x',
      environment: 'e',
      schema: 's',
      etag: '',
    }
    const publish = (bytes: number) =>
      app.test.store.transaction({ orgId: app.otherOrgId }, (tx) =>
        quota.require(tx, app.otherOrgId, {
          currentValues: [],
          versions: [],
          effects: [],
          browsers: [],
          servers: [
            { ...of, version: 1, body: text(bytes), sealedSecrets: Buffer.alloc(0), ...unsigned },
          ],
        }),
      )
    await publish(30_000)
    await expect(publish(50_000)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('SIGNALBOX_PUBLISHED_MIB'),
    })
    // A refused write takes no room.
    await publish(35_000)
  })
})

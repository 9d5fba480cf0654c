import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../telemetry/log.ts'
import { openIdentityApp, type IdentityApp } from '../testing/open-identity-app.ts'
import { createUseRecorder } from '../use-recorder.ts'

let app: IdentityApp
let orgId: string
let viewer: string

beforeAll(async () => {
  app = await openIdentityApp()
  orgId = await app.addOrganization('Acme')
  viewer = (await app.addPerson('viewer', { [orgId]: 'viewer' })).token
})
afterAll(() => app.close())

const readsOf = async (keyId: string, as = viewer) =>
  app.call(`GET /organizations/${orgId}/api-keys/${keyId}/secret-reads`, { as })

describe('the reads of secrets of a key', () => {
  it('are counted by day, of every node, and each once', async () => {
    const [{ id: keyId }, other] = [await app.addKey(orgId), await app.addKey(orgId)]
    let now = new Date('2026-11-20T23:59:00Z')
    const nodes = [1, 2].map(() =>
      createUseRecorder({ store: app.test.store, now: () => now, log: silentLog }),
    )
    for (const node of nodes) {
      for (let i = 0; i < 3; i += 1) node.recordSecretRead({ orgId, keyId })
      node.recordKeyUse({ orgId, keyId: other.id })
      await node.flush()
      await node.flush()
    }
    now = new Date('2026-11-21T00:01:00Z')
    nodes[0]?.collectFrom(() => [{ orgId, keyId, usedAt: now, secretReads: 5 }])
    await nodes[0]?.flush()
    expect((await readsOf(keyId)).body).toEqual({
      days: [
        { day: '2026-11-21', reads: 5 },
        { day: '2026-11-20', reads: 6 },
      ],
    })
    // Control: a key that is used without reading a secret has none.
    expect((await readsOf(other.id)).body).toEqual({ days: [] })
  })

  it('are kept while the database is away, and lost with none of them', async () => {
    const { id: keyId } = await app.addKey(orgId)
    let away = true
    const recorder = createUseRecorder({
      store: {
        delivery: {
          query: (statement) =>
            away ? Promise.reject(new Error('away')) : app.test.store.delivery.query(statement),
        },
      },
      now: () => new Date('2026-11-21T06:00:00Z'),
      log: silentLog,
    })
    recorder.recordSecretRead({ orgId, keyId })
    await expect(recorder.flush()).rejects.toThrow('away')
    recorder.recordSecretRead({ orgId, keyId })
    away = false
    await recorder.close()
    expect((await readsOf(keyId)).body.days).toEqual([{ day: '2026-11-21', reads: 2 }])
  })

  it('take no day that is yet to come, and none of another organization', async () => {
    const { id: keyId } = await app.addKey(orgId)
    const foreign = await app.addOrganization('Foreign')
    const record = (of: string, usedAt: Date) =>
      app.test.store.delivery.query({
        name: '',
        text: 'select record_secret_reads($1, $2, $3, $4)',
        values: [[of], [keyId], [usedAt], [7]],
      })
    await record(foreign, new Date('2026-11-21T06:00:00Z'))
    expect((await readsOf(keyId)).body.days).toEqual([])
    await record(orgId, new Date(Date.now() + 10 * 86_400_000))
    const { body } = await readsOf(keyId)
    expect(Date.parse(body.days[0].day)).toBeLessThanOrEqual(Date.now())
  })

  it('are not found for a key that the organization does not have', async () => {
    expect((await readsOf('key_01jd2m4x9k0000000000000001')).status).toBe(404)
  })
})

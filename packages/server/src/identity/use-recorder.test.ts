import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../telemetry/log.ts'
import type { DeliveryReader } from '../store/store.ts'
import { recordKeyUses } from './api-keys/rows.ts'
import { openIdentityApp, type IdentityApp } from './testing/open-identity-app.ts'
import { createUseRecorder } from './use-recorder.ts'

let app: IdentityApp
let orgId: string

beforeAll(async () => {
  app = await openIdentityApp()
  orgId = await app.addOrganization('Acme')
})
afterAll(() => app.close())

const lastUsed = async (keyId: string) => {
  const rows = await app.test.asOwner<{ last_used_at: Date }>(
    'select last_used_at from api_key_uses where key_id = $1',
    [keyId],
  )
  return rows[0]?.last_used_at
}

describe('createUseRecorder', () => {
  it('writes many uses of many keys as one batch, and the latest of each', async () => {
    const keys = [await app.addKey(orgId), await app.addKey(orgId)]
    let statements = 0
    let now = new Date('2026-11-21T06:00:00Z')
    const recorder = createUseRecorder({
      store: {
        delivery: {
          query: (statement) => {
            statements += 1
            return app.test.store.delivery.query(statement)
          },
        },
      },
      now: () => now,
      log: silentLog,
    })
    for (const { id: keyId } of keys) recorder.recordKeyUse({ orgId, keyId })
    now = new Date('2026-11-21T06:00:30Z')
    for (const { id: keyId } of keys) recorder.recordKeyUse({ orgId, keyId })
    await recorder.flush()
    await recorder.flush()
    expect(statements).toBe(1)
    for (const { id } of keys) expect(await lastUsed(id)).toEqual(now)
  })

  it('does not wake the nodes: a use is no change of the key', async () => {
    const { id: keyId } = await app.addKey(orgId)
    const changedIn = () =>
      app.test.asOwner('select changed_in::text from api_keys where id = $1', [keyId])
    const before = await changedIn()
    const recorder = createUseRecorder({
      store: app.test.store,
      now: app.clock.now,
      log: silentLog,
    })
    recorder.recordKeyUse({ orgId, keyId })
    await recorder.flush()
    expect(await changedIn()).toEqual(before)
  })

  it('keeps uses while the database is away, and leaves out keys that are gone', async () => {
    const { id: keyId } = await app.addKey(orgId)
    const { id: collectedId } = await app.addKey(orgId)
    let away = true
    const recorder = createUseRecorder({
      store: {
        delivery: {
          query: (statement) =>
            away ? Promise.reject(new Error('away')) : app.test.store.delivery.query(statement),
        },
      },
      now: app.clock.now,
      log: silentLog,
    })
    const collected = [{ orgId, keyId: collectedId, usedAt: app.clock.now() }]
    recorder.collectFrom(() => collected.splice(0))
    recorder.recordKeyUse({ orgId, keyId })
    recorder.recordKeyUse({ orgId, keyId: 'key_gone' })
    await expect(recorder.flush()).rejects.toThrow('away')
    expect(await lastUsed(keyId)).toBeUndefined()
    away = false
    await recorder.close()
    expect(await lastUsed(keyId)).toBeInstanceOf(Date)
    expect(await lastUsed(collectedId)).toBeInstanceOf(Date)
  })

  it('reports a database that is away once, however long it is', async () => {
    const reports: string[] = []
    const recorder = createUseRecorder({
      store: { delivery: { query: () => Promise.reject(new Error('away')) } },
      now: app.clock.now,
      log: { warn: (message) => reports.push(message) },
      intervalMs: 1,
    })
    let asked = 0
    recorder.collectFrom(() => [{ orgId, keyId: `key_${(asked += 1)}`, usedAt: new Date() }])
    recorder.start()
    await expect.poll(() => asked).toBeGreaterThan(3)
    await recorder.close()
    expect(reports).toHaveLength(1)
  })
})

describe('recordKeyUses', () => {
  const delivery: DeliveryReader = {
    query: (statement) => app.test.store.delivery.query(statement),
  }
  const early = new Date('2026-11-21T06:00:00Z')
  const late = new Date('2026-11-21T06:01:00Z')

  it('never moves a use back: nodes report in any order, and one key more than once', async () => {
    const { id: keyId } = await app.addKey(orgId)
    const used = (usedAt: Date) => ({ orgId, keyId, usedAt })
    await recordKeyUses(delivery, [used(early), used(late), used(early)])
    expect(await lastUsed(keyId)).toEqual(late)
    await recordKeyUses(delivery, [used(early)])
    expect(await lastUsed(keyId)).toEqual(late)
  })

  it('takes a moment that is yet to come for the present one, which nothing could move back', async () => {
    const { id: keyId } = await app.addKey(orgId)
    await recordKeyUses(delivery, [{ orgId, keyId, usedAt: new Date('2999-01-01T00:00:00Z') }])
    const recorded = await lastUsed(keyId)
    expect(recorded?.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
  })

  it('makes no use of a key of another organization', async () => {
    const { id: keyId } = await app.addKey(orgId)
    const otherId = await app.addOrganization('Other')
    await recordKeyUses(delivery, [{ orgId: otherId, keyId, usedAt: early }])
    expect(await lastUsed(keyId)).toBeUndefined()
  })
})

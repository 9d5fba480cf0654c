import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../telemetry/log.ts'
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
    let transactions = 0
    let now = new Date('2026-11-21T06:00:00Z')
    const recorder = createUseRecorder({
      store: {
        maintenance: (work) => {
          transactions += 1
          return app.test.store.maintenance(work)
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
    expect(transactions).toBe(1)
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
    let away = true
    const recorder = createUseRecorder({
      store: {
        maintenance: (work) =>
          away ? Promise.reject(new Error('away')) : app.test.store.maintenance(work),
      },
      now: app.clock.now,
      log: silentLog,
    })
    recorder.recordKeyUse({ orgId, keyId })
    recorder.recordKeyUse({ orgId, keyId: 'key_gone' })
    await expect(recorder.flush()).rejects.toThrow('away')
    expect(await lastUsed(keyId)).toBeUndefined()
    away = false
    await recorder.close()
    expect(await lastUsed(keyId)).toBeInstanceOf(Date)
  })
})

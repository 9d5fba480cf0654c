import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import type { Tx } from '../../store/store.ts'
import { claimDeviceRow, decideDeviceRow, insertDeviceRow, refuseWaitingDevices } from './rows.ts'

const now = new Date('2026-01-01T00:00:00Z')
const userCodeHash = Buffer.from([2])
let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(
    `insert into users (id, email, name) values ('usr_1', 'ada@example.com', 'Ada'), ('usr_2', 'bob@example.com', 'Bob')`,
  )
})
beforeEach(async () => {
  await test.asOwner('delete from device_authorizations')
  await ask((tx) =>
    insertDeviceRow(tx, {
      deviceCodeHash: Buffer.from([1]),
      userCodeHash,
      deviceName: 'laptop',
      ip: '192.0.2.1',
      createdAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
      intervalSeconds: 5,
    }),
  )
})
afterAll(() => test.close())

/** Runs as the role that sees every row: what is not found is not found by the statement itself. */
const ask = <T>(work: (tx: Tx) => Promise<T>) => test.store.maintenance(work)
const claim = (userId: string) => ask((tx) => claimDeviceRow(tx, { userCodeHash, userId, now }))
const decide = (userId: string, decision: 'approved' | 'denied') =>
  ask((tx) => decideDeviceRow(tx, { userCodeHash, userId, decision, manages: false, now }))

describe('a device, without row level security', () => {
  it('belongs to its first viewer: nobody else opens or answers it', async () => {
    expect(await claim('usr_1')).toMatchObject({ userId: 'usr_1' })
    expect(await claim('usr_2')).toBeUndefined()
    expect(await decide('usr_2', 'approved')).toBeUndefined()
    expect(await claim('usr_1')).toMatchObject({ userId: 'usr_1', decision: null })
    expect(await decide('usr_1', 'approved')).toMatchObject({ decision: 'approved' })
  })

  it('is answered by nobody who has not opened it', async () => {
    expect(await decide('usr_1', 'approved')).toBeUndefined()
  })

  it('stays let in when another person ends what waits of theirs', async () => {
    await claim('usr_1')
    await decide('usr_1', 'approved')
    await ask((tx) => refuseWaitingDevices(tx, 'usr_2'))
    const decision = 'select decision from device_authorizations'
    expect(await test.asOwner(decision)).toEqual([{ decision: 'approved' }])
    await ask((tx) => refuseWaitingDevices(tx, 'usr_1'))
    expect(await test.asOwner(decision)).toEqual([{ decision: 'denied' }])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DeliveryLog, LoggedDelivery } from '../providers/delivery-log.ts'
import { pullDeliveries } from './pull-deliveries.ts'
import {
  openInboxApp,
  signWebhook,
  webhookProvider,
  type InboxApp,
} from './testing/open-inbox-app.ts'

let inbox: InboxApp
beforeAll(async () => {
  inbox = await openInboxApp()
})
beforeEach(async () => {
  await inbox.clear()
  await inbox.test.asOwner('delete from webhook_watermarks')
})
afterAll(() => inbox.close())

const body = Buffer.from('{"installation":{"id":9007199254740993},"repository":{"id":9}}')
const minute = (at: number) => new Date(Date.UTC(2026, 10, 22, 12, at))
const line = (name: string, at: number): LoggedDelivery => ({
  logId: `log-${name}-${at}`,
  deliveryId: name,
  deliveredAt: minute(at),
})

/** A log in pages of two lines, which notes what is asked of it. */
function createLog(lines: readonly LoggedDelivery[]) {
  const fetched: string[] = []
  const pages: (string | undefined)[] = []
  const log: DeliveryLog = {
    listDeliveries(cursor) {
      pages.push(cursor)
      const from = Number(cursor ?? 0)
      const nextCursor = from + 2 < lines.length ? String(from + 2) : undefined
      return Promise.resolve({ deliveries: lines.slice(from, from + 2), nextCursor })
    },
    getDelivery(logId) {
      fetched.push(logId)
      if (logId.startsWith('log-gone')) return Promise.resolve(undefined)
      const found = lines.find((each) => each.logId === logId)
      const headers = signWebhook(body, { deliveryId: found?.deliveryId ?? '' })
      const capitals = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
      return Promise.resolve({ headers: Object.fromEntries(capitals), body })
    },
  }
  return { log, fetched, pages }
}

function pull(log: DeliveryLog, signal = new AbortController().signal) {
  const { store, deliveries, now } = inbox.deps
  return pullDeliveries(
    { provider: webhookProvider('github'), log, store, deliveries, now },
    signal,
  )
}

describe('pullDeliveries', () => {
  it('imports what is missing, and fetches nothing that is there', async () => {
    await inbox.send(body, { deliveryId: 'b' })
    const { log, fetched } = createLog([line('c', 3), line('b', 2), line('a', 1)])
    expect(await pull(log)).toEqual({ missed: 2, isComplete: true })
    expect(fetched).toEqual(['log-c-3', 'log-a-1'])
    const rows = await inbox.listRows()
    expect(rows.map(({ delivery_id, origin }) => [delivery_id, origin])).toEqual([
      ['b', 'push'],
      ['c', 'pull'],
      ['a', 'pull'],
    ])
    expect(rows[1]).toMatchObject({ account_id: '9007199254740993' })
    expect(await inbox.listJobs()).toHaveLength(3)
  })

  it('reads the log next time only as far as it was read before', async () => {
    await pull(createLog([line('a', 30)]).log)
    const later = createLog([
      line('c', 50),
      line('b', 40),
      line('a', 30),
      line('x', 5),
      line('y', 4),
    ])
    expect(await pull(later.log)).toEqual({ missed: 2, isComplete: true })
    expect(later.pages).toEqual([undefined, '2'])
  })

  it('imports a delivery that failed several times once, and none that is forgotten', async () => {
    const { log } = createLog([line('a', 4), line('a', 3), line('gone', 2)])
    expect(await pull(log)).toEqual({ missed: 1, isComplete: true })
  })

  it('goes on after an interruption: what was imported stays, and nothing behind it is passed over', async () => {
    const lines = [line('d', 4), line('c', 3), line('b', 2), line('a', 1)]
    const { log } = createLog(lines)
    const listDeliveries: DeliveryLog['listDeliveries'] = (cursor, signal) =>
      cursor === '2' ? Promise.reject(new Error('away')) : log.listDeliveries(cursor, signal)
    await expect(pull({ ...log, listDeliveries })).rejects.toThrow('away')
    expect(await inbox.listRows()).toHaveLength(2)
    expect(await pull(log)).toEqual({ missed: 2, isComplete: true })
  })
})

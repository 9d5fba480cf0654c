import { answerJson, type Exchange } from './answer.ts'
import type { DeliveryStatus } from '../delivery.ts'

/** Describes the listener whose health is asked for. */
export interface ListenerHealth {
  readonly status: DeliveryStatus
  readonly now: Date
  /** Says that the process stops: it answers, and is to get no more requests. */
  readonly isDraining: boolean
}

/** Answers `/healthz` and `/readyz`. Returns `false` for any other request. */
export function answerHealth(
  exchange: Exchange,
  { status, now, isDraining }: ListenerHealth,
): boolean {
  const { url, method } = exchange.request
  const path = url?.split('?', 1)[0]
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path === '/healthz') {
    answerJson(exchange, '{"ok":true}', { 'Cache-Control': 'no-store' })
    return true
  }
  if (path !== '/readyz') return false
  const described = describeReadiness(status, now)
  const readiness = { ...described, ready: described.ready && !isDraining }
  answerJson(
    exchange,
    JSON.stringify(readiness),
    { 'Cache-Control': 'no-store' },
    readiness.ready ? 200 : 503,
  )
  return true
}

/**
 * Describes the readiness. A delivery is ready once it has loaded something, from the disk or the database. Without its
 * database it stays ready and reports how old its data is, also after a restart.
 */
function describeReadiness(status: DeliveryStatus, now: Date) {
  const { source, loadedFrom, asOf, snapshots, streams, readAt, failure, isOnDisk } = status
  const ageSeconds =
    asOf === undefined ? null : Math.max(0, Math.round((now.getTime() - asOf.getTime()) / 1000))
  return {
    ready: loadedFrom !== 'nothing',
    snapshots: { loadedFrom, count: snapshots, ageSeconds },
    [source]: { ok: readAt !== undefined && failure === undefined, detail: failure ?? null },
    disk: { ok: isOnDisk },
    streams,
  }
}

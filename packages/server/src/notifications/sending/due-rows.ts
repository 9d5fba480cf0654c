import { isPaused } from '../../jobs/stored-pause.ts'
import type { Tx } from '../../store/store.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { lockNotificationRow, saveNotificationRows, type NotificationRow } from '../rows.ts'
import { isBehind } from './notification-protocol.ts'

/** Names the queue of jobs that send messages. */
export const sendQueue = 'notifications.send'

/** Limits a lease, to longer than a call may take. It ends before with its node. */
export const leaseMs = 120_000
/** Looks so often at the lease of another worker, which ends with its node. */
const leaseCheckMs = 1_500

/** Adds the job that sends a message, at the moment when it may be sent or the present lease is looked at. */
export async function enqueueSend(
  { jobs, now }: Pick<NotificationDeps, 'jobs' | 'now'>,
  tx: Tx,
  orgId: string,
  { id, holdUntil, leaseUntil }: Pick<NotificationRow, 'id' | 'holdUntil' | 'leaseUntil'>,
): Promise<void> {
  const nowMs = now().getTime()
  const checkAt = Math.min(leaseUntil?.getTime() ?? 0, nowMs + leaseCheckMs)
  const moment = Math.max(holdUntil?.getTime() ?? 0, checkAt)
  const startAfter = moment > nowMs ? { startAfter: new Date(moment) } : {}
  await jobs.enqueue(tx, sendQueue, { orgId, id }, { key: id, ...startAfter })
}

/** Locks a message that can be sent now; `undefined` where there is nothing to send, or only later, which is arranged. */
export async function lockDueRow(
  deps: Pick<NotificationDeps, 'jobs' | 'now'>,
  tx: Tx,
  orgId: string,
  id: string,
): Promise<NotificationRow | undefined> {
  const row = await lockNotificationRow(tx, orgId, id)
  if (row === undefined || !isBehind(row)) return undefined
  const now = deps.now()
  // A lease that ends later than one of now is of a clock that was ahead.
  const leasedMs = (row.leaseUntil ?? now).getTime() - now.getTime()
  if (!isPaused(row.holdUntil, now) && (leasedMs <= 0 || leasedMs > leaseMs)) return row
  await enqueueSend(deps, tx, orgId, row)
  return undefined
}

/** Writes rows that this transaction has locked, and adds the jobs of those that are to be sent. */
export async function saveToSend(
  deps: Pick<NotificationDeps, 'jobs' | 'now'>,
  tx: Tx,
  orgId: string,
  rows: readonly NotificationRow[],
): Promise<void> {
  await saveNotificationRows(tx, orgId, rows, deps.now())
  for (const row of rows.filter(isBehind)) await enqueueSend(deps, tx, orgId, row)
}

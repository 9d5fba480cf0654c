import type { Tx } from '../../store/store.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import type { NotificationRow } from '../rows.ts'

/** Names the queue of jobs that send messages. */
export const sendQueue = 'notifications.send'

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

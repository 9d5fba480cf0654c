import type { Tx } from '../../store/store.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import type { NotificationRow } from '../rows.ts'

/** Names the queue of jobs that send messages. */
export const sendQueue = 'notifications.send'

/** Adds the job that sends a message, at the moment when it may be sent. */
export async function enqueueSend(
  { jobs, now }: Pick<NotificationDeps, 'jobs' | 'now'>,
  tx: Tx,
  orgId: string,
  { id, holdUntil, leaseUntil }: Pick<NotificationRow, 'id' | 'holdUntil' | 'leaseUntil'>,
): Promise<void> {
  const moment = Math.max(holdUntil?.getTime() ?? 0, leaseUntil?.getTime() ?? 0)
  const startAfter = moment > now().getTime() ? { startAfter: new Date(moment) } : {}
  await jobs.enqueue(tx, sendQueue, { orgId, id }, { key: id, ...startAfter })
}

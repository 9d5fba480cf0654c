import { jobSubject } from '../jobs/job-subject.ts'
import { lowPriority, type Job, type Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { sendQueue } from './sending/due-rows.ts'
import { refreshNotifications } from './sending/refresh-notification.ts'
import { releaseNotifications, sweepNotifications } from './sending/release-notifications.ts'
import { sendNotification } from './sending/send-notification.ts'
import { readEventSubject } from './subject.ts'

/** Lists the queues of notifications. The rows hold what is to be done: a job that is lost or repeated changes only the time. */
export const notificationQueues: readonly QueueDefinition[] = [
  { name: 'notifications.refresh', order: 'latest', retryDelaySeconds: 5 },
  { name: sendQueue, retries: 3, expireInSeconds: 120 },
  // After a person mended something: a connection, the choice of a channel.
  { name: 'notifications.release', order: 'latest', retryDelaySeconds: 5 },
  { name: 'notifications.sweep', retries: 0 },
]

const parse = (job: Job) => jobSubject.parse(job.data)

/** Starts the workers that do the jobs of notifications. */
export async function workNotifications(jobs: Jobs, deps: NotificationDeps): Promise<void> {
  const refresh = async (job: Job) => {
    const { orgId, id } = parse(job)
    const subject = readEventSubject(id)
    if (subject !== undefined) await refreshNotifications(deps, { orgId, subject })
  }
  await jobs.work('notifications.refresh', refresh, { concurrency: 2 })
  await jobs.work(sendQueue, (job) => sendNotification(deps, parse(job)), { concurrency: 4 })
  const release = async (job: Job) => {
    const { orgId } = parse(job)
    await deps.store.transaction({ orgId }, async (tx) => {
      const connection = await deps.chat.findConnection(tx, orgId)
      if (connection?.state !== 'connected' && connection?.state !== 'degraded') return
      await releaseNotifications(deps, tx, orgId, { routeId: null })
      await releaseNotifications(deps, tx, orgId, {
        routeId: '',
        channelId: connection.defaultChannelId,
      })
    })
  }
  await jobs.work('notifications.release', release, lowPriority)
  await jobs.work('notifications.sweep', () => sweepNotifications(deps), lowPriority)
}

import { z } from 'zod'
import { seldom, type Job, type Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { refreshNotifications, sendQueue } from './refresh-notification.ts'
import { releaseNotifications, sweepNotifications } from './release-notifications.ts'
import { sendNotification } from './send-notification.ts'

/** The rows know what is to be done: a job that is lost or comes twice changes nothing but when. */
export const notificationQueues: readonly QueueDefinition[] = [
  { name: 'notifications.refresh', order: 'latest', retryDelaySeconds: 5 },
  { name: sendQueue, retries: 3, expireInSeconds: 120 },
  // After a person mended something: a connection, the choice of a channel.
  { name: 'notifications.release', order: 'latest', retryDelaySeconds: 5 },
  { name: 'notifications.sweep', retries: 0 },
]

const happening = z.object({ orgId: z.string(), id: z.string() })
const parse = (job: Job) => happening.parse(job.data)

/** Does the jobs of notifications. */
export async function workNotifications(jobs: Jobs, deps: NotificationDeps): Promise<void> {
  await jobs.work('notifications.refresh', (job) => refreshNotifications(deps, parse(job)), {
    concurrency: 2,
  })
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
  await jobs.work('notifications.release', release, seldom)
  await jobs.work('notifications.sweep', () => sweepNotifications(deps), seldom)
}

import { workFailedJobs } from '../failed-jobs/jobs.ts'
import { workDeployments } from '../deployments/jobs.ts'
import { workInbox } from '../inbox/jobs.ts'
import { healQueue } from '../inbox/queue.ts'
import { createDeliveryStore } from '../inbox/store-deliveries.ts'
import { workIntegrations } from '../integrations/jobs.ts'
import { findIntegrationByAccount } from '../integrations/rows.ts'
import { queueNames, type QueueName } from '../jobs/queue-names.ts'
import { workNotifications } from '../notifications/jobs.ts'
import { schedule } from '../pipeline.ts'
import { sendsWebhooks } from '../providers/find-provider.ts'
import { providers } from '../providers/registry.ts'
import { workRetention } from '../retention/jobs.ts'
import { workTestRuns } from '../test-runs/jobs.ts'
import { createChatHandler, createCodehostHandler } from '../webhook-handlers.ts'
import type { Features } from './open-features.ts'
import type { Resources } from './resources.ts'

/** Does the jobs of this node, when it is a worker. */
export async function startWork(resources: Resources, features: Features): Promise<void> {
  const { store, settings, closing, log, metrics, now } = resources
  if (!settings.roles.has('worker')) return
  const { jobs } = features
  await workFailedJobs(jobs, { store, log, metrics, now })
  await workRetention(jobs, { store, now })
  await workIntegrations(jobs, { ...features.integrations, grants: features.grants, store })
  await workWebhooks(resources, features)
  await workDeployments(jobs, features.deployments)
  await workTestRuns(jobs, features.testRuns)
  await workNotifications(jobs, features.notifications)
  const times: Partial<Record<QueueName, string>> = schedule
  for (const queue of queueNames) {
    const cron = times[queue]
    if (cron !== undefined) await jobs.schedule(queue, cron)
  }
  closing.push(store.onAnnounce('jobs', () => jobs.wake()))
  // What was sent while nobody listened need not wait for the next full minute.
  await store.maintenance((tx) => jobs.enqueue(tx, healQueue.name, {}))
}

async function workWebhooks({ store, log, now }: Resources, features: Features): Promise<void> {
  const { jobs, integrations, deployments, testRuns, notifications } = features
  const codehost = createCodehostHandler({
    deployments,
    testRuns,
    access: integrations,
  })
  await workInbox(jobs, {
    process: {
      store,
      async findIntegration(provider, accountId) {
        const integration = await store.maintenance((tx) =>
          findIntegrationByAccount(tx, provider, accountId),
        )
        return integration && { orgId: integration.orgId, integrationId: integration.id }
      },
      codehost,
      chat: createChatHandler(notifications),
      log,
      now,
    },
    requeue: { store, jobs, now },
    openPulls: () =>
      providers.filter(sendsWebhooks).flatMap((provider) => {
        const context = features.providers.contextOf(provider.name)
        const publicUrl = integrations.publicUrl()
        const pulled = provider.webhooks.openLog?.(context, { publicUrl })
        const deliveries = createDeliveryStore({ store, jobs })
        return pulled === undefined ? [] : [{ provider, log: pulled, store, deliveries, now }]
      }),
  })
}

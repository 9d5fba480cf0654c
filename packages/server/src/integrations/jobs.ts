import { integrationKinds } from '@signalbox/contract/rest'
import { z } from 'zod'
import { jobSubject } from '../jobs/job-subject.ts'
import { lowPriority, type Job, type Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import type { IntegrationDeps } from './integration-deps.ts'
import {
  enqueueEndingGrants,
  keepGrant,
  keepGrantQueue,
  type KeepGrantsDeps,
} from './grants/keep-grants.ts'
import { revokeIntegration } from './connect/revoke-integration.ts'

export const integrationQueues: readonly QueueDefinition[] = [
  // After nine tries in an hour and a half every two hours, until the revocation gives up by itself after 72 hours.
  {
    name: 'integrations.revoke',
    order: 'latest',
    retries: 46,
    retryDelayMaxSeconds: 2 * 3600,
    expireInSeconds: 60,
  },
  { name: 'integrations.keepGrants', expireInSeconds: 60 },
  { name: keepGrantQueue, order: 'latest', expireInSeconds: 60 },
]

const held = z.object({
  orgId: z.string(),
  kind: z.enum(integrationKinds),
  generation: z.number().optional(),
})

/** Starts the workers of integrations. */
export async function workIntegrations(
  jobs: Pick<Jobs, 'work' | 'enqueue'>,
  deps: IntegrationDeps & Omit<KeepGrantsDeps, 'jobs'>,
): Promise<void> {
  const revoke = async ({ data }: Job) => {
    const { orgId, id: integrationId } = jobSubject.parse(data)
    await revokeIntegration(deps, { orgId, integrationId })
  }
  await jobs.work('integrations.revoke', revoke, lowPriority)
  await jobs.work(
    'integrations.keepGrants',
    () => enqueueEndingGrants({ ...deps, jobs }),
    lowPriority,
  )
  await jobs.work(keepGrantQueue, ({ data }) => keepGrant(deps, held.parse(data)), lowPriority)
}

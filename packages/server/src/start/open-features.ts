import type { DeploymentDeps } from '../deployments/deployment-deps.ts'
import { createEgress } from '../egress/create-egress.ts'
import { inboxQueue, healQueue } from '../inbox/queue.ts'
import { createConnectors } from '../integrations/connectors.ts'
import { createIntegrationHealth, type IntegrationHealth } from '../integrations/health.ts'
import type { IntegrationDeps } from '../integrations/integration-deps.ts'
import { integrationQueues } from '../integrations/jobs.ts'
import type { ProviderGate } from '../integrations/provider-apps.ts'
import { createJobs } from '../jobs/create-jobs.ts'
import { createEmit, type Emit } from '../jobs/emit.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import { notificationQueues } from '../notifications/jobs.ts'
import { reactions } from '../pipeline.ts'
import { retentionQueues } from '../retention/jobs.ts'
import { testRunQueues } from '../test-runs/jobs.ts'
import { deriveFirst } from './derive-first.ts'
import type { Opened } from './start-with-database.ts'

const queues: readonly QueueDefinition[] = [
  ...retentionQueues,
  ...integrationQueues,
  inboxQueue,
  healQueue,
  ...testRunQueues,
  ...notificationQueues,
]

/** How long running jobs may take to finish once the process is asked to stop. */
const drainMs = 1_000

/** What the addresses and the work of a node have in common, but for what only reads. */
export interface Features {
  readonly jobs: Jobs
  readonly gate: ProviderGate
  readonly health: IntegrationHealth
  readonly integrations: IntegrationDeps
  readonly deployments: DeploymentDeps
}

/** Opens what the features work with: the queue, the way out, and what leads from one to the other. */
export async function openFeatures(opened: Opened): Promise<Features> {
  const { store, keys, rootKeys, settings, address, closing, log, now, stop } = opened
  const jobs = await createJobs({
    target: store.target,
    queues,
    log,
    worker: settings.roles.has('worker'),
    signal: stop,
  })
  closing.push(() => jobs.close(drainMs))
  const egress = createEgress({ allow: settings.egressAllow })
  closing.push(() => egress.close())
  const { addresses } = settings.providers
  const gate: ProviderGate = { addresses, apps: () => settings.providers, egress, now }
  const emit: Emit<keyof typeof reactions> = createEmit(jobs, reactions)
  const health = createIntegrationHealth({
    store,
    now,
    onError: (error) => log.warn('The health of an integration could not be noted', { error }),
  })
  return {
    jobs,
    gate,
    health,
    integrations: {
      store,
      keys,
      connectorOf: createConnectors(gate),
      stateKey: deriveFirst(rootKeys, 'state'),
      publicUrl: () => address.url,
      emit,
      now,
    },
    deployments: { store, emit, now },
  }
}

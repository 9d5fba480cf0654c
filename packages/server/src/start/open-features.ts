import { toHref } from '@signalbox/contract'
import type { DeploymentWorkDeps } from '../deployments/jobs.ts'
import type { AccessGrants } from '../integrations/grants/access-grants.ts'
import { createConnectors } from '../integrations/connect/connectors.ts'
import type { IntegrationDeps } from '../integrations/integration-deps.ts'
import { createEmit, type Emit } from '../jobs/emit.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { NotificationDeps } from '../notifications/notification-deps.ts'
import { reactions } from '../pipeline.ts'
import { createCodehostRunner } from '../test-runs/runs/codehost-runner.ts'
import type { DispatchDeps } from '../test-runs/test-run-deps.ts'
import { deriveFirst } from './derive-first.ts'
import { openAccess } from './open-access.ts'
import { openProviders, type OpenedProviders } from './open-providers.ts'
import { openQueue } from './open-queue.ts'
import type { Resources } from './resources.ts'

/** What the features work with, whether somebody asks or a job is due. */
export interface Features {
  readonly jobs: Jobs
  readonly providers: OpenedProviders
  readonly emit: Emit<keyof typeof reactions>
  readonly integrations: IntegrationDeps
  readonly grants: AccessGrants
  readonly deployments: DeploymentWorkDeps
  readonly testRuns: DispatchDeps
  readonly notifications: NotificationDeps
}

/** Opens the queue, the way out, and what leads from one feature to the other. */
export async function openFeatures(resources: Resources): Promise<Features> {
  const { store, keys, rootKeys, address, now } = resources
  const jobs = await openQueue(resources)
  const providers = await openProviders(resources)
  const emit: Features['emit'] = createEmit(jobs, reactions)
  const integrations: IntegrationDeps = {
    store,
    keys,
    connectorOf: createConnectors(providers.contextOf),
    stateKey: deriveFirst(rootKeys, 'state'),
    publicUrl: () => address.url,
    emit,
    now,
  }
  const access = await openAccess(resources, providers.contextOf, integrations)
  const { grants, openCodehost, openTracker, chat } = access
  const common = { store, jobs, emit, now }
  return {
    jobs,
    providers,
    emit,
    integrations,
    grants,
    deployments: { ...common, openCodehost, openTracker },
    testRuns: { ...common, runner: createCodehostRunner(openCodehost) },
    notifications: { ...common, chat, pageUrl: toPageUrl(resources) },
  }
}

/** The same on every node, so that none takes back the link that another one wrote: what only one node knows is left out. */
function toPageUrl({ settings, address }: Resources): NotificationDeps['pageUrl'] {
  return (orgId, page) => {
    const isAlone = settings.databaseUrl === undefined
    const url = settings.publicUrl ?? (isAlone ? address.url : '')
    return url === '' ? null : `${url}/${orgId}${toHref(page)}`
  }
}

import type { IntegrationDeps, IntegrationEvent } from '../../integrations/integration-deps.ts'
import type { OpenTracker } from '../../integrations/grants/open-provider.ts'
import type { Emit, EventSubject } from '../../jobs/emit.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { DeploymentEvent } from '../deployment-deps.ts'
import type { StartSyncDeps } from '../sync/start-sync.ts'

/** Describes what the use cases of the tracker work with. */
export interface TrackerDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly connectorOf: IntegrationDeps['connectorOf']
  readonly openTracker: OpenTracker
  readonly emit: Emit<DeploymentEvent | IntegrationEvent>
  /** Adds the job that reads the issue keys of an organization's recent deployments again. `id` is its tracker's. */
  readonly requestReread: (tx: Tx, of: EventSubject) => Promise<void>
  readonly jobs: StartSyncDeps['jobs']
  readonly now: () => Date
}

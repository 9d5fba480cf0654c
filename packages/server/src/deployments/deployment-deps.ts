import type { Emit } from '../jobs/emit.ts'
import type { Store } from '../store/store.ts'

/** Names the events that deployments emit for the rest of the service. */
export type DeploymentEvent = 'deployment.changed' | 'deployment.succeeded' | 'issues.changed'

/** Describes what the use cases of deployments work with. */
export interface DeploymentDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly emit: Emit<DeploymentEvent>
  readonly now: () => Date
}

import type { Emit } from '../jobs/emit.ts'
import type { Store, Tx } from '../store/store.ts'

/** Names the events that deployments emit for the rest of the service. */
export type DeploymentEvent = 'deployment.changed' | 'deployment.succeeded' | 'issues.changed'

/** Describes what the use cases of deployments work with. */
export interface DeploymentDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly emit: Emit<DeploymentEvent>
  readonly now: () => Date
}

/** Names a deployment and the repository that it is in now. */
export interface MovedDeployment {
  readonly id: string
  readonly repositoryId: string
}

/** Describes what finds out that two repositories are one: the test runs of a deployment follow it into the other. */
export interface HostDeploymentDeps extends DeploymentDeps {
  /** Says for how long deployments are kept, in milliseconds: an older one is not stored anew. Undefined: for good. */
  readonly deploymentsKeptMs?: number | undefined
  readonly moveTestRuns: (tx: Tx, orgId: string, moved: readonly MovedDeployment[]) => Promise<void>
}

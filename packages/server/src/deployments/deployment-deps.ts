import type { Emit } from '../jobs/emit.ts'
import type { Store } from '../store/store.ts'

/** What the use cases of deployments work with. */
export interface DeploymentDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly emit: Emit<'deployment.changed' | 'deployment.succeeded' | 'issues.changed'>
  readonly now: () => Date
}

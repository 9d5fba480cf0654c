import type { Jobs } from '../../jobs/jobs.ts'
import type { Store } from '../../store/store.ts'
import type { ConfigDeps } from '../config-deps.ts'

/** Holds the dependencies of the use cases of requests. */
export interface RequestDeps extends ConfigDeps {
  readonly store: ConfigDeps['store'] & Pick<Store, 'maintenance'>
  readonly jobs: Pick<Jobs, 'enqueue'>
}

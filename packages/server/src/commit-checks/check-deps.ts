import type { OpenCodehost } from '../integrations/grants/open-provider.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/store.ts'
import type { OrganizationKeys } from '../vault/organization-keys.ts'

/** Describes what checks of commits work with. */
export interface CheckDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly jobs: Pick<Jobs, 'enqueueAll'>
  readonly openCodehost: OpenCodehost
  readonly publicUrl: () => string
  readonly now: () => Date
}

/** Names the queue that writes the status of a check at the code host. The job's id is the check's. */
export const reportQueue = 'commitChecks.report'

import type { OpenTarget } from '../grants/open-target.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { ContextOf } from '../../providers/context.ts'
import type { Store } from '../../store/store.ts'
import type { OrganizationKeys } from '../../vault/organization-keys.ts'

/** Lists what the use cases of targets need. */
export interface TargetDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly jobs: Pick<Jobs, 'enqueue' | 'nodeId'>
  readonly openTarget: OpenTarget
  readonly contextOf: ContextOf
  readonly now: () => Date
}

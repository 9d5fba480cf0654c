import type { Emit } from '../jobs/emit.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { CodehostApi } from '../providers/codehost.ts'
import type { Store } from '../store/store.ts'
import type { OrganizationKeys } from '../vault/organization-keys.ts'

/** Holds what the use cases of gates work with. */
export interface GateDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  /** Called with each deployment whose decision changes. */
  readonly emit: Emit<'gate.changed'>
  readonly openCodehost: (orgId: string) => Promise<Pick<CodehostApi, 'waits'>>
  /** Returns the address of the page of a decision; `null` where this server does not know its own. */
  readonly decisionUrl: (orgId: string, id: string) => string | null
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly now: () => Date
}

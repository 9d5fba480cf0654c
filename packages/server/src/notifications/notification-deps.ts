import type { PageRef } from '@signalbox/contract'
import type { ChatAccess } from '../integrations/grants/chat-access.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/store.ts'

export interface NotificationDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs, 'enqueue' | 'nodeId'>
  readonly chat: ChatAccess
  /**
   * Returns the address of a page of an organization; `null` while the address of this server is not set.
   */
  readonly pageUrl: (orgId: string, page: PageRef) => string | null
  readonly now: () => Date
  /** Overrides how long a first message waits, in milliseconds. */
  readonly initialHoldMs?: number | undefined
}

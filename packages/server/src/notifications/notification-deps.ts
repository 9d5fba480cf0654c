import type { ChatAccess } from '../integrations/chat-access.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/store.ts'

export interface NotificationDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly chat: ChatAccess
  /** The address of a page of ours, where there is one. Example of a path: `/deployments/dep_…`. */
  readonly pageUrl: (path: string) => string | null
  readonly now: () => Date
}

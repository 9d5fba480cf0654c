import type { ChatChannel, ChatSender } from '../providers/chat.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store, Tx } from '../store/store.ts'

/** The connected workspace of an organization. */
export interface ChatConnection {
  readonly integrationId: string
  /** As integrations have it, such as `connected` or `reauth_required`. */
  readonly state: string
  readonly defaultChannelId: string | null
}

/** The way to an organization's workspace. Whoever holds its credentials gives it. */
export interface ChatAccess {
  /** `undefined`: nothing is connected. */
  findConnection(tx: Tx, orgId: string): Promise<ChatConnection | undefined>
  /** Calls out where credentials have to be renewed: never inside of a transaction. @throws {ProviderError} */
  openSender(orgId: string): Promise<ChatSender>
  /** One request to the provider, never inside of a transaction. @throws {ProviderError} */
  findChannel(orgId: string, channelId: string): Promise<ChatChannel | undefined>
  /** The provider refused our credentials: the integration needs a person. */
  reportRefused(
    orgId: string,
    of: { readonly integrationId: string; readonly code: string },
  ): Promise<void>
}

export interface NotificationDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance' | 'announce'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly chat: ChatAccess
  /** A UUID that this installation has for good: keys of its messages are names in it. */
  readonly instanceId: string
  /** The address of a page of ours, where there is one. Example of a path: `/deployments/dep_…`. */
  readonly pageUrl: (path: string) => string | null
  readonly now: () => Date
}

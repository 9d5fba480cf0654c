import type { ProviderCall } from './call-provider.ts'
import type { ProviderAccount } from './connector.ts'
import type { WithAccessToken } from './grant.ts'

/** Holds what an organization has connected, ready to be called. */
export interface Connection {
  readonly account: ProviderAccount
  readonly scopes: readonly string[]
  /** The address that an event of the account has named last, where it is called. Left out: none has. */
  readonly learnedUrl?: string | undefined
  /** Records the outcome of each call as the health of the integration. */
  readonly call: ProviderCall
  /** Reads the token for each call: one that expires in the middle of many calls is replaced between two of them. */
  readonly withAccessToken: WithAccessToken
  /**
   * Checks that the account is still the connected one. For providers whose tokens outlive the connection in memory.
   *
   * @throws {Problem} `integration_not_connected`, `reauth_required`
   */
  readonly requireConnected: () => Promise<void>
  /** Reads the state of the access at the provider, stores it, and returns what is wrong with it. @throws {ProviderError} */
  readonly refreshAccess: () => Promise<'ended' | 'suspended' | undefined>
}

import type { ProviderCall } from './call-provider.ts'
import type { ProviderAccount } from './connector.ts'
import type { WithAccessToken } from './grant.ts'

/** Holds what an organization has connected, ready to be called. */
export interface Connection {
  readonly account: ProviderAccount
  readonly scopes: readonly string[]
  /** Notes how each call goes as the health of the integration. */
  readonly call: ProviderCall
  /** Asks for the token anew each time: one that ends midway through many calls is replaced between two of them. */
  readonly withAccessToken: WithAccessToken
  /**
   * Checks that the account is still the connected one. For providers whose tokens outlive the connection in memory.
   *
   * @throws {Problem} `integration_not_connected`, `reauth_required`
   */
  readonly requireConnected: () => Promise<void>
  /** Asks the provider how the access stands, notes it, and returns what is wrong with it. @throws {ProviderError} */
  readonly refreshAccess: () => Promise<'ended' | 'suspended' | undefined>
}

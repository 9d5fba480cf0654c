import type { IntegrationProvider } from '@signalbox/contract/rest'
import type { AuthorizationRequest, AuthorizationResponse, Grant } from '../providers/grant.ts'
import type { IntegrationAccount } from './integration.ts'

/** What a connection brought. */
export interface Connected {
  /** `undefined`: there are several, and the member has to choose one of `choices`. */
  readonly account: IntegrationAccount | undefined
  readonly choices: readonly IntegrationAccount[]
  /** What is kept, sealed; `null` where nothing has to be. */
  readonly grant: Grant | null
  readonly scopes: readonly string[]
  /** When the provider ends it for good, however it is used. */
  readonly reconnectBefore: Date | null
  readonly settings: Readonly<Record<string, unknown>>
}

/** How an attempt to connect ended where it did not succeed. Each has a page of its own. */
export type ConnectionRefusal =
  /** The number in the address belongs to an installation that this person does not reach. */
  | 'account_mismatch'
  /** Nothing that could be connected was granted. */
  | 'nothing_granted'

/** A provider as far as connecting goes. */
export interface Connector {
  readonly provider: IntegrationProvider
  /** Whether it takes a code challenge (RFC 7636). */
  readonly usesPkce: boolean
  authorizeUrl(request: AuthorizationRequest): string
  /**
   * Exchanges the code and finds out which account was granted.
   *
   * @throws {ProviderError}
   */
  connect(
    response: AuthorizationResponse & { readonly installationId: string | undefined },
  ): Promise<Connected | ConnectionRefusal>
  /** `undefined` where nothing is refreshed. @throws {ProviderError} */
  readonly refresh: ((refreshToken: string) => Promise<Grant>) | undefined
  /** Ends the access at the provider. `undefined` where it offers no way. @throws {ProviderError} */
  readonly revoke:
    | ((of: { readonly accountId: string; readonly grant: Grant | null }) => Promise<void>)
    | undefined
  /** Where a person ends the access by hand. */
  readonly manageUrl: string | null
  /** Each scope that was asked for, with what does not work without it. */
  readonly wantedScopes: Readonly<Record<string, string>>
}

import type { AuthorizationRequest, AuthorizationResponse, Grant } from './grant.ts'

/** Describes an account at a provider: an installation, a site, a workspace. */
export interface ProviderAccount {
  readonly id: string
  readonly name: string
  readonly url: string | null
}

/** Holds what a connection brought. */
export interface Connected {
  /** `undefined`: there are several, and the member has to choose one of `choices`. */
  readonly account: ProviderAccount | undefined
  readonly choices: readonly ProviderAccount[]
  /** Kept sealed; `null` where nothing has to be kept. */
  readonly grant: Grant | null
  readonly scopes: readonly string[]
  /** When the provider ends the access for good, however it is used. */
  readonly reconnectBefore: Date | null
  readonly settings: Readonly<Record<string, unknown>>
}

/** Names how an attempt to connect ended without success. Each has a page of its own. */
export type ConnectionRejection =
  /** The number in the address belongs to an account that this person does not administer. */
  | 'account_mismatch'
  /** Nothing that could be connected was granted. */
  | 'nothing_granted'
  /** The provider did not say which account was chosen: a setting of the application is missing there. */
  | 'account_unnamed'

/** Describes the state of an account's access at the provider. `reason` is shown to people. */
export type AccountStanding =
  | { readonly standing: 'active'; readonly access: AccountAccess }
  | { readonly standing: 'suspended'; readonly access: AccountAccess; readonly reason: string }
  | { readonly standing: 'gone'; readonly reason: string }

/** Holds an account as it is called now, and what of it may be reached. */
export interface AccountAccess {
  readonly name: string
  readonly url: string | null
  readonly scopes: readonly string[]
}

/** Describes what becomes of a refresh token when the answer to its use is lost, at a provider that replaces it with each use. */
export interface RefreshLoss {
  /** For so long after a lost answer the same refresh token is good again, in milliseconds. 0: it is dead at once. */
  readonly replayMs: number
  /** False: a good token may be answered `invalid_grant` for some minutes, so a person is asked only after several tries. */
  readonly invalidGrantIsFinal: boolean
}

/** Connects organizations to a provider: by consent in the browser, by a form, or by what is connected already. */
export type Connector = OAuthConnector | FormConnector | SharedConnector

/** Connects organizations by the connection that another provider has: without consent, and without a grant of its own. */
export interface SharedConnector extends ConnectorOfAnyWay {
  readonly way: 'shared'
  /** The name of the provider whose connection it uses. */
  readonly sharesWith: string
  /** Says in sentences what is shared. */
  readonly advice: string
  /** Connects on its own where the organization's other provider of that kind is another one. Left out: it cannot. */
  readonly own?: OwnConnector
}

/** Connects by consent what could share a connection as well. Its access is its own, and reads alone. */
export interface OwnConnector extends OAuthConnector {
  /** Says in sentences what the person grants, and which keys name issues. */
  readonly advice: string
}

/** Connects organizations by consent at the provider. */
export interface OAuthConnector extends ConnectorOfAnyWay {
  /** Left out: `oauth`. */
  readonly way?: 'oauth'
  /** True when it takes a code challenge (RFC 7636). */
  readonly usesPkce: boolean
  authorizeUrl(request: AuthorizationRequest): string
  /**
   * Exchanges the code and finds out which account was granted.
   *
   * @throws {ProviderError}
   */
  connect(response: AuthorizationResponse): Promise<Connected | ConnectionRejection>
}

/** Connects organizations by values that a member enters, such as the token of a bot. */
export interface FormConnector extends ConnectorOfAnyWay {
  readonly way: 'form'
  readonly form: ConnectForm
  /** Holds the address of the provider that an operator entered. Left out: the provider has one address for everyone. */
  readonly enteredUrl?: string | undefined
  /**
   * Asks the provider whether the values are good, and which account they are of. Every field that the form requires has a value.
   *
   * @throws {ProviderError} when the provider does not say.
   */
  connect(values: Readonly<Record<string, string>>): Promise<Connected | FormRejection>
}

/** Describes what a member enters to connect an organization. */
export interface ConnectForm {
  /** Says in sentences where the member gets what the fields ask for. */
  readonly advice: string
  readonly fields: readonly ConnectField[]
}

/** Describes one field of such a form. */
export interface ConnectField {
  /** Example: `token`. */
  readonly name: string
  readonly label: string
  /** `secret`: kept sealed, and never shown. */
  readonly role: 'text' | 'secret'
  readonly isRequired: boolean
  readonly hint?: string
  readonly placeholder?: string
}

/** Refuses what a member entered: which field, and what to do about it. Quotes no value. */
export interface FormRejection {
  readonly refusedField: string
  readonly detail: string
}

/** Describes what connectors of every way have. */
interface ConnectorOfAnyWay {
  readonly provider: string
  /** Names the instance, where a server may know several. Example: `git.example.com`. */
  readonly instanceAddress?: string
  /** `undefined` where nothing is refreshed. @throws {ProviderError} */
  readonly refresh: ((refreshToken: string) => Promise<Grant>) | undefined
  /** Left out: a lost answer may have ended the grant, and a rejection has. */
  readonly refreshLoss?: RefreshLoss
  /** Ends the access at the provider. `undefined` where it offers no way. @throws {ProviderError} */
  readonly revoke:
    | ((of: {
        readonly accountId: string
        readonly grant: Grant | null
        /** The webhooks that this server made, to be removed. */
        readonly hooks?: readonly string[]
      }) => Promise<void>)
    | undefined
  /** `webhooks`: `revoke` removes them, and the provider offers no way to end the access itself. Default: it ends the access. */
  readonly revokes?: 'access' | 'webhooks'
  /** Reads the state of an account's access. Left out: the granted scopes say it, and failed calls show the rest. @throws {ProviderError} */
  readonly readStanding?: (accountId: string) => Promise<AccountStanding>
  /** Returns whether an account that ended and another one are the same to people. Default: only the id does. */
  readonly isSameAccount?: (former: ProviderAccount, next: ProviderAccount) => boolean
  /** Where a person ends the access by hand. */
  readonly manageUrl: string | null
  /** Says what else ends at the provider with the access, in one sentence. Left out: nothing. */
  readonly revokeEffect?: string
  /** Says how a person ends the access by hand, in one sentence. Default: by removing the application there. */
  readonly revokeAdvice?: string
  /** Says how a person grants a scope that is missing. Default: by connecting again. */
  readonly grantAdvice?: string
  /** Each scope that was asked for, with what does not work without it. */
  readonly wantedScopes: Readonly<Record<string, string>>
}

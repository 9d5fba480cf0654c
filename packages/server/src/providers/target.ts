import type { TargetReason, TargetStore } from '@signalbox/contract/rest'
import type { Tier } from '@signalbox/contract'
import type { ProviderCall } from './call-provider.ts'
import type { Connection } from './connection.ts'
import type { ProviderContext } from './context.ts'
import type { ProviderError } from './provider-error.ts'

/** Describes one setting of a destination: a field of the form. */
export interface TargetField {
  /** In the API, and in what is stored. Example: `repository`. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly placeholder?: string
  readonly isRequired: boolean
  /** `repository`: the full name of a repository of the connected code host. */
  readonly kind: 'text' | 'repository' | 'choice'
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** Refuses what the provider can't mean. Example: `{ accepts, advice: 'Enter owner/name.' }`. */
  readonly check?: { readonly accepts: (value: string) => boolean; readonly advice: string }
}

/** Holds the settings of a destination, by the names of the descriptor's fields. */
export type TargetSettings = Readonly<Record<string, string>>

/** Describes a destination as the provider knows it. */
export interface TargetAddress {
  /** Tells destinations apart: two targets never share one. It stays when the provider renames things. Example: `host:42`. */
  readonly id: string
  /** Names it for people. Example: `acme/shop, environment production`. */
  readonly name: string
  /** Holds the page of the provider that lists the names. */
  readonly url: string | null
  /** Holds what calls need, such as ids. Stored; never a secret. */
  readonly data: Readonly<Record<string, string>>
}

/** Describes a name that is at the destination now. */
export interface RemoteName {
  readonly name: string
  readonly store: TargetStore
  /** Holds the provider's id of it, where it has one. */
  readonly id?: string
  /** Says why nobody may adopt it. Example: it belongs to other environments too. */
  readonly unadoptable?: string
}

/** Describes a value to be written. */
export interface WrittenValue {
  readonly store: TargetStore
  readonly name: string
  readonly value: string
}

/**
 * Calls one destination. Each call is made once, and is not made inside of a transaction.
 *
 * @throws {ProviderError} from each.
 */
export interface TargetApi {
  /** Lists every name that is there, and no value. */
  list(): Promise<readonly RemoteName[]>
  /**
   * Writes a value. `known`: the name is there, and a repeat changes nothing. `undefined`: it was not there when the names were
   * listed; where the provider can tell, one that has come since is refused, because it may be somebody else's.
   */
  put(written: WrittenValue, known: RemoteName | undefined): Promise<void>
  /** Deletes a name. One that is gone already is fine. */
  remove(known: RemoteName): Promise<void>
}

/** Holds what a destination is reached with: what the organization connected, or a token that a person entered. */
export type TargetAccess =
  | { readonly connection: Connection }
  | { readonly token: string; readonly call: ProviderCall }

/** Says what a failure means for a target, and what a person does about it. */
export interface TargetFailure {
  readonly reason: TargetReason
  /** Says what happened, in one sentence without a value. */
  readonly detail: string
  /** Says what to do next, in one sentence. */
  readonly nextStep: string
  readonly url: string | null
}

/** Opens destinations of a provider. */
export interface TargetCalls {
  /** Finds the destination that the settings name. @throws {ProviderError} */
  locate(settings: TargetSettings): Promise<TargetAddress>
  open(address: Pick<TargetAddress, 'data'>): TargetApi
}

/** Describes how values are written to a provider. */
export interface TargetDescriptor {
  /** Says in one or two sentences what is written there, and how. */
  readonly description: string
  readonly access: 'integration' | 'token'
  /** Explains where a person gets the token. */
  readonly tokenAdvice?: string
  readonly fields: readonly TargetField[]
  /** Lists the scopes of the integration that writing needs, with the provider's names of them. */
  readonly permissions?: readonly { readonly scope: string; readonly name: string }[]
  /** Returns the page on which a person grants those permissions. */
  readonly permissionsUrl?: (context: ProviderContext) => string | null
  /** Returns where the values of a tier are kept. */
  readonly storeOf: (tier: Tier) => TargetStore
  /** Says that a name exists once, whatever holds it. Left out: secrets and variables each have names of their own. */
  readonly isOneNamespace?: boolean
  /** Says why the provider can't hold a value; `undefined`: it can. Quotes no value. */
  readonly rejectionOf: (written: WrittenValue) => string | undefined
  /** Opens the calls, once for the process. The function that it returns gives `undefined` without an application. */
  readonly openCalls: (
    context: ProviderContext,
  ) => (access: TargetAccess) => TargetCalls | undefined
  readonly explain: (
    error: ProviderError,
    of: { readonly context: ProviderContext; readonly addressName: string },
  ) => TargetFailure
}

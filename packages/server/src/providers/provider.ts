import type { CapabilityName, IntegrationKind, ProviderIcon } from '@signalbox/contract/rest'
import type { ApplicationField, ProviderAddress } from './application-field.ts'
import type { ApplicationRegistration } from './application-registration.ts'
import type { ChatDialect } from './chat/chat-dialect.ts'
import type { ChatDirectory, ChatEvent, ChatSender } from './chat/chat.ts'
import type { CodehostApi } from './codehost.ts'
import type { CodehostEvent } from './codehosts/event.ts'
import type { Connection } from './connection.ts'
import type { Connector } from './connector.ts'
import type { ProviderApplication, ProviderContext } from './context.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { PipelineTokenIssuer } from './pipeline-tokens.ts'
import type { ReadLimit } from './rates/rate-limit.ts'
import type { TargetDescriptor } from './target.ts'
import type { TrackerEvent } from './tracker-event.ts'
import type { IssueGrammar, TrackerApi } from './tracker.ts'
import type { WebhookScheme } from './webhooks/webhook-scheme.ts'

/** Fetches the public keys with which a provider signs its webhooks. @throws {ProviderError} */
type FetchKeys = (context: ProviderContext) => Promise<readonly string[]>

/** Describes how a provider signs its webhooks, what they mean, and where it sends them. */
export interface ProviderWebhooks<Event> {
  readonly scheme: WebhookScheme
  /**
   * Says what proves them. Left out: secrets of the application of this server.
   *
   * - `connection`: secrets that each connection has of its own. Its webhooks come to `/webhooks/<provider>/<connection>`.
   * - `fetchKeys`: public keys that the provider publishes.
   */
  readonly verifiedBy?: 'connection' | { readonly fetchKeys: FetchKeys }
  /**
   * Reads the body of a webhook by the name of its event, such as `push`. `accountId`: of the connection whose address it came to,
   * which the body need not name. Never throws.
   */
  readonly parse: (event: string, body: Buffer, accountId?: string | null) => Event
  /** Returns the origin to which the provider sends webhooks. Default: the public one. */
  readonly toOrigin?: (publicUrl: string) => string
  /** Opens its own log of what it sent, from which what was missed is fetched; `undefined` as long as there is no application. */
  readonly openLog?: (
    context: ProviderContext,
    of: { readonly publicUrl: string },
  ) => DeliveryLog | undefined
}

/** Describes the application of this server at a provider. What is left out is not needed. */
export interface ApplicationDescriptor {
  readonly fields: readonly ApplicationField[]
  /** Where a person registers one. */
  readonly registerUrl: (context: Pick<ProviderContext, 'addresses'>) => string
  /** Lists the parts of the provider that it may reach, and how. */
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>>
  /** The events that it is subscribed to. */
  readonly events?: readonly string[]
  readonly scopes?: readonly string[]
  /** Says what an operator does where nothing is registered at the provider. Left out: they register an application there. */
  readonly setUpAdvice?: string
  /** Describes how the provider makes one by itself. Left out: a person registers it and enters what it shows. */
  readonly registration?: ApplicationRegistration
}

/**
 * Says of a browser that came back what its address says without a code. `granted_otherwise`: the provider keeps an older consent of
 * the person, with other scopes.
 */
export type ReturnOutcome = 'changed_elsewhere' | 'approval_requested' | 'granted_otherwise'

/** Describes what a browser comes back with besides the code. */
interface ProviderReturn {
  /** Limits the length of each parameter that the provider adds to the return address. A longer one is refused before the state is used up. */
  readonly fields?: Readonly<Record<string, number>>
  readonly read: (query: Readonly<Record<string, unknown>>) => ReturnOutcome | undefined
}

/**
 * Says what one thing takes at a provider.
 *
 * - `works`: nothing more than a connection.
 * - `needs`: the scopes that have to be granted, all of them; those of `orNeeds` do as well. `without` says in a sentence why it does not work otherwise, `nextStep`
 *   what a person does where connecting again is not it.
 * - `lacks`: says in a sentence that the provider has no such thing, whatever is granted.
 */
export type CapabilityTerms =
  | 'works'
  | {
      readonly needs: readonly string[]
      readonly orNeeds?: readonly string[]
      readonly without: string
      readonly nextStep?: string
    }
  | { readonly lacks: string; readonly nextStep?: string }

/** Maps what a provider does under terms of its own to the terms. Left out: those that follow from the rest of its descriptor. */
type ProviderCapabilities = Readonly<Partial<Record<CapabilityName, CapabilityTerms>>>

/** Describes the two levels of access that a provider has. */
interface ProviderLevels {
  /** Lists the scopes that only full access has. */
  readonly full: readonly string[]
  /** Says in sentences what does not work with read access. */
  readonly readOnlyAdvice: string
}

/** Describes access that is asked for only where a person chooses it. */
interface MoreAccess {
  readonly scopes: readonly string[]
  /** Says in sentences what it is for, and what it allows. */
  readonly advice: string
}

/** Holds what providers of all kinds have. */
interface ProviderOf<Kind extends IntegrationKind, Event, Api> {
  /** In lower case, with `-` between words. Stored, in addresses, and in the names of settings. */
  readonly name: string
  readonly kind: Kind
  /** As people write it. */
  readonly displayName: string
  /** Two letters on a tile, by which people recognize it among others of its kind. Its logo belongs to somebody else. */
  readonly icon: ProviderIcon
  readonly addresses: readonly ProviderAddress[]
  readonly application: ApplicationDescriptor
  /** Opens what connects organizations with the application of this server. */
  readonly openConnector: (context: ProviderContext, application: ProviderApplication) => Connector
  /** Left out: a browser comes back with the code, or with an error of OAuth. */
  readonly returns?: ProviderReturn
  /**
   * Opens the calls of the provider, once for the process: they share tokens, cached answers and rate budgets. The function that it
   * returns gives `undefined` where nothing can be called without an application.
   */
  readonly openCalls: (context: ProviderContext) => (connection: Connection) => Api | undefined
  /** Reads the provider's own way to say that it was too much, in every call of a connection. Default: the usual one. */
  readonly readLimit?: ReadLimit
  /** Left out: it sends none. */
  readonly webhooks?: ProviderWebhooks<Event>
  /** Left out: no values are written there. */
  readonly target?: TargetDescriptor
  /** Says what works under which terms. Left out: everything that its kind does. */
  readonly capabilities?: ProviderCapabilities
  /** Left out: there is one level of access. */
  readonly levels?: ProviderLevels
  /** Left out: everything that is of use is asked for. */
  readonly moreAccess?: MoreAccess
  /** Lists what it cannot do, in sentences that people read at the connection. */
  readonly limits?: readonly string[]
}

/** Describes a code host: everything that the service knows of it. */
export type CodehostProvider = ProviderOf<'codehost', CodehostEvent, CodehostApi> & {
  /** Left out: the host has none, so that pipelines report them. */
  readonly deployments?: {
    /**
     * Says how they become known.
     *
     * - `told`: by webhooks, and its log of webhooks tells what was missed.
     * - `polled`: it is asked every five minutes, whether it sends webhooks as well or not.
     */
    readonly known: 'told' | 'polled'
    /** Names the webhook events that report them. Example: `deployment`. */
    readonly events: readonly string[]
  }
  /** Says how a workflow becomes one that can be started on request. Example: `` add `workflow_dispatch` to its triggers ``. */
  readonly startableAdvice: string
  /** Returns the page that compares two commits of a repository, by the repository's own page. Left out: there is none. */
  readonly toCompareUrl?: (repositoryUrl: string, base: string, head: string) => string
  /** Returns who signs the tokens of its pipelines. Left out: they have none. */
  readonly pipelineTokens?: (context: Pick<ProviderContext, 'addresses'>) => PipelineTokenIssuer
}

/** Describes an issue tracker: everything that the service knows of it. */
export type TrackerProvider = ProviderOf<'tracker', TrackerEvent, TrackerApi> & {
  readonly grammar: IssueGrammar
  /** Left out: it has a connection and an application of its own. */
  readonly shared?: {
    /** The name of the provider whose connection and application it uses. */
    readonly with: string
    /** Reads the body of a webhook of that provider, by the name of its event. They come for both of them. Never throws. */
    readonly parse: (event: string, body: Buffer) => TrackerEvent
  }
}

/** Describes a chat: everything that the service knows of it. */
export type ChatProvider = ProviderOf<'chat', ChatEvent, ChatSender & ChatDirectory> & {
  readonly dialect: ChatDialect
}

/** Describes one provider. Its folder exports it, and `registry.ts` lists it. */
export type Provider = CodehostProvider | TrackerProvider | ChatProvider

/** Describes a provider that values are written to. It may be one that organizations connect. */
export type Destination = Pick<Provider, 'name' | 'displayName' | 'addresses'> & {
  readonly target: TargetDescriptor
}

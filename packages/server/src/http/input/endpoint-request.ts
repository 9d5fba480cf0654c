import type { AgentScope, Permission, Role } from '@signalbox/contract'
import type {
  BodyOf,
  EndpointShape,
  ParamsOf,
  QueryOf,
  ReadOnlyOf,
  ResponseOf,
} from '@signalbox/contract/rest'
import type { z } from 'zod'
import type { Scope } from '../../store/scope.ts'
import type { Actor, AgentActor, ApiKeyActor } from '../admission/actor.ts'
import type { BeforeLookup } from '../admission/credential-guard.ts'

/** Describes the organization of a request, whether the path has its id or its slug. */
export interface RequestOrganization {
  readonly id: string
  readonly slug: string
  readonly name: string
}

/** Lists the actors that an endpoint's declaration admits, so that a handler need not check again. */
export type ActorOf<E extends EndpointShape> = E['access'] extends { readonly kind: 'open' }
  ? undefined
  : E['access'] extends { readonly kind: 'assistant' }
    ? Exclude<Actor, ApiKeyActor>
    : AgentOf<E> | PersonOrKeyOf<E>

/** An assistant reaches the handler of an endpoint that declares it, and no other. */
type AgentOf<E extends EndpointShape> = E extends { readonly agents: AgentScope }
  ? AgentActor
  : never

type PersonOrKeyOf<E extends EndpointShape> = E['access'] extends
  | { readonly kind: 'person' | 'operator' }
  | { readonly keys: 'none' }
  ? Exclude<Actor, ApiKeyActor | AgentActor>
  : Exclude<Actor, AgentActor>

/** Returns the organization's type where the declaration has one, else `undefined`. */
export type OrganizationOf<E extends EndpointShape> = E['access'] extends {
  readonly kind: 'organization'
}
  ? RequestOrganization
  : undefined

/** Describes a request that passed every check of its endpoint's declaration. */
export interface EndpointRequest<E extends EndpointShape> {
  readonly actor: ActorOf<E>
  readonly organization: OrganizationOf<E>
  /** Holds the role that the member has everywhere; `undefined` for API keys and without an organization. */
  readonly role: Role | undefined
  /** Says what the actor may do in the organization, and where. */
  readonly permissions: readonly Permission[]
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** Holds the read-only fields of the response that the body sent back. Empty without `takesResponse`. */
  readonly readOnly: ReadOnlyOf<E>
  /** Holds the version that the writer expects, from `If-Match` or from what the body sent back. */
  readonly ifMatch: number | undefined
  readonly requestId: string
  /** Holds the argument of `store.transaction`: organization, person and the `Idempotency-Key`, if one was sent. */
  readonly scope: Scope
  readonly ip: string
  readonly userAgent: string | undefined
  readonly header: (name: string) => string | undefined
  /**
   * Reads the raw body, for endpoints that declare none. @throws {Problem} `body_too_large` beyond the endpoint's limit
   */
  readonly readBytes: () => Promise<Buffer>
  /**
   * Runs a check of credentials that the endpoint makes itself, behind the guard of all others: bad ones count, and an
   * address that sent many is refused. After it the sender of the body is known.
   *
   * @throws {Problem} what the check throws, and `rate_limited`
   */
  readonly checkSender: <T>(check: (beforeLookup: BeforeLookup) => Promise<T>) => Promise<T>
  /**
   * Returns the position that the page begins after, from `?cursor=`; `undefined` on the first page.
   *
   * @throws {Problem} `invalid_cursor`.
   */
  readonly readCursor: <T extends z.ZodType>(position: T) => z.output<T> | undefined
  /**
   * Called before secrets are shown to a person. Requires a recent password, and limits how many secrets are shown.
   *
   * @throws {Problem} `step_up_required`, `rate_limited`
   */
  readonly authorizeReveal: () => void
  /** Returns whether the same request would be admitted now. Long answers check it from time to time. */
  readonly isStillAuthorized: () => Promise<boolean>
  /** Renders a cursor for the page after `position`, valid only for this list of this organization. */
  readonly writeCursor: (position: unknown) => string
}

/** Describes an endpoint that answers JSON. */
export type JsonEndpoint = EndpointShape & { readonly response: { readonly body: z.ZodType } }

/** Describes an endpoint that answers 204. */
export type EmptyEndpoint = EndpointShape & { readonly response: { readonly body?: never } }

/** Serves an endpoint that answers 204. */
export interface EmptyHandler<E extends EndpointShape, T> {
  /** Runs one use case. With a scope that has an `Idempotency-Key`, its transaction must return the same result. */
  readonly handle: (request: EndpointRequest<E>) => Promise<T>
  /** Returns further headers of the answer. A read whose `ETag` the reader holds is answered 304. */
  readonly headers?: (result: T, request: EndpointRequest<E>) => Readonly<Record<string, string>>
  /**
   * Returns the version that `If-Match` of the next write is compared with. Sent as `ETag`, and never answered 304,
   * because the answer shows more than the version counts: names, authors, what one caller may see.
   */
  readonly versionOf?: (result: T) => number
}

/** Serves an endpoint that answers JSON. */
export interface JsonHandler<E extends EndpointShape, T> extends EmptyHandler<E, T> {
  /** Returns the body of the answer. */
  readonly present: (result: T, request: EndpointRequest<E>) => ResponseOf<E>
  /**
   * Returns the body that is stored and sent to a repeat with the same `Idempotency-Key`. Default: that of `present`,
   * which must then contain nothing that is secret or may become so.
   */
  readonly presentReplay?: (result: T, request: EndpointRequest<E>) => unknown
}

/** Holds an answer that is not our JSON: a page, metrics, or another protocol's error. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

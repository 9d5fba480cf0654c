import type { Role } from '@signalbox/contract'
import type { BodyOf, EndpointShape, ParamsOf, QueryOf, ResponseOf } from '@signalbox/contract/rest'
import type { z } from 'zod'
import type { Scope } from '../../store/scope.ts'
import type { Actor, ApiKeyActor } from '../admission/actor.ts'

/** The organization a request is about, whichever of its names the path used. */
export interface RequestOrganization {
  readonly id: string
  readonly slug: string
  readonly name: string
}

/** Who may reach an endpoint, as its declaration says: a handler need not ask again. */
export type ActorOf<E extends EndpointShape> = E['access'] extends { readonly kind: 'open' }
  ? undefined
  : E['access'] extends { readonly kind: 'person' | 'operator' } | { readonly keys: 'none' }
    ? Exclude<Actor, ApiKeyActor>
    : Actor

export type OrganizationOf<E extends EndpointShape> = E['access'] extends {
  readonly kind: 'organization'
}
  ? RequestOrganization
  : undefined

/** A request that passed every check of its endpoint's declaration. */
export interface EndpointRequest<E extends EndpointShape> {
  readonly actor: ActorOf<E>
  readonly organization: OrganizationOf<E>
  /** The member's role; `undefined` for API keys and where there is no organization. */
  readonly role: Role | undefined
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** The version the writer expects, from `If-Match`. */
  readonly ifMatch: number | undefined
  readonly requestId: string
  /** What `store.transaction` takes: organization, person and the `Idempotency-Key`, if one was sent. */
  readonly scope: Scope
  readonly ip: string
  readonly userAgent: string | undefined
  readonly header: (name: string) => string | undefined
  /** The body as it came, for endpoints that declare none. Throws `body_too_large` beyond the endpoint's limit. */
  readonly readBytes: () => Promise<Buffer>
  /**
   * What the page begins after, from `?cursor=`; `undefined` on the first page.
   *
   * @throws {Problem} `invalid_cursor`.
   */
  readonly readCursor: <T extends z.ZodType>(position: T) => z.output<T> | undefined
  /**
   * Asked before secrets are shown to a person: they typed the password lately, and do not look at too many.
   *
   * @throws {Problem} `step_up_required`, `rate_limited`
   */
  readonly admitReveal: () => void
  /** Whether the same request would be admitted now: asked in between by an answer that takes long. */
  readonly isStillAdmitted: () => Promise<boolean>
  /** A cursor for the page after `position`, good for this list of this organization only. */
  readonly writeCursor: (position: unknown) => string
}

/** An endpoint whose answer has a body. */
export type JsonEndpoint = EndpointShape & { readonly response: { readonly body: z.ZodType } }

/** An endpoint that answers 204. */
export type EmptyEndpoint = EndpointShape & { readonly response: { readonly body?: never } }

/** How an endpoint without an answer's body is served. */
export interface EmptyHandler<E extends EndpointShape, T> {
  /** One use case. With a scope that has an `Idempotency-Key`, its transaction must give the same result. */
  readonly handle: (request: EndpointRequest<E>) => Promise<T>
  /** Further headers of the answer, such as `ETag`. */
  readonly headers?: (result: T, request: EndpointRequest<E>) => Readonly<Record<string, string>>
}

/** How an endpoint that answers JSON is served. */
export interface JsonHandler<E extends EndpointShape, T> extends EmptyHandler<E, T> {
  /** What the caller is shown of the result. */
  readonly present: (result: T, request: EndpointRequest<E>) => ResponseOf<E>
  /**
   * What is stored and answered to a repeat with the same `Idempotency-Key`. Left out: what `present` gives, which then
   * holds nothing that is secret or may become so.
   */
  readonly presentReplay?: (result: T, request: EndpointRequest<E>) => unknown
}

/** An answer that is not JSON of ours: a page, metrics, or another protocol's error. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

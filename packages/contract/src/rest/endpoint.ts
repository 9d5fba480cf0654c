import { z } from 'zod/v4'
import type { AgentScope } from '../agent-scopes.ts'
import type { ProblemCode } from '../problems.ts'
import type { Verb } from '../access-rules.ts'
import type { Role } from '../roles.ts'
import type { Topic } from './topics.ts'

/**
 * Names who may call an endpoint.
 *
 * - `open`: anyone; the endpoint checks what it needs itself (sign-in, setup, token exchange, health).
 * - `identified`: any valid credential; there is no organization in the path.
 * - `person`: a session, a personal access token or the bootstrap token; API keys are refused.
 * - `operator`: runs this server: the bootstrap token, or an owner of the organization that the set-up made.
 * - `assistant`: an agent token, or a personal access token, which acts as one that only reads.
 * - `organization`: a member with at least `role`, or an API key of that organization of a kind in `keys`. With `verb`, a member
 *   who is granted it somewhere passes too, and the use case asks where.
 */
export type Access =
  | { readonly kind: 'open' | 'identified' | 'person' | 'operator' | 'assistant' }
  | {
      readonly kind: 'organization'
      readonly role: Role
      readonly verb?: Verb
      readonly keys: 'none' | 'm2m' | 'm2m+b2m'
    }

/**
 * Names the rate limit that a request counts against. Default: the limit of the caller. `probe`: for monitoring,
 * which calls again and again. `export`: for responses with all data of a kind. `none`: never refused, so it must
 * cost nothing.
 */
export type RateClass =
  | 'open'
  | 'signIn'
  | 'probe'
  | 'read'
  | 'write'
  | 'export'
  | 'delivery'
  | 'stream'
  | 'none'

/** Names the address that serves an endpoint. `delivery` endpoints answer at the API's address too. */
export type Listener = 'api' | 'delivery'

/** Describes the declaration of an endpoint. */
export interface EndpointShape {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Example: `/organizations/{org_id}/environments/{environment_id}`. */
  readonly path: `/${string}`
  /** Lists the values of parameters that have a fixed set; a path with another value does not exist: 404, and never 405. */
  readonly pathValues?: Readonly<Record<string, readonly string[]>>
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly access: Access
  /**
   * Admits the tools of `/mcp`, for agent tokens of this scope or more. Absent: no tool calls the endpoint. No agent token calls
   * it directly.
   */
  readonly agents?: AgentScope
  /** Admits agent tokens of this scope or more too where the body has `dryRun: true`, which stores nothing. */
  readonly agentsInDryRun?: AgentScope
  /** Lists the topics that make a read stale, or that a write changes. When empty, a comment says why. */
  readonly topics: readonly Topic[]
  readonly listener?: Listener
  readonly rateClass?: RateClass
  /** Says that the endpoint changes nothing although the method is not GET, because the query does not fit into a URL. */
  readonly readsWithBody?: true
  /** Requires that a person in a browser has entered the password within the last ten minutes. */
  readonly stepUp?: true
  /**
   * Says that what the endpoint makes or widens goes on when the credential of the caller has ended: a key, a role, a place to
   * which values or events are sent. It requires the password as `stepUp` does, and refuses personal access tokens without
   * the right to manage.
   */
  readonly opens?: 'door'
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /**
   * Says that the body may hold the read-only fields of the response too, so that what was read can be sent back as it
   * is. Its `revision` or `version` is then compared as `If-Match` is.
   */
  readonly takesResponse?: true
  /**
   * Says that the body quotes texts that its sender has not written, such as commit messages. Any control character may stand in
   * them, and what cannot be stored becomes U+FFFD.
   */
  readonly quotesOthers?: true
  /** Overrides `limits.bodyBytes`. */
  readonly bodyLimitBytes?: number
  /** Compresses large responses. Never for responses with secrets, whose length would reveal them. */
  readonly compresses?: true
  readonly response: {
    readonly status: 200 | 201 | 202 | 204 | 303
    readonly body?: z.ZodType
    /** Holds the content type. Default `application/json`. */
    readonly contentType?: string
    /** Lists the other responses, each with its reason. */
    readonly also?: {
      readonly status: 200 | 400
      readonly contentType?: string
      readonly when: string
    }
  }
  /** Lists the problems beyond those of every endpoint. */
  readonly problems: readonly ProblemCode[]
}

/** Returns whether a request may change something. */
export function isWrite({
  method,
  readsWithBody,
}: Pick<EndpointShape, 'method' | 'readsWithBody'>): boolean {
  return method !== 'GET' && readsWithBody !== true
}

/** Returns whether a request may say `dryRun: true`, which stores nothing. */
export function hasDryRun({ body }: Pick<EndpointShape, 'body'>): boolean {
  return body instanceof z.ZodObject && 'dryRun' in body.shape
}

/** Returns whether a person in a browser must have entered the password recently. */
export function asksForPassword({
  stepUp,
  opens,
}: Pick<EndpointShape, 'stepUp' | 'opens'>): boolean {
  return stepUp === true || opens === 'door'
}

type Common = Partial<Omit<EndpointShape, 'operationId'>>
type Declared<C, T> = {
  readonly [K in keyof T & string]: Omit<
    C & { readonly problems: readonly [] },
    keyof T[K] | 'operationId'
  > &
    T[K] & { readonly operationId: K }
}

/**
 * Declares endpoints: the router, the OpenAPI document and the clients read the same declaration. The name of each is its
 * operation id, and `common` what all of them have unless they say something else.
 */
export function declareEndpoints<const C extends Common>(common: C) {
  return <
    const T extends Readonly<
      Record<string, Omit<EndpointShape, 'operationId' | 'problems' | keyof C> & Common>
    >,
  >(
    declared: T,
  ): Declared<C, T> => {
    const entries = Object.entries(declared).map(([operationId, own]) => {
      return [operationId, { problems: [], ...common, ...own, operationId }]
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by the names that they were declared with
    return Object.fromEntries(entries) as Declared<C, T>
  }
}

/** Describes the query of an endpoint. */
export type QueryOf<E extends EndpointShape> = E['query'] extends z.ZodType
  ? z.output<E['query']>
  : undefined
/** Describes the body of a request to an endpoint. */
export type BodyOf<E extends EndpointShape> = E['body'] extends z.ZodType
  ? z.output<E['body']>
  : undefined
/** Describes the fields of the response that a body may hold beside its own. The server checks or ignores them. */
export type ReadOnlyOf<E extends EndpointShape> = E extends {
  readonly takesResponse: true
  readonly response: { readonly body: infer R extends z.ZodType }
}
  ? Partial<Omit<z.output<R>, keyof BodyOf<E>>>
  : Readonly<Record<string, never>>

const acceptedBodies = new WeakMap<EndpointShape, z.ZodType>()

/**
 * Returns the shape of the bodies that an endpoint accepts: its own fields, and with `takesResponse` the others of its
 * response, marked `readOnly`.
 */
export function acceptedBody(shape: EndpointShape): z.ZodType | undefined {
  const { body, response, takesResponse } = shape
  if (takesResponse !== true) return body
  const known = acceptedBodies.get(shape)
  if (known !== undefined) return known
  if (!(body instanceof z.ZodObject && response.body instanceof z.ZodObject)) {
    throw new TypeError(`${shape.operationId} takes no object or answers none`)
  }
  const own: z.ZodRawShape = body.shape
  const readOnly = Object.entries<z.ZodType>(response.body.shape)
    .filter(([name]) => !Object.hasOwn(own, name))
    .map(([name, field]) => [name, field.optional().meta({ readOnly: true })] as const)
  const accepted = z.strictObject({ ...own, ...Object.fromEntries(readOnly) })
  acceptedBodies.set(shape, accepted)
  return accepted
}

/** Describes the response of an endpoint. */
export type ResponseOf<E extends EndpointShape> = E['response'] extends {
  readonly body: infer B extends z.ZodType
}
  ? z.input<B>
  : undefined

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

type ParamValue<E extends EndpointShape, Name extends string> = E extends {
  readonly pathValues: Readonly<Record<Name, readonly (infer Value extends string)[]>>
}
  ? Value
  : string

/** Describes the path parameters of an endpoint. Example: `{ org_id: 'acme', key_id: 'key_…' }`. */
export type ParamsOf<E extends EndpointShape> = {
  readonly [Name in ParamNames<E['path']>]: ParamValue<E, Name>
}

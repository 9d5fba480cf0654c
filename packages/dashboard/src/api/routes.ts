import type {
  BodyOf,
  EndpointShape,
  endpoints,
  ParamsOf,
  ResponseOf,
} from '@signalbox/contract/rest'
import type { z } from 'zod'

type Endpoint = (typeof endpoints)[keyof typeof endpoints]

/** Every endpoint by how it is asked for: `'GET /organizations/{org_id}/deployments'`. */
type Endpoints = { readonly [E in Endpoint as `${E['method']} ${E['path']}`]: E }

/** Names an endpoint by its method and path. */
export type Route = keyof Endpoints
/** Names an endpoint that answers without changing anything. */
export type ReadRoute = Extract<Route, `GET ${string}`>
/** Names an endpoint that changes something. */
export type WriteRoute = Exclude<Route, ReadRoute>

type QueryInput<E extends EndpointShape> = E['query'] extends z.ZodType
  ? z.input<E['query']>
  : undefined
type BodyInput<E extends EndpointShape> =
  BodyOf<E> extends undefined
    ? undefined
    : E['body'] extends z.ZodType
      ? z.input<E['body']>
      : undefined

/** Describes what an endpoint is given: `{ params: { org_id: 'acme' }, query: { limit: 20 }, body: { name: 'ci' } }`. */
export interface RequestOf<R extends Route> {
  readonly params?: ParamsOf<Endpoints[R]>
  readonly query?: QueryInput<Endpoints[R]> & object
  /** Which page of a list; left out: the first. */
  readonly cursor?: string
  readonly body?: BodyInput<Endpoints[R]>
  /** The version the change is based on; refused with 412 when there is a newer one. */
  readonly ifMatch?: number | string
}

/** Describes the answer of an endpoint. */
export type AnswerOf<R extends Route> = ResponseOf<Endpoints[R]>
/** Describes one page of a list. */
export interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** Names an endpoint that answers in pages. */
export type ListRoute = {
  readonly [R in ReadRoute]: AnswerOf<R> extends PageOf<unknown> ? R : never
}[ReadRoute]

/** One entry of a list. */
export type ItemOf<R extends Route> =
  AnswerOf<R> extends { readonly items: readonly (infer Item)[] } ? Item : never

import type {
  BodyOf,
  EndpointShape,
  endpoints,
  ParamsOf,
  ResponseOf,
} from '@signalbox/contract/rest'
import type { z } from 'zod'

type Endpoint = (typeof endpoints)[keyof typeof endpoints]

/** Maps an endpoint's method and path to its declaration: `'GET /organizations/{org_id}/deployments'`. */
type Endpoints = { readonly [E in Endpoint as `${E['method']} ${E['path']}`]: E }

/** Names an endpoint by its method and path. */
export type Route = keyof Endpoints
/** Names an endpoint that changes nothing. */
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

/** Describes the request of an endpoint: `{ params: { org_id: 'acme' }, query: { limit: 20 }, body: { name: 'ci' } }`. */
export interface RequestOf<R extends Route> {
  /** Holds the values of the path. */
  readonly params?: ParamsOf<Endpoints[R]>
  readonly query?: QueryInput<Endpoints[R]> & object
  /** Selects a page of a list. Default the first. */
  readonly cursor?: string
  readonly body?: BodyInput<Endpoints[R]>
  /** Holds the version that the change is based on. The server refuses with 412 when there is a newer one. */
  readonly ifMatch?: number | string
}

/** Describes a request as the hooks take it: they add `org_id`, the organization of the address. */
export type GivenOf<R extends Route> = Omit<RequestOf<R>, 'params'> & {
  readonly params?: Omit<ParamsOf<Endpoints[R]>, 'org_id'> & { readonly org_id?: string }
}

/** Describes the response of an endpoint. */
export type AnswerOf<R extends Route> = ResponseOf<Endpoints[R]>
/** Describes one page of a list. */
export interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** Names an endpoint that returns pages. */
export type ListRoute = {
  readonly [R in ReadRoute]: AnswerOf<R> extends PageOf<unknown> ? R : never
}[ReadRoute]

/** Describes one entry of a list. */
export type ItemOf<R extends Route> =
  AnswerOf<R> extends { readonly items: readonly (infer Item)[] } ? Item : never

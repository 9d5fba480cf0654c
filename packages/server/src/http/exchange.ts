import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { EndpointShape } from '@signalbox/contract/rest'
import type { Context } from 'hono'
import { newId } from '../crypto/ids.ts'
import type { Actor } from './actor.ts'
import type { BodyHeaders, BodySource } from './body.ts'
import type { ClientAddress } from './client-address.ts'
import type { Allowance } from './rate-limit.ts'
import type { Target } from './target.ts'

/** What Hono carries through a request. Without a socket, as in tests, there are no bindings. */
export interface KitEnv {
  readonly Bindings: Partial<HttpBindings>
  readonly Variables: { exchange: Exchange }
}

/** One request and what became known about it on its way; the log line at its end is made from this. */
export interface Exchange {
  readonly requestId: string
  readonly method: string
  readonly target: Target
  readonly ip: string
  readonly body: BodySource
  /** The path's template: never the path, which may hold names of people and things. */
  route: string
  quiet: boolean
  actor: Actor | undefined
  orgId: string | undefined
  allowance: Allowance | undefined
  readonly header: (name: string) => string | undefined
  /** What is written to piece by piece. `undefined`: there is no socket, as in tests. */
  readonly connection: ServerResponse | undefined
}

/** What a server knows of a request at once. */
export interface Arrival extends Pick<Exchange, 'method' | 'body' | 'header'> {
  readonly remoteAddress: string | undefined
  readonly connection?: ServerResponse | undefined
  /** Left out where it is still to be read. */
  readonly target?: Target
}

/** Opens the exchange of a request that has just arrived. */
export function newExchange(
  deps: { readonly clientAddress: ClientAddress; readonly now: () => Date },
  { method, body, header, remoteAddress, connection, target = { path: '/', query: {} } }: Arrival,
): Exchange {
  return {
    connection,
    requestId: newId('req', deps.now()),
    method,
    target,
    ip: deps.clientAddress.of(remoteAddress, header('x-forwarded-for')),
    body,
    route: 'other',
    quiet: false,
    actor: undefined,
    orgId: undefined,
    allowance: undefined,
    header,
  }
}

/** Whether requests to an endpoint are too many, and say too little, for a line in the log each. */
export function isQuiet({ rateClass }: Pick<EndpointShape, 'rateClass'>): boolean {
  return rateClass === 'none' || rateClass === 'probe'
}

/** The headers that say what body a request has. */
export function bodyHeaders({ header }: Pick<Exchange, 'header'>): BodyHeaders {
  return {
    contentType: header('content-type'),
    contentEncoding: header('content-encoding'),
    contentLength: header('content-length'),
    transferEncoding: header('transfer-encoding'),
  }
}

/** Where the body is read from: the socket when there is one, which is several times faster than a web stream. */
export function bodySource(context: Context<KitEnv>): BodySource {
  if (context.req.method === 'GET' || context.req.method === 'HEAD') return null
  return context.env?.incoming ?? context.req.raw.body
}

/** The path and query as they were sent, whichever form the target has. Hono's own URL is normalised already. */
export function rawTarget(context: Context<KitEnv>): string {
  const sent = context.env?.incoming?.url
  if (sent !== undefined) return sent.replace(/^https?:\/\/[^/?#]*/i, '')
  const { pathname, search } = new URL(context.req.url)
  return pathname + search
}

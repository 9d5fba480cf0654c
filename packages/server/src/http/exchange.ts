import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { EndpointShape } from '@signalbox/contract/rest'
import { newId } from '../crypto/ids.ts'
import type { Actor } from './admission/actor.ts'
import { signInSubject, type ClientAddress } from './admission/client-address.ts'
import type { Allowance } from './admission/bucket.ts'
import type { BodyHeaders } from './input/body.ts'
import type { Target } from './input/target.ts'

/** Holds a request and what became known about it. The log line at its end is made from this. */
export interface Exchange {
  readonly requestId: string
  readonly method: string
  readonly ip: string
  /** Holds the subject of the limit of sign-ins. */
  readonly signInSubject: string
  readonly body: Readable
  /** Holds the parsed target; `/` until it was parsed. */
  target: Target
  /** Holds the path's template: never the path, which may contain names of people and things. */
  route: string
  quiet: boolean
  /** Tells that the endpoint is for assistants: a rejection then says how to get a token for it. */
  isForAssistants: boolean
  actor: Actor | undefined
  /** Tells that an endpoint has checked the credentials itself. Its sender is no actor, such as a pipeline. */
  isSenderKnown: boolean
  orgId: string | undefined
  allowance: Allowance | undefined
  readonly header: (name: string) => string | undefined
  /** Holds the response that a stream is written to; `undefined` without a socket, as in tests. */
  readonly connection: ServerResponse | undefined
}

/** Describes a request as a server receives it. */
export interface Arrival extends Pick<Exchange, 'method' | 'body' | 'header' | 'connection'> {
  /** Holds path and query as they were sent. Example: `/organizations?limit=2`. */
  readonly target: string
  readonly remoteAddress: string | undefined
}

/** Creates the exchange of a request that has just arrived. */
export function newExchange(
  deps: { readonly clientAddress: Pick<ClientAddress, 'of'>; readonly now: () => Date },
  { method, body, header, connection, remoteAddress }: Arrival,
): Exchange {
  const forwardedFor = header('x-forwarded-for')
  const ip = deps.clientAddress.of(remoteAddress, forwardedFor)
  return {
    connection,
    requestId: newId('req', deps.now()),
    method,
    target: { path: '/', query: {} },
    ip,
    signInSubject: signInSubject(ip, forwardedFor),
    body,
    route: 'other',
    quiet: false,
    isForAssistants: false,
    actor: undefined,
    isSenderKnown: false,
    orgId: undefined,
    allowance: undefined,
    header,
  }
}

/** Returns whether requests to an endpoint are too frequent, and say too little, for a log line each. */
export function isQuiet({ rateClass }: Pick<EndpointShape, 'rateClass'>): boolean {
  return rateClass === 'none' || rateClass === 'probe'
}

/** Returns the headers that say what body a request has. */
export function bodyHeaders({ header }: Pick<Exchange, 'header'>): BodyHeaders {
  return {
    contentType: header('content-type'),
    contentEncoding: header('content-encoding'),
    contentLength: header('content-length'),
    transferEncoding: header('transfer-encoding'),
  }
}

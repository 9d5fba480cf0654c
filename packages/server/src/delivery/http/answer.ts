import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '@signalbox/contract'
import { renderProblem } from '../../http/answers/problem-response.ts'
import type { Representation } from './encoded-body.ts'
import { writeRenderedHeaders } from '../fast/rendered-headers.ts'
import { namesEtag } from './etag.ts'
import { corsHeaders, type HeaderPolicy } from './header-policy.ts'
import type { Reader } from '../cache/reader.ts'
import type { Target } from './target.ts'

/** Describes a request without its body, whether node:http or the fast path has parsed it. */
export type RequestMetadata = Pick<IncomingMessage, 'headers' | 'socket'>

/** Hears of each connection that has become a stream. */
export type OnStream = (socket: Socket) => void

/** Holds one request on the way to its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly now: () => Date
  /** Names the requested route once the URL was parsed; `nothing` before. */
  route: Target['route']
  /** Names the flag of an OFREP request. A rejection repeats it. */
  flag?: string | undefined
  /** Names the origin whose pages may read the answer, or `*`; `undefined`: only our own. */
  allowOrigin: string | undefined
  readonly onStream?: OnStream | undefined
}

/** Charges one request: for one answer at most, however often `take` is called. */
export interface AnswerAllowance {
  /**
   * Charges the request and returns the `RateLimit` header, if there is a limit.
   *
   * @throws {Problem} `rate_limited`
   */
  take(): string | undefined
  /** Undoes the charge, if any: a 304 costs nothing. */
  refund(): void
}

/** Describes a request whose caller is authenticated. */
export interface Read<Caller extends Reader = Reader> {
  readonly exchange: Exchange
  readonly reader: Caller
  readonly allowance: AnswerAllowance
}

/** Sends bytes that are ready, or a 304 when the caller has them. A 304 costs no allowance. */
export function answerRepresentation(
  { request, response, requestId, now }: Exchange,
  representation: Omit<Representation, 'payload'>,
  policy: HeaderPolicy,
  allowance: AnswerAllowance,
): void {
  const { etag, content } = representation
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch !== undefined && (ifNoneMatch === etag || namesEtag(ifNoneMatch, content))) {
    allowance.refund()
    const headers = `X-Request-Id: ${requestId}\r\nETag: ${etag}\r\n${policy.notModified}`
    writeRenderedHeaders(response, { status: 304, headers, now })
    response.end()
    return
  }
  const { written, coding, headers } = representation
  const rateLimit = allowance.take()
  const limited = rateLimit === undefined ? '' : `RateLimit: ${rateLimit}\r\n`
  const own = `X-Request-Id: ${requestId}\r\n${limited}${headers}`
  writeRenderedHeaders(response, { status: 200, headers: own + policy.full[coding], now })
  if (request.method === 'HEAD') response.end()
  else response.end(written, 'latin1')
}

/** Answers 304: the caller has the content. */
export function answerNotModified(
  { response, requestId }: Exchange,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(304, { 'X-Request-Id': requestId, ...headers })
  response.end()
}

/** Sends a JSON text that was made for this request alone. */
export function answerJson(
  { request, response, requestId }: Exchange,
  text: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): void {
  response.writeHead(status, {
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/**
 * Sends the JWK Set of the keys that sign snapshots. Everybody may read it; caches keep it for five minutes, well within the time
 * for which two keys overlap.
 */
export function answerPublicKeys(exchange: Exchange, text: string): void {
  answerJson(exchange, text, {
    'Content-Type': 'application/jwk-set+json',
    'Cache-Control': 'public, max-age=300',
    ...(exchange.allowOrigin === undefined ? {} : { 'Access-Control-Allow-Origin': '*' }),
  })
}

/** Sends a problem document. Pages that may read the answer may read it too. */
export function answerProblem(
  { response, requestId, allowOrigin }: Exchange,
  problem: Problem,
  more: Readonly<Record<string, string>> = {},
): void {
  const { status, headers, body } = renderProblem(problem, requestId)
  response.writeHead(status, {
    ...headers,
    ...corsHeaders(allowOrigin),
    ...more,
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

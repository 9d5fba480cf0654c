import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Problem } from '@signalbox/contract'
import { renderProblem } from '../../http/answers/problem-response.ts'
import type { Representation } from './encoded-body.ts'
import { namesEtag } from './etag.ts'
import { corsHeaders, type HeaderPolicy } from './header-policy.ts'
import type { Target } from './target.ts'

/** What a request says before its body, whoever read it. */
export type RequestHead = Pick<IncomingMessage, 'headers' | 'socket'>

/** One request on its way to its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** What is asked for, once the URL was read. */
  route: Target['route']
  /** The flag that is asked for by OFREP, whose refusals name it. */
  flag?: string | undefined
  /** The origin that may read the answer in a browser, or `*`. `undefined`: none but our own. */
  allowOrigin: string | undefined
}

/** What one request costs its caller: one answer at most, however often it is taken. */
export interface AnswerAllowance {
  /**
   * Takes it. Answers the `RateLimit` header, if there is a limit.
   *
   * @throws {Problem} `rate_limited`
   */
  take(): string | undefined
  /** Gives back what was taken, if anything: the answer costs nothing. */
  giveBack(): void
}

/** Answers with bytes that are ready, or with 304 when the caller has them already. A 304 costs no allowance. */
export function answerRepresentation(
  { request, response, requestId }: Exchange,
  representation: Representation,
  policy: HeaderPolicy,
  allowance: AnswerAllowance,
): void {
  const { etag, content } = representation
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch !== undefined && (ifNoneMatch === etag || namesEtag(ifNoneMatch, content))) {
    allowance.giveBack()
    response.writeHead(304, { 'X-Request-Id': requestId, ETag: etag, ...policy.notModified })
    response.end()
    return
  }
  const { payload, coding } = representation
  const rateLimit = allowance.take()
  response.writeHead(200, {
    'X-Request-Id': requestId,
    ETag: etag,
    'Content-Length': payload.length,
    ...(rateLimit === undefined ? {} : { RateLimit: rateLimit }),
    ...policy.full[coding],
  })
  response.end(request.method === 'HEAD' ? undefined : payload)
}

/** Answers that the caller has the content already. */
export function answerNotModified(
  { response, requestId }: Exchange,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(304, { 'X-Request-Id': requestId, ...headers })
  response.end()
}

/** Answers with a JSON text made for this request alone. */
export function answerJson(
  { request, response, requestId }: Exchange,
  text: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): void {
  const payload = Buffer.from(text, 'utf8')
  response.writeHead(status, {
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': payload.length,
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : payload)
}

/** Answers with a problem document, which a browser may read wherever it may read the answer. */
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

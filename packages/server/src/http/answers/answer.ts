import type { Problem } from '@signalbox/contract'
import type { Log } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { RawAnswer } from '../input/endpoint-request.ts'
import type { Exchange } from '../exchange.ts'
import { challengeAssistant } from './challenge.ts'
import { notFound, renderProblem, toProblem, type RenderedProblem } from './problem-response.ts'
import { isScim, toScimError } from './scim-error.ts'
import { rateLimitHeaders } from '../admission/rate-limit.ts'
import { apiHeaders, transportHeaders } from './security-headers.ts'

/** Adds the headers that every answer has, whichever server sends it. */
export function completeAnswer(
  { publicUrl }: { readonly publicUrl: () => string },
  exchange: Exchange,
  { status, headers, body }: RawAnswer,
): RawAnswer {
  const hasNoBody = status === 204 || status === 304
  return {
    status,
    headers: {
      ...apiHeaders,
      ...transportHeaders(publicUrl()),
      ...rateLimitHeaders(exchange.allowance),
      ...headers,
      ...(!hasNoBody && { 'Content-Length': String(Buffer.byteLength(body)) }),
      'X-Request-Id': exchange.requestId,
    },
    body: hasNoBody ? '' : body,
  }
}

/** Renders the answer to a request that failed with `thrown`. */
export function answerRejection(
  {
    log,
    metrics,
    publicUrl,
  }: {
    readonly log: Log
    readonly metrics: Pick<Metrics, 'recordRateLimited'>
    readonly publicUrl: () => string
  },
  exchange: Exchange,
  thrown: unknown,
): RawAnswer {
  const problem = toProblem(thrown, exchange.requestId, log)
  if (problem.code === 'rate_limited') {
    metrics.recordRateLimited(exchange.allowance?.policy ?? 'invalidCredentials')
  }
  const rendered = renderProblem(problem, exchange.requestId)
  const { status, headers, body } = isScim(exchange.target.path)
    ? inScim(rendered, problem)
    : rendered
  // The rest of a refused body is not read, so the connection cannot be reused.
  const closing = problem.code === 'body_too_large' ? { Connection: 'close' } : {}
  const challenge = exchange.isForAssistants ? challengeAssistant(problem, publicUrl()) : undefined
  return {
    status,
    headers: {
      ...headers,
      ...closing,
      ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    },
    body,
  }
}

/** Renders a rejection for a client of SCIM. A `not_found` loses its detail there, too. */
function inScim({ headers }: RenderedProblem, problem: Problem): RenderedProblem {
  const visible = problem.code === 'not_found' ? notFound() : problem
  return {
    ...toScimError(visible),
    headers: { ...headers, 'Content-Type': 'application/scim+json' },
  }
}

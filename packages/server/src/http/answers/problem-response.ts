import { Problem, toProblemDocument } from '@signalbox/contract'
import type { Log } from '../../telemetry/log.ts'
import { apiHeaders } from './security-headers.ts'

/** One text for "absent" and "belongs to another organization", so that neither tells the caller which. */
const notFoundDetail = 'There is nothing here, or these credentials do not reach it.'

/** Returns the `not_found` problem. Its answer is the same bytes whatever was looked for. */
export function notFound(): Problem {
  return new Problem('not_found', notFoundDetail)
}

/** Returns the problem for a path that exists under other methods only. */
export function methodNotAllowed(methods: readonly string[]): Problem {
  return new Problem('method_not_allowed', `Use ${methods.join(' or ')} here.`)
}

/** A refusal, ready to be written by any kind of server. */
export interface RenderedProblem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Renders a problem as `application/problem+json` (RFC 9457).
 * A `not_found` loses whatever else it was thrown with: detail, places and extensions could tell what exists.
 */
export function renderProblem(problem: Problem, requestId: string): RenderedProblem {
  const shown = problem.code === 'not_found' ? notFound() : problem
  return {
    status: shown.status,
    headers: {
      ...apiHeaders,
      'Content-Type': 'application/problem+json',
      'X-Request-Id': requestId,
      ...(shown.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(shown.retryAfterSeconds !== undefined && {
        'Retry-After': String(Math.max(1, Math.ceil(shown.retryAfterSeconds))),
      }),
    },
    body: JSON.stringify(toProblemDocument(shown, requestId)),
  }
}

/**
 * The problem to answer for whatever was thrown. A `Problem` is the caller's business; anything else is a bug of ours:
 * it is logged with its stack, and the caller learns the request id and nothing more.
 */
export function toProblem(thrown: unknown, requestId: string, log: Log): Problem {
  if (thrown instanceof Problem) {
    if (thrown.status >= 500) {
      log.warn('A request was answered with a server problem', {
        requestId,
        code: thrown.code,
        error: thrown.cause,
      })
    }
    return thrown
  }
  log.error('A request failed', { requestId, error: thrown })
  const detail = `Something went wrong on our side. Quote ${requestId} when you ask about it.`
  return new Problem('internal', detail)
}

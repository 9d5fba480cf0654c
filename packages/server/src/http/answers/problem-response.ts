import { Problem, toProblemDocument } from '@signalbox/contract'
import type { Log } from '../../telemetry/log.ts'
import { apiHeaders } from './security-headers.ts'

/** One text for "absent" and "belongs to another organization", so that callers cannot distinguish them. */
const notFoundDetail = 'This doesn’t exist, or your credentials don’t reach it.'

/** Returns the `not_found` problem. Its answer is the same bytes whatever was looked for. */
export function notFound(): Problem {
  return new Problem('not_found', notFoundDetail)
}

/** Returns the problem for a path that exists under other methods only. */
export function methodNotAllowed(methods: readonly string[]): Problem {
  return new Problem('method_not_allowed', `Use ${methods.join(' or ')} here.`)
}

/** Holds a rejection that any kind of server can send. */
export interface RenderedProblem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Renders a problem as `application/problem+json` (RFC 9457). A `not_found` loses its detail, pointers and extensions,
 * which could reveal what exists.
 */
export function renderProblem(problem: Problem, requestId: string): RenderedProblem {
  const visible = problem.code === 'not_found' ? notFound() : problem
  return {
    status: visible.status,
    headers: {
      ...apiHeaders,
      'Content-Type': 'application/problem+json',
      'X-Request-Id': requestId,
      ...(visible.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(visible.retryAfterSeconds !== undefined && {
        'Retry-After': String(Math.max(1, Math.ceil(visible.retryAfterSeconds))),
      }),
    },
    body: JSON.stringify(toProblemDocument(visible, requestId)),
  }
}

/**
 * Returns the problem to answer with. A `Problem` is meant for the caller. Anything else is a bug: it is logged with
 * its stack, and the caller gets only the request id.
 */
export function toProblem(thrown: unknown, requestId: string, log: Log): Problem {
  if (thrown instanceof Problem) {
    if (thrown.status >= 500) {
      log.warn('Answered a request with a server error', {
        requestId,
        code: thrown.code,
        error: thrown.cause,
      })
    }
    return thrown
  }
  log.error('A request failed', { requestId, error: thrown })
  const detail = `Signalbox hit an unexpected error. Give the request id ${requestId} to an operator, who finds the cause in the log.`
  return new Problem('internal', detail)
}

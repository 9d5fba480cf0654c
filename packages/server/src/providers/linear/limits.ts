import { defaultPauseMs, type ReadLimit } from '../rates/rate-limit.ts'
import { pauseFor, readRetryAfter } from '../rates/retry-after.ts'
import { readLinearError } from './errors.ts'

/** Names the windows that Linear counts in: requests, their complexity, and requests of one endpoint. */
const windows = ['requests', 'complexity', 'endpoint-requests'] as const

/**
 * Reads a limit as Linear reports one: status 400 and the code `RATELIMITED`. Of the windows that are used up, the latest reset
 * counts, in milliseconds since 1970.
 *
 * @see https://linear.app/developers/rate-limiting
 */
export const readLinearLimit: ReadLimit = ({ status, headers, body }, now) => {
  if (status !== 429 && readLinearError(body)?.code !== 'RATELIMITED') return undefined
  const resetsMs = windows
    .filter((window) => headers[`x-ratelimit-${window}-remaining`] === '0')
    .map((window) => Number(headers[`x-ratelimit-${window}-reset`] ?? Number.NaN))
    .filter((atMs) => Number.isFinite(atMs))
  if (resetsMs.length > 0) return pauseFor(now, Math.max(...resetsMs) - now.getTime())
  return readRetryAfter(headers['retry-after'], now) ?? pauseFor(now, defaultPauseMs)
}

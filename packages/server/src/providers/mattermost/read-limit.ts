import { defaultPauseMs, type ReadLimit } from '../rates/rate-limit.ts'
import { pauseFor, readRetryAfter } from '../rates/retry-after.ts'

/**
 * Reads a limit: 429, whose `X-RateLimit-Reset` counts the seconds from now, and is no moment.
 *
 * @see https://developers.mattermost.com/api-documentation/#/#rate-limiting
 */
export const readMattermostLimit: ReadLimit = ({ status, headers }, now) => {
  if (status !== 429) return undefined
  const retryAt = readRetryAfter(headers['retry-after'], now)
  if (retryAt !== undefined) return retryAt
  const seconds = Number(headers['x-ratelimit-reset'] ?? Number.NaN)
  return pauseFor(now, Number.isFinite(seconds) ? seconds * 1000 : defaultPauseMs)
}

import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { pauseFor, readRetryAfter } from './retry-after.ts'

/**
 * Returns when to come back, if an answer says that it was too much; `undefined` where it says something else. Called with
 * answers that are failures by their status.
 */
export type ReadLimit = (answer: OutboundAnswer, now: Date) => Date | undefined

/** Waits so long where a provider says that it is too much and not until when, in milliseconds. */
export const defaultPauseMs = 60_000

/**
 * Reads a limit as most providers report one: 429, or a 403 whose headers say that a limit is reached. `Retry-After` says until
 * when, or else `X-RateLimit-Reset` in seconds.
 */
export const readUsualLimit: ReadLimit = ({ status, headers }, now) => {
  if (status !== 429 && status !== 403) return undefined
  const retryAt = readRetryAfter(headers['retry-after'], now)
  if (retryAt !== undefined) return retryAt
  const resetsAtSeconds = Number(headers['x-ratelimit-reset'])
  if (headers['x-ratelimit-remaining'] === '0' && Number.isFinite(resetsAtSeconds)) {
    return pauseFor(now, resetsAtSeconds * 1000 - now.getTime())
  }
  return status === 429 ? pauseFor(now, defaultPauseMs) : undefined
}

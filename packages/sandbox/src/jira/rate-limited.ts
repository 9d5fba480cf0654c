import type { Clock } from '../clock.ts'
import type { FaultKind } from '../http/faults.ts'

/** Describes a rate limit that has been reached, and for how long. */
export interface RateLimit {
  /** Names the limit that is reached. Default `jira-burst-based`. */
  readonly reason?:
    | 'jira-burst-based'
    | 'jira-per-issue-on-write'
    | 'jira-quota-tenant-based'
    | 'jira-quota-global-based'
  readonly retryAfterSeconds: number
}

/** Returns Jira's response to too many requests. @see https://developer.atlassian.com/cloud/jira/platform/rate-limiting/ */
export function rateLimited(
  clock: Clock,
  { reason = 'jira-burst-based', retryAfterSeconds }: RateLimit,
): FaultKind {
  const until = new Date(clock.now().getTime() + retryAfterSeconds * 1000)
  return {
    kind: 'answer',
    status: 429,
    headers: {
      'content-type': 'application/json',
      'retry-after': String(retryAfterSeconds),
      'ratelimit-reason': reason,
      'x-ratelimit-remaining': '0',
      // Rounded to minutes, as in the documentation: 2026-03-01T12:05Z.
      'x-ratelimit-reset': until.toISOString().replace(/:\d\d\.\d+Z$/, 'Z'),
    },
    body: JSON.stringify({ code: 429, message: 'Rate limit exceeded' }),
  }
}

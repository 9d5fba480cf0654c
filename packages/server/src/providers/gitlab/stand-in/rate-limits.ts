import type { Clock } from '../../../../../sandbox/src/clock.ts'
import type { GitlabSettings } from './state.ts'

/** Counts the API calls of each user by the minute. */
export interface RateLimits {
  /** Counts a call, and returns the headers of its response and whether it is one too many. */
  count(caller: string): {
    readonly isOver: boolean
    readonly headers: Readonly<Record<string, string>>
  }
  reset(): void
}

const windowMs = 60_000

/**
 * Creates the limits of the API.
 *
 * @see https://docs.gitlab.com/security/rate_limits/
 */
export function createRateLimits(
  clock: Clock,
  settings: Pick<GitlabSettings, 'callsPerMinute'>,
): RateLimits {
  const windows = new Map<string, { used: number; readonly endsAtMs: number }>()
  const windowOf = (caller: string) => {
    const nowMs = clock.now().getTime()
    const known = windows.get(caller)
    if (known !== undefined && nowMs < known.endsAtMs) return known
    const created = { used: 0, endsAtMs: nowMs + windowMs }
    windows.set(caller, created)
    return created
  }
  return {
    count(caller) {
      const window = windowOf(caller)
      window.used += 1
      const limit = settings.callsPerMinute
      const isOver = window.used > limit
      const waitMs = window.endsAtMs - clock.now().getTime()
      return {
        isOver,
        headers: {
          'ratelimit-limit': String(limit),
          'ratelimit-name': 'throttle_authenticated_api',
          'ratelimit-observed': String(window.used),
          'ratelimit-remaining': String(Math.max(0, limit - window.used)),
          'ratelimit-reset': String(Math.ceil(window.endsAtMs / 1000)),
          'ratelimit-resettime': new Date(window.endsAtMs).toUTCString(),
          ...(isOver && { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) }),
        },
      }
    },
    reset: () => windows.clear(),
  }
}

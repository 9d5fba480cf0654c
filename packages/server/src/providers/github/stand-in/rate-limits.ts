import type { Clock } from '../../../../../sandbox/src/clock.ts'

/** Describes a caller's quota in the hour that began with their first request. */
export interface RateLimit {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly resetsAt: Date
}

/** Counts the requests of each caller by the hour, from their first one. */
export interface RateLimits {
  /** Sets the limit of requests with a token. Default 5,000; tests set it low to reach it. */
  perHour: number
  read(caller: string): RateLimit
  count(caller: string): void
  reset(): void
}

const hourMs = 60 * 60 * 1000
const perHourDefault = 5_000

/**
 * Creates rate limits that count the requests of each caller by the hour.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function createRateLimits(clock: Clock): RateLimits {
  const windows = new Map<string, { used: number; readonly resetsAt: Date }>()
  const windowOf = (caller: string) => {
    const currentWindow = windows.get(caller)
    if (currentWindow !== undefined && clock.now() < currentWindow.resetsAt) return currentWindow
    const newWindow = { used: 0, resetsAt: new Date(clock.now().getTime() + hourMs) }
    windows.set(caller, newWindow)
    return newWindow
  }
  const limits: RateLimits = {
    perHour: perHourDefault,
    read(caller) {
      const { used, resetsAt } = windowOf(caller)
      const limit = limits.perHour
      return { limit, used, remaining: Math.max(0, limit - used), resetsAt }
    },
    count(caller) {
      windowOf(caller).used += 1
    },
    reset() {
      windows.clear()
      limits.perHour = perHourDefault
    },
  }
  return limits
}

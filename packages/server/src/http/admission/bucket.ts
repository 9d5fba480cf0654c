import { opensAtMs, spendCall, type CellRate } from './gcra.ts'
import type { RateLimit, RateLimitClass } from './rate-classes.ts'
import { openSpentPortions, type SharedLimit } from './spent-portions.ts'

/** Describes what is left of an allowance after a request. */
export interface Allowance {
  readonly allowed: boolean
  readonly policy: RateLimitClass
  readonly quota: number
  /** Holds how long an empty allowance takes to fill. */
  readonly windowSeconds: number
  readonly remaining: number
  /** Holds how long the allowance takes to be full again. */
  readonly resetSeconds: number
  /** Holds how long the next request has to wait; 0 when this one was allowed. */
  readonly retryAfterSeconds: number
}

/** Limits one class of requests by subject. Cheap enough for every read of the delivery. */
export interface Bucket {
  /** Takes one request of `subject`. Returns 0 when it may pass, else the milliseconds to wait. */
  take(subject: string): number
  /** Returns the part of the allowance that is left, from 0 to 1, without taking anything. */
  levelOf(subject: string): number
  /** Returns whether nothing is left, without taking anything. */
  isEmpty(subject: string): boolean
  /** Refunds one request: its answer costs nothing, as a 304. */
  refund(subject: string): void
  describe(subject: string, waitMs: number): Allowance
}

/** Limits the subjects of a class. Those idle for longest are forgotten, and start with a full allowance. */
const subjectsMax = 100_000

/** Ignores shorter waits: sums of fractions are not exact. */
const roundingMs = 0.001

/**
 * Creates a bucket that keeps one number per subject: the moment at which its allowance is full again (`gcra.ts`). Two
 * generations of subjects bound the memory: when the young one is full, the old one is forgotten, and with it those that
 * were not seen since. A `shared` bucket also counts what the other processes of the node let pass.
 */
export function createBucket(
  policy: RateLimitClass,
  { perSecond, burst }: RateLimit,
  nowMs: () => number,
  shared?: SharedLimit,
): Bucket {
  const costMs = 1000 / perSecond
  const rate: CellRate = { intervalMs: costMs, burst }
  const burstMs = costMs * burst
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  const find = (subject: string): number => young.get(subject) ?? old.get(subject) ?? 0
  const keep = (subject: string, fullAt: number) => {
    if (young.size >= subjectsMax / 2 && !young.has(subject)) {
      old = young
      young = new Map()
    }
    young.set(subject, fullAt)
  }
  const portions =
    shared &&
    openSpentPortions(shared, burst, (subject, count) =>
      keep(subject, Math.max(find(subject), nowMs()) + count * costMs),
    )
  return {
    take(subject) {
      const now = nowMs()
      const fullAt = find(subject)
      const waitMs = opensAtMs(rate, fullAt) - now
      if (waitMs > roundingMs) return waitMs
      if (fullAt <= now) portions?.restart(subject)
      keep(subject, spendCall(rate, fullAt, now))
      portions?.note(subject, 1)
      return 0
    },
    levelOf: (subject) => 1 - Math.max(0, find(subject) - nowMs()) / burstMs,
    isEmpty(subject) {
      return opensAtMs(rate, find(subject)) - nowMs() > roundingMs
    },
    refund(subject) {
      const fullAt = find(subject)
      if (fullAt === 0) return
      keep(subject, fullAt - costMs)
      portions?.note(subject, -1)
    },
    describe(subject, waitMs) {
      const missingMs = Math.max(0, find(subject) - nowMs())
      return {
        allowed: waitMs === 0,
        policy,
        quota: burst,
        windowSeconds: Math.max(1, Math.ceil(burstMs / 1000)),
        remaining: Math.max(0, Math.floor((burstMs - missingMs) / costMs + 0.001)),
        resetSeconds: Math.ceil(missingMs / 1000),
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      }
    },
  }
}

/** Creates a bucket that never refuses. */
export function createUnlimitedBucket(policy: RateLimitClass): Bucket {
  const quota = Number.MAX_SAFE_INTEGER
  return {
    take: () => 0,
    levelOf: () => 1,
    isEmpty: () => false,
    refund: () => {},
    describe: () => ({
      allowed: true,
      policy,
      quota,
      windowSeconds: 1,
      remaining: quota,
      resetSeconds: 0,
      retryAfterSeconds: 0,
    }),
  }
}

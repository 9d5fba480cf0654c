import { createBucket, createUnlimitedBucket, type Allowance, type Bucket } from './bucket.ts'
import { createFairRate, unlimitedRate, type FairClasses, type FairRate } from './fair-rate.ts'
import type { NodeCounts } from './node-counts.ts'
import type { RateLimits, RateLimitClass } from './rate-classes.ts'

/** Provides the bucket of each class. */
export interface RateLimiter {
  bucket(policy: RateLimitClass): Bucket
  /** Creates the rate of a node that is divided among those who ask while the node is short. */
  openFairRate(classes: FairClasses): FairRate
}

/**
 * Creates limits in memory: each node limits the requests it answers itself. `nowMs` must never go back. `counts` joins the
 * processes of a node.
 */
export function createRateLimiter(
  limits: RateLimits,
  nowMs: () => number = () => performance.now(),
  counts?: NodeCounts,
): RateLimiter {
  const buckets = new Map<RateLimitClass, Bucket>()
  return {
    bucket(policy) {
      const present = buckets.get(policy)
      if (present !== undefined) return present
      const limit = limits === 'off' ? undefined : limits[policy]
      const created =
        limit === undefined
          ? createUnlimitedBucket(policy)
          : createBucket(policy, limit, nowMs, counts && { counts, name: policy })
      buckets.set(policy, created)
      return created
    },
    openFairRate(classes) {
      if (limits === 'off') return unlimitedRate
      const { node, short } = classes
      return createFairRate({ classes, node: limits[node], short: limits[short] }, nowMs, counts)
    },
  }
}

/** Renders `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11). Empty without a limit. */
export function rateLimitHeaders(allowance: Allowance | undefined): Record<string, string> {
  if (allowance === undefined || allowance.quota === Number.MAX_SAFE_INTEGER) return {}
  const { policy, quota, windowSeconds, remaining, resetSeconds } = allowance
  return {
    'RateLimit-Policy': `"${policy}";q=${quota};w=${windowSeconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  }
}

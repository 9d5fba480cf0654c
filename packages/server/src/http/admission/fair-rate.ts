import { createBucket } from './bucket.ts'
import { opensAtMs, spendCall, type CellRate } from './gcra.ts'
import type { NodeCounts } from './node-counts.ts'
import type { RateLimit, RateLimitClass } from './rate-classes.ts'
import { openSpentPortions, type SharedLimit } from './spent-portions.ts'

/** Names the callers and groups for which a request counts. */
export interface Asker {
  /** Names the credential and the address together. */
  readonly credentialAtAddress: string
  readonly credential: string
  readonly organization: string
  /** Names the network of an IPv6 address that one customer may have whole; `undefined` for IPv4. */
  readonly network: string | undefined
}

/** Says why a request is refused, and how long its sender has to wait. */
export interface FairRejection {
  readonly rateClass: RateLimitClass
  readonly waitMs: number
}

/** Names the classes of a fair rate. */
export interface FairClasses {
  /** Limits the node. */
  readonly node: RateLimitClass
  /** Limits a credential at an address while the node is short. */
  readonly short: RateLimitClass
}

/** Holds the limits of a fair rate. */
export interface FairLimits {
  readonly classes: FairClasses
  readonly node: RateLimit
  readonly short: RateLimit
}

/** Limits what a node does in a second, and while it is short divides it among those who ask. */
export interface FairRate {
  /** Takes one request. Returns the rejection, which costs nothing. */
  take(asker: Asker): FairRejection | undefined
  /** Refunds one request. */
  refund(): void
}

/** Refuses nobody. */
export const unlimitedRate: FairRate = { take: () => undefined, refund() {} }

/** Below this part of its burst a node is short: each credential has its small allowance at each address. */
const shortBelow = 1 / 2
/** Above this part of the burst, the less is left, the more of a small allowance has to be unused. Below it each group has its share. */
const sharedBelow = 1 / 8
/** Holds how much of a small allowance has to be unused where the shares begin. */
const unusedMost = 0.9
/**
 * Holds the part of a node that each gets while others ask. A credential gets less than its organization, and a network less
 * than a credential: who uses up the smaller one leaves the rest of the larger one to others.
 */
export const shares = { organization: 0.3, credential: 0.2, network: 0.1 } as const

/**
 * Creates the fair rate of a node. While more than half of the node's burst is left, everybody passes. Below it the small
 * allowances begin: a caller that has used more of its allowance is refused before one that has used less. So a caller that asks
 * much brings the node down to where it serves those who ask seldom. `nowMs` must never go back. With `counts` the node is all the
 * processes that share them.
 */
export function createFairRate(
  { classes, node: limit, short }: FairLimits,
  nowMs: () => number,
  counts?: NodeCounts,
): FairRate {
  const rate: CellRate = { intervalMs: 1000 / limit.perSecond, burst: limit.burst }
  const fullMs = limit.burst * rate.intervalMs
  const small = createBucket(classes.short, short, nowMs, shareLimit(counts, classes.short))
  const takeShares = createShares(classes.node, limit, nowMs, counts)
  let spentUntilMs = 0
  const shared = shareLimit(counts, classes.node)
  const portions =
    shared &&
    openSpentPortions(shared, limit.burst, (_, count) => {
      spentUntilMs = Math.max(spentUntilMs, nowMs()) + count * rate.intervalMs
    })
  const refuseShort = (asker: Asker, level: number): FairRejection | undefined => {
    const { credentialAtAddress } = asker
    const hasEnough = small.levelOf(credentialAtAddress) >= unusedAt(level)
    const waitMs = hasEnough ? small.take(credentialAtAddress) : 1000 / short.perSecond
    if (waitMs > 0) return { rateClass: classes.short, waitMs }
    const shareWaitMs = level <= sharedBelow ? takeShares(asker) : 0
    if (shareWaitMs === 0) return undefined
    small.refund(credentialAtAddress)
    return { rateClass: classes.node, waitMs: shareWaitMs }
  }
  return {
    take(asker) {
      const now = nowMs()
      const waitMs = opensAtMs(rate, spentUntilMs) - now
      if (waitMs > roundingMs) return { rateClass: classes.node, waitMs }
      const level = 1 - Math.max(0, spentUntilMs - now) / fullMs
      const rejection = level <= shortBelow ? refuseShort(asker, level) : undefined
      if (rejection !== undefined) return rejection
      if (spentUntilMs <= now) portions?.restart(everybody)
      spentUntilMs = spendCall(rate, spentUntilMs, now)
      portions?.note(everybody, 1)
      return undefined
    },
    refund() {
      spentUntilMs -= rate.intervalMs
      portions?.note(everybody, -1)
    },
  }
}

/** Names the one subject of what all spend together. */
const everybody = ''

/** Names a limit for the other processes of the node, where there are any. */
function shareLimit(counts: NodeCounts | undefined, name: string): SharedLimit | undefined {
  return counts && { counts, name }
}

/** Returns how much of a small allowance has to be unused when `level` is left of the node. */
function unusedAt(level: number): number {
  const missing = (shortBelow - level) / (shortBelow - sharedBelow)
  return Math.min(1, missing) * unusedMost
}

/** Ignores shorter waits: sums of fractions are not exact. */
const roundingMs = 0.001

/** Creates what takes from each share of an asker, or from none, and returns the milliseconds to wait. */
function createShares(
  rateClass: RateLimitClass,
  { perSecond, burst }: RateLimit,
  nowMs: () => number,
  counts: NodeCounts | undefined,
): (asker: Asker) => number {
  const openShare = (of: keyof typeof shares) => {
    const part = shares[of]
    const most = { perSecond: perSecond * part, burst: Math.max(1, burst * sharedBelow * part) }
    return createBucket(rateClass, most, nowMs, shareLimit(counts, `${rateClass} ${of}`))
  }
  const organizations = openShare('organization')
  const credentials = openShare('credential')
  const networks = openShare('network')
  return ({ organization, credential, network }) => {
    const networkWaitMs = network === undefined ? 0 : networks.take(network)
    if (networkWaitMs > 0) return networkWaitMs
    const credentialWaitMs = credentials.take(credential)
    const waitMs = credentialWaitMs > 0 ? credentialWaitMs : organizations.take(organization)
    if (waitMs === 0) return 0
    if (network !== undefined) networks.refund(network)
    if (credentialWaitMs === 0) credentials.refund(credential)
    return waitMs
  }
}

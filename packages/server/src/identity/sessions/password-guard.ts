import { Problem } from '@signalbox/contract'
import type { RateLimiter } from '../../http/admission/rate-limit.ts'
import { createKnownNetworks } from './known-networks.ts'
import { createPasswordQueue } from './password-queue.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'
import { createSignInDelays } from './sign-in-delays.ts'

/** Stands before every check of a password. Accounts that do not exist are treated alike, or the wait would tell. */
export interface PasswordGuard {
  /**
   * Lets an attempt through.
   *
   * @throws {Problem} `rate_limited` before anything is looked up.
   */
  check(attempt: SignInAttempt): void
  /**
   * Runs the costly part of a check once this node has a place for it.
   *
   * @throws {Problem} `overloaded`
   */
  inTurn<T>(attempt: SignInAttempt, work: () => Promise<T>): Promise<T>
  /** The password was wrong. */
  recordFailure(attempt: SignInAttempt): void
  /** The password was right. */
  recordSuccess(attempt: SignInAttempt): void
}

/**
 * Opens the guard: a network waits ever longer after wrong passwords for an account, and all networks together have an
 * allowance for each account, which those that know the password neither need nor use up.
 */
export function createPasswordGuard(deps: {
  readonly limiter: RateLimiter
  readonly now: () => Date
}): PasswordGuard {
  const delays = createSignInDelays(deps)
  const knownNetworks = createKnownNetworks(deps)
  const queue = createPasswordQueue()
  const allowance = deps.limiter.bucket('signInAccount')
  const waitMs = (attempt: SignInAttempt): number => {
    const delayMs = delays.waitMs(attempt)
    if (delayMs > 0 || knownNetworks.has(attempt)) return delayMs
    return allowance.take(attempt.account)
  }
  return {
    check(attempt) {
      const ms = waitMs(attempt)
      if (ms === 0) return
      const retryAfterSeconds = Math.ceil(ms / 1000)
      const detail = `There were too many attempts for this account. Wait ${retryAfterSeconds} s.`
      throw new Problem('rate_limited', detail, { retryAfterSeconds })
    },
    inTurn: (attempt, work) => queue.run(knownNetworks.has(attempt), work),
    recordFailure: (attempt) => delays.recordFailure(attempt),
    recordSuccess(attempt) {
      if (!knownNetworks.has(attempt)) allowance.refund(attempt.account)
      knownNetworks.add(attempt)
      delays.recordSuccess(attempt)
    },
  }
}

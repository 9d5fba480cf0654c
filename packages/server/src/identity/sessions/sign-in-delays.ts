import { nameAttempt, type SignInAttempt } from './sign-in-attempt.ts'

/**
 * Slows down guesses of one account's password from one network. Counting all networks together would let anybody lock the
 * owner out by guessing.
 */
export interface SignInDelays {
  /** Returns how long the network has to wait before its next try of the account is checked. */
  waitMs(attempt: SignInAttempt): number
  recordFailure(attempt: SignInAttempt): void
  recordSuccess(attempt: SignInAttempt): void
}

/** Allows a few wrong passwords in a row without a delay: people mistype. */
const freeFailures = 3
/** Limits the delay, so that the owner waits a minute at most. */
const longestMs = 60_000
/** After this long without a try, the failures before are forgotten. */
const forgetMs = 3600_000
/** The oldest failure is forgotten first. */
const rememberedMax = 10_000

interface Failures {
  readonly count: number
  readonly at: number
}

/** Returns the delay after `failures` wrong passwords in a row: none for the first three, then 1, 2, 4 … 60 seconds. */
export function signInDelayMs(failures: number): number {
  return failures <= freeFailures
    ? 0
    : Math.min(longestMs, 1000 * 2 ** (failures - freeFailures - 1))
}

/** Opens the memory of failures. Each node has its own. */
export function createSignInDelays({ now }: { readonly now: () => Date }): SignInDelays {
  const failures = new Map<string, Failures>()
  const find = (name: string): Failures | undefined => {
    const entry = failures.get(name)
    return entry === undefined || now().getTime() - entry.at > forgetMs ? undefined : entry
  }
  return {
    waitMs(attempt) {
      const entry = find(nameAttempt(attempt))
      if (entry === undefined) return 0
      return Math.max(0, entry.at + signInDelayMs(entry.count) - now().getTime())
    },
    recordFailure(attempt) {
      const name = nameAttempt(attempt)
      const count = (find(name)?.count ?? 0) + 1
      failures.delete(name)
      failures.set(name, { count, at: now().getTime() })
      const [oldest] = failures.keys()
      if (failures.size > rememberedMax && oldest !== undefined) failures.delete(oldest)
    },
    recordSuccess(attempt) {
      failures.delete(nameAttempt(attempt))
    },
  }
}

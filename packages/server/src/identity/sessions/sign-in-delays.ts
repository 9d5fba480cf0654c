/** Slows down who guesses the password of one account, from however many addresses. */
export interface SignInDelays {
  /** How long the account has to wait before its next try is looked at. */
  waitMs(account: string): number
  recordFailure(account: string): void
  recordSuccess(account: string): void
}

/** This many wrong passwords in a row cost nothing: people mistype. */
const freeFailures = 3
/** Nobody is locked out: whoever knows the password waits a minute at most. */
const longestMs = 60_000
/** After this long without a try, the failures before are forgotten. */
const forgetMs = 3600_000
/** The account that failed longest ago is forgotten first. */
const accountsMax = 10_000

interface Failures {
  readonly count: number
  readonly at: number
}

/** The delay after `failures` wrong passwords in a row: none for the first three, then 1, 2, 4 … 60 seconds. */
export function signInDelayMs(failures: number): number {
  return failures <= freeFailures
    ? 0
    : Math.min(longestMs, 1000 * 2 ** (failures - freeFailures - 1))
}

/** Opens the memory of failures. Each node has its own. */
export function createSignInDelays({ now }: { readonly now: () => Date }): SignInDelays {
  const failures = new Map<string, Failures>()
  const find = (account: string): Failures | undefined => {
    const found = failures.get(account)
    return found === undefined || now().getTime() - found.at > forgetMs ? undefined : found
  }
  return {
    waitMs(account) {
      const found = find(account)
      if (found === undefined) return 0
      return Math.max(0, found.at + signInDelayMs(found.count) - now().getTime())
    },
    recordFailure(account) {
      const count = (find(account)?.count ?? 0) + 1
      failures.delete(account)
      failures.set(account, { count, at: now().getTime() })
      const [oldest] = failures.keys()
      if (failures.size > accountsMax && oldest !== undefined) failures.delete(oldest)
    },
    recordSuccess(account) {
      failures.delete(account)
    },
  }
}

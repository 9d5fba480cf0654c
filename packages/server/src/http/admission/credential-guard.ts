import { Problem } from '@signalbox/contract'
import { addressSubject } from './client-address.ts'
import type { RateLimiter } from './rate-limit.ts'

/**
 * Limits guesses of credentials: after sixty bad ones in a minute, nothing more from the same address is looked up. A
 * right credential that is checked in memory is never refused for the bad ones of others: a proxy or an office is one
 * address.
 */
export interface CredentialGuard {
  /**
   * Called before the database is asked for a credential. One that was right lately passes, whatever its address sent.
   *
   * @throws {Problem} `rate_limited`
   */
  check(address: string, credential?: string): void
  /** Counts a credential that was looked up, or is about to be, against the look-ups of its address. */
  count(address: string): void
  /** Undoes a count: the credential was good, or could not be checked. */
  forgive(address: string): void
  /**
   * Counts a credential that was found to be bad in memory, apart from those that were looked up: a job that goes on with
   * a revoked key keeps no person of its office out.
   *
   * @throws {Problem} `rate_limited` in place of the rejection, when there were many before
   */
  countWrong(address: string): void
  /** Remembers a credential that was looked up and right. */
  remember(credential: string): void
  /** Forgets a credential that is not right any more. */
  forget(credential: string): void
  /** Returns whether a credential was right lately. */
  knows(credential: string | undefined): boolean
}

/** Lists the problems that count as a bad credential. */
const badCredentials: ReadonlySet<string> = new Set([
  'invalid_credentials',
  'expired_credentials',
  'revoked_credentials',
])

/** Returns whether an error means a bad credential, as opposed to a failed look-up. */
export function isBadCredential(error: unknown): boolean {
  return error instanceof Problem && badCredentials.has(error.code)
}

/** Bounds the memory. A credential that is forgotten is looked up under the guard again. */
const rememberedMax = 10_000

/** Creates a guard that counts in the rate class `invalidCredentials`. */
export function createCredentialGuard(limiter: RateLimiter): CredentialGuard {
  const bucket = limiter.bucket('invalidCredentials')
  const remembered = new Set<string>()
  const refuseEmpty = (subject: string) => {
    if (!bucket.isEmpty(subject)) return
    const { resetSeconds } = bucket.describe(subject, 1)
    throw new Problem(
      'rate_limited',
      'Too many credentials from this address were wrong, or are still being checked. Wait, then use valid ones.',
      { retryAfterSeconds: Math.max(1, Math.min(resetSeconds, 60)) },
    )
  }
  const knows = (credential: string | undefined) =>
    credential !== undefined && remembered.has(credential)
  return {
    check(address, credential) {
      if (!knows(credential)) refuseEmpty(addressSubject(address))
    },
    countWrong(address) {
      const subject = `${addressSubject(address)} in memory`
      refuseEmpty(subject)
      bucket.take(subject)
    },
    count(address) {
      bucket.take(addressSubject(address))
    },
    forgive(address) {
      bucket.refund(addressSubject(address))
    },
    remember(credential) {
      if (remembered.size >= rememberedMax) remembered.clear()
      remembered.add(credential)
    },
    forget: (credential) => void remembered.delete(credential),
    knows,
  }
}

/** Admits a credential before the database is asked for it. @throws {Problem} `rate_limited` */
export type BeforeLookup = (credential: string) => void

/**
 * Runs a check of credentials behind the guard. The check calls `beforeLookup` where it asks the database.
 *
 * @throws what the check throws, or `rate_limited` in place of a bad credential when there were many before
 */
export async function checkGuarded<T>(
  guard: CredentialGuard,
  address: string,
  check: (beforeLookup: BeforeLookup) => Promise<T>,
): Promise<T> {
  let lookedUp: string | undefined
  try {
    const checked = await check((credential) => {
      guard.check(address, credential)
      lookedUp = credential
    })
    if (lookedUp !== undefined) guard.remember(lookedUp)
    return checked
  } catch (error) {
    if (!isBadCredential(error)) throw error
    if (lookedUp === undefined) {
      guard.countWrong(address)
    } else {
      guard.forget(lookedUp)
      guard.count(address)
    }
    throw error
  }
}

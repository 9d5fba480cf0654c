import { Problem } from '@signalbox/contract'
import { addressSubject } from '../../http/admission/client-address.ts'
import type { RateLimiter } from '../../http/admission/rate-limit.ts'

/** Limits guesses of credentials: after sixty bad ones in a minute, nothing from the same address is looked up. */
export interface CredentialGuard {
  /** @throws {Problem} `rate_limited` */
  check(address: string): void
  /** Counts a bad credential. */
  count(address: string): void
  /** Undoes a count: the credential was good, or could not be checked. */
  forgive(address: string): void
}

/** Creates a guard that counts in the rate class `invalidCredentials`. */
export function createCredentialGuard(limiter: RateLimiter): CredentialGuard {
  const bucket = limiter.bucket('invalidCredentials')
  return {
    check(address) {
      const subject = addressSubject(address)
      if (!bucket.isEmpty(subject)) return
      const { resetSeconds } = bucket.describe(subject, 1)
      throw new Problem(
        'rate_limited',
        'Too many credentials from this address were bad, or are being checked. Wait, then use good ones.',
        { retryAfterSeconds: Math.max(1, Math.min(resetSeconds, 60)) },
      )
    },
    count(address) {
      bucket.take(addressSubject(address))
    },
    forgive(address) {
      bucket.refund(addressSubject(address))
    },
  }
}

import { timingSafeEqual } from 'node:crypto'
import { Problem } from '@signalbox/contract'
import type { TokenFailure } from '../verify-token.ts'

const dayMs = 86_400_000
const nothing = Buffer.alloc(32)

/** Returns the moment some days after another one. */
export function afterDays(now: Date, days: number): Date {
  return new Date(now.getTime() + days * dayMs)
}

/** Returns the time from the creation of a token to its end, in milliseconds; `Infinity` without an end. */
export function lifeMsOf({
  createdAt,
  expiresAt,
}: {
  readonly createdAt: Date
  readonly expiresAt: Date | null
}): number {
  return expiresAt === null ? Infinity : expiresAt.getTime() - createdAt.getTime()
}

/** Returns why a presented token is refused, and `undefined` for a good one. The time it takes tells nothing of the stored hash. */
export function judgeToken(
  stored:
    | {
        readonly hash: Buffer | null
        readonly expiresAt: Date | null
        readonly endedAt: Date | null
      }
    | undefined,
  presentedHash: Buffer,
  now: Date,
): TokenFailure | undefined {
  const equal = timingSafeEqual(presentedHash, stored?.hash ?? nothing)
  if (stored === undefined || !equal) return 'invalid'
  if (stored.endedAt !== null) return 'revoked'
  return stored.expiresAt !== null && stored.expiresAt <= now ? 'expired' : undefined
}

/** Returns the end that somebody wants for a token. @throws {Problem} `validation_failed` when it is past, or after `latest`. */
export function requireEnd(
  text: string,
  now: Date,
  latest?: { readonly at: Date; readonly detail: string },
): Date {
  const moment = new Date(text)
  if (!(moment > now)) throw refuseEnd('This time is in the past. Use a later one.')
  if (latest !== undefined && moment > latest.at) throw refuseEnd(latest.detail)
  return moment
}

function refuseEnd(detail: string): Problem {
  return new Problem('validation_failed', `/expiresAt: ${detail}`, {
    errors: [{ pointer: '/expiresAt', code: 'validation_failed', detail }],
  })
}

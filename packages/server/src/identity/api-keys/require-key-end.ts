import { Problem } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import { afterDays } from '../personal-tokens/token-rules.ts'
import { fewerDays, longestLifeMs } from '../organizations/policies/policies.ts'
import { findPolicies } from '../organizations/policies/rows.ts'

const defaultDays = 90

/** Returns the end of a key that is made now and names none: a forgotten key does not stay good for ever. */
export function defaultKeyEnd(now: Date, tokenDays: number | null = null): Date {
  return afterDays(now, fewerDays(defaultDays, tokenDays))
}

export interface RequireKeyEnd {
  readonly orgId: string
  /** `undefined`: the caller names none. `null`: the key is to work until it is revoked. */
  readonly expiresAt: Date | null | undefined
  readonly now: Date
}

/**
 * Returns the end of a key as the policies of the organization allow it. A key that names none ends after 90 days, or sooner.
 *
 * @throws {Problem} `validation_failed` for a later end than they allow
 */
export async function requireKeyEnd(
  tx: Tx,
  { orgId, expiresAt, now }: RequireKeyEnd,
): Promise<Date | null> {
  const tokenDays = (await findPolicies(tx, orgId))?.tokenDays ?? null
  if (expiresAt === undefined) return defaultKeyEnd(now, tokenDays)
  if (tokenDays === null) return expiresAt
  const lifeMs = expiresAt === null ? Infinity : expiresAt.getTime() - now.getTime()
  if (lifeMs <= longestLifeMs(tokenDays)) return expiresAt
  const detail = `Keys of this organization work for at most ${tokenDays} days from now. Use an earlier time. An owner changes this under Settings, Policies.`
  throw new Problem('validation_failed', `/expiresAt: ${detail}`, {
    errors: [{ pointer: '/expiresAt', code: 'validation_failed', detail }],
  })
}

import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import { sessionCookie } from '../sessions/session.ts'
import { fromOwnPage, type IdentityApp } from './open-identity-app.ts'

/** A browser that is signed in as a person who has just typed the password. Returns the headers that it sends. */
export async function beginSession(
  { test, clock }: Pick<IdentityApp, 'test' | 'clock'>,
  userId: string,
): Promise<Record<string, string>> {
  const { token, hash } = newOpaqueToken()
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + 24 * 3600 * 1000)
  await test.asOwner(
    `insert into sessions (token_hash, user_id, created_at, authenticated_at, used_at, expires_at)
     values ($1, $2, $3, $3, $3, $4)`,
    [hash, userId, now, expiresAt],
  )
  return fromOwnPage(`${sessionCookie}=${token}`)
}

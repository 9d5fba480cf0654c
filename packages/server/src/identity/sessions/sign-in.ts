import { Problem } from '@signalbox/contract'
import {
  serverChain,
  systemAuthor,
  type AuditRequest,
  type Author,
} from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { verifyPassword } from '../../crypto/passwords.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Store } from '../../store/store.ts'
import { findUserByEmail, type UserRow } from '../user-rows.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import type { SignInDelays } from './sign-in-delays.ts'

export interface SignInDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly limiter: RateLimiter
  readonly delays: SignInDelays
  readonly now: () => Date
}

export interface SignIn {
  readonly email: string
  readonly password: string
  readonly request: AuditRequest
}

export interface SignedIn {
  readonly user: Pick<UserRow, 'id' | 'name' | 'email'>
  readonly session: OpenedSession
}

/**
 * Signs a person in. Whether the account or the password was wrong shows neither in the answer nor in its time.
 *
 * @throws {Problem} `invalid_credentials`, or `rate_limited` before anything is looked up.
 */
export async function signIn(
  { store, limiter, delays, now }: SignInDeps,
  { email, password, request }: SignIn,
): Promise<SignedIn> {
  requirePatience({ limiter, delays }, email)
  const user = await store.transaction({ orgId: serverChain }, (tx) => findUserByEmail(tx, email))
  if (!(await verifyPassword(user?.passwordHash ?? undefined, password)) || user === undefined) {
    delays.recordFailure(email)
    await recordFailedSignIn(store, user, request)
    const detail = 'The e-mail address or the password is wrong.'
    throw new Problem('invalid_credentials', detail)
  }
  delays.recordSuccess(email)
  const session = await store.transaction({ orgId: serverChain, userId: user.id }, async (tx) => {
    const opened = await openSession(tx, { userId: user.id, request, now: now() })
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: authorOf(user),
      action: 'auth.login',
      target: { type: 'user', id: user.id, name: user.name },
      request,
    })
    return opened
  })
  return { user: { id: user.id, name: user.name, email: user.email }, session }
}

/** The same for accounts that do not exist, or the wait would tell. */
function requirePatience(
  { limiter, delays }: Pick<SignInDeps, 'limiter' | 'delays'>,
  email: string,
) {
  const waitMs = Math.max(delays.waitMs(email), limiter.bucket('signInAccount').take(email))
  if (waitMs === 0) return
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  const detail = `There were too many tries for this account. Wait ${retryAfterSeconds} s.`
  throw new Problem('rate_limited', detail, { retryAfterSeconds })
}

async function recordFailedSignIn(
  store: Pick<Store, 'transaction'>,
  user: UserRow | undefined,
  request: AuditRequest,
): Promise<void> {
  const target = { type: 'user', id: user?.id ?? null, name: user?.name ?? null }
  await store.transaction({ orgId: serverChain }, async (tx) =>
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: systemAuthor,
      action: 'auth.login_failed',
      target,
      request,
    }),
  )
}

function authorOf({ id, name }: UserRow): Author {
  return { type: 'user', id, name }
}

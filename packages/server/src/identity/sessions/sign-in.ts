import { Problem } from '@signalbox/contract'
import {
  serverChain,
  systemAuthor,
  type AuditRequest,
  type Author,
} from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { verifyPassword } from '../../crypto/passwords.ts'
import { addressSubject } from '../../http/client-address.ts'
import type { Store } from '../../store/store.ts'
import { findUserByEmail, type UserRow } from '../user-rows.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import type { PasswordGuard } from './password-guard.ts'

export interface SignInDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly guard: PasswordGuard
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
  { store, guard, now }: SignInDeps,
  { email, password, request }: SignIn,
): Promise<SignedIn> {
  const attempt = { account: email, network: addressSubject(request.ip) }
  guard.admit(attempt)
  const user = await store.transaction({ orgId: serverChain }, (tx) => findUserByEmail(tx, email))
  if (!(await verifyPassword(user?.passwordHash ?? undefined, password)) || user === undefined) {
    guard.recordFailure(attempt)
    await recordFailedSignIn(store, user, request)
    const detail = 'The e-mail address or the password is wrong.'
    throw new Problem('invalid_credentials', detail)
  }
  guard.recordSuccess(attempt)
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

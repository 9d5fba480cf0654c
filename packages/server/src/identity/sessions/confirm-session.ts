import { Problem } from '@signalbox/contract'
import { serverChain, systemAuthor, type AuditRequest } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import { verifyPassword } from '../../crypto/passwords.ts'
import type { UserActor } from '../../http/actor.ts'
import { addressSubject } from '../../http/client-address.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { findUserByEmail } from '../user-rows.ts'
import { markSessionConfirmed } from './rows.ts'
import type { SignInDeps } from './sign-in.ts'

export interface ConfirmSession {
  /** Of this browser's session. */
  readonly token: string | undefined
  readonly password: string
  readonly caller: Pick<Caller, 'actor' | 'request'>
}

/**
 * Notes that the person of this session typed the password just now. Guessing costs what it costs at the sign-in.
 *
 * @throws {Problem} `invalid_credentials`, `rate_limited`; `not_found` when the caller has no session here.
 */
export async function confirmSession(
  { store, guard, now }: SignInDeps,
  { token, password, caller }: ConfirmSession,
): Promise<void> {
  const { actor, request } = caller
  const tokenHash = hashOpaqueToken(token ?? '')
  if (actor.type !== 'user' || actor.via !== 'session' || tokenHash === undefined) {
    throw new Problem('not_found', 'There is no session to confirm.')
  }
  const { userId } = actor
  const attempt = { account: actor.email, network: addressSubject(request.ip) }
  guard.admit(attempt)
  const user = await store.transaction({ orgId: null }, (tx) => findUserByEmail(tx, actor.email))
  if (!(await verifyPassword(user?.passwordHash ?? undefined, password))) {
    guard.recordFailure(attempt)
    await recordFailure(store, actor, request)
    throw new Problem('invalid_credentials', 'The password is wrong.')
  }
  guard.recordSuccess(attempt)
  await store.transaction({ orgId: serverChain, userId }, async (tx) => {
    await markSessionConfirmed(tx, tokenHash, now())
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'auth.confirmed',
      target: { type: 'user', id: userId, name: actor.name },
      request,
    })
  })
}

/** Whoever types it wrong need not be the person of the session. */
async function recordFailure(
  store: Pick<Store, 'transaction'>,
  { userId, name }: UserActor,
  request: AuditRequest,
): Promise<void> {
  await store.transaction({ orgId: serverChain }, async (tx) =>
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: systemAuthor,
      action: 'auth.confirm_failed',
      target: { type: 'user', id: userId, name },
      request,
    }),
  )
}

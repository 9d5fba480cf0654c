import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import type { Caller } from '../caller.ts'
import { requireSession } from '../sessions/require-session.ts'
import { replaceSessions } from '../sessions/end-sessions.ts'
import type { OpenedSession } from '../sessions/open-session.ts'
import { authenticateByPassword, type ProofDeps } from '../sessions/authenticate-by-password.ts'
import { updatePasswordHash } from '../user-rows.ts'
import { requireUncommonPassword } from './judge-password.ts'

export interface ChangePassword {
  readonly currentPassword: string
  readonly newPassword: string
  /** Holds the code of the second factor. */
  readonly code?: string | undefined
  readonly caller: Caller
}

/**
 * Changes the caller's password. Every session ends, on every node at once; the browser that asks gets the
 * one in the result.
 *
 * @throws {Problem} as `authenticateByPassword` does; `session_required`; `validation_failed` for a password that is guessed first
 */
export async function changePassword(
  deps: ProofDeps,
  { currentPassword, newPassword, code, caller }: ChangePassword,
): Promise<OpenedSession> {
  const actor = requireSession(caller.actor)
  const { userId, email, name } = actor
  const { request } = caller
  requireUncommonPassword(newPassword, '/newPassword')
  const passwordHash = await hashPassword(newPassword)
  const wrongPassword = 'The current password is wrong.'
  const failure = 'auth.confirm_failed'
  const passwordField = '/currentPassword'
  const password = currentPassword
  const proof = { email, password, code, request, failure, wrongPassword, passwordField } as const
  return authenticateByPassword(deps, proof, async (tx) => {
    await updatePasswordHash(tx, userId, passwordHash)
    const { session, ended } = await replaceSessions(tx, { userId, request, now: deps.now() })
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'auth.password_changed',
      target: { type: 'user', id: userId, name },
      detail: { sessionsEnded: ended },
      request,
    })
    return session
  })
}

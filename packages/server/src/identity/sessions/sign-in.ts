import { serverChain, type AuditRequest } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { UserRow } from '../user-rows.ts'
import { endFormerSession, signOutFormerPerson } from './end-former-session.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import { authenticateByPassword, type ProofDeps } from './authenticate-by-password.ts'

export interface SignIn {
  readonly email: string
  readonly password: string
  /** Holds the code of the second factor. */
  readonly code?: string | undefined
  /** The session that the browser has until now, if any. */
  readonly formerToken?: string | undefined
  readonly request: AuditRequest
}

/** Describes the person who signed in, and the session. */
export interface SignedIn {
  readonly user: Pick<UserRow, 'id' | 'name' | 'email'>
  readonly session: OpenedSession
}

/**
 * Signs a person in, and ends the session that the browser had before. No session exists before everything that the account
 * asks for was right.
 *
 * @throws {Problem} as `authenticateByPassword` does.
 */
export async function signIn(deps: ProofDeps, attempt: SignIn): Promise<SignedIn> {
  const wrongPassword = 'The e-mail address or the password is wrong.'
  const proof = { ...attempt, failure: 'auth.login_failed', wrongPassword } as const
  const { formerToken, request } = attempt
  const signedIn = await authenticateByPassword(deps, proof, async (tx, { user, secondFactor }) => {
    const { id, name, email } = user
    await endFormerSession(tx, formerToken)
    const session = await openSession(tx, { userId: id, request, now: deps.now() })
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: { type: 'user', id, name },
      action: 'auth.login',
      target: { type: 'user', id, name },
      detail: secondFactor === 'none' ? {} : { secondFactor },
      request,
    })
    return { user: { id, name, email }, session }
  })
  await signOutFormerPerson(deps, { token: formerToken, userId: signedIn.user.id, request })
  return signedIn
}

import { serverChain, type AuditRequest } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { UserRow } from '../user-rows.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import { provePerson, type ProofDeps } from './prove-person.ts'

export interface SignIn {
  readonly email: string
  readonly password: string
  /** Of the second factor. */
  readonly code?: string | undefined
  readonly request: AuditRequest
}

export interface SignedIn {
  readonly user: Pick<UserRow, 'id' | 'name' | 'email'>
  readonly session: OpenedSession
}

/**
 * Signs a person in. No session exists before everything that the account asks for was right.
 *
 * @throws {Problem} as `provePerson` does.
 */
export async function signIn(deps: ProofDeps, given: SignIn): Promise<SignedIn> {
  const wrongPassword = 'The e-mail address or the password is wrong.'
  const proof = { ...given, failure: 'auth.login_failed', wrongPassword } as const
  return provePerson(deps, proof, async (tx, { user, secondFactor }) => {
    const { id, name, email } = user
    const session = await openSession(tx, { userId: id, request: given.request, now: deps.now() })
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: { type: 'user', id, name },
      action: 'auth.login',
      target: { type: 'user', id, name },
      detail: secondFactor === 'none' ? {} : { secondFactor },
      request: given.request,
    })
    return { user: { id, name, email }, session }
  })
}

import { Problem } from '@signalbox/contract'
import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { Caller } from '../caller.ts'
import { authenticateByPassword, type ProofDeps } from './authenticate-by-password.ts'
import { markSessionConfirmed } from './rows.ts'

export interface ConfirmSession {
  /** Holds the token of this browser's session. */
  readonly token: string | undefined
  readonly password: string
  /** Holds the code of the second factor. */
  readonly code?: string | undefined
  readonly caller: Pick<Caller, 'actor' | 'request'>
}

/**
 * Records that the person of this session has just proved who they are. Wrong passwords are delayed as at the sign-in.
 *
 * @throws {Problem} as `authenticateByPassword` does; `not_found` when the caller has no session here.
 */
export async function confirmSession(
  deps: ProofDeps,
  { token, password, code, caller }: ConfirmSession,
): Promise<void> {
  const { actor, request } = caller
  const tokenHash = hashOpaqueToken(token ?? '')
  if (actor.type !== 'user' || actor.via !== 'session' || tokenHash === undefined) {
    throw new Problem('not_found', 'There is no session to confirm.')
  }
  const wrongPassword = 'The password is wrong.'
  const failure = 'auth.confirm_failed'
  const proof = { email: actor.email, password, code, request, failure, wrongPassword } as const
  await authenticateByPassword(deps, proof, async (tx) => {
    await markSessionConfirmed(tx, tokenHash, deps.now())
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'auth.confirmed',
      target: { type: 'user', id: actor.userId, name: actor.name },
      request,
    })
  })
}

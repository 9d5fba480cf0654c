import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import type { Store } from '../../store/store.ts'
import { findSession, touchSession } from './rows.ts'
import { idleMsOf, isSessionAlive, sessionIdOf, sessionTouchMs } from './session.ts'

/** Describes the person of a session, and the session. */
export type FoundSession =
  | { readonly outcome: 'valid'; readonly actor: UserActor }
  | { readonly outcome: 'invalid' | 'expired' }

/** Finds the person of a session's cookie, and notes its use. */
export async function findSessionActor(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  token: string,
): Promise<FoundSession> {
  const tokenHash = hashOpaqueToken(token)
  if (tokenHash === undefined) return { outcome: 'invalid' }
  const moment = now()
  const session = await store.transaction({ orgId: null }, (tx) => findSession(tx, tokenHash))
  if (session === undefined) return { outcome: 'invalid' }
  if (!isSessionAlive(session, moment)) return { outcome: 'expired' }
  const { userId, name, email, usedAt, authenticatedAt } = session
  const idleMs = idleMsOf(session, moment)
  if (moment.getTime() - usedAt.getTime() >= sessionTouchMs) {
    await store.transaction({ orgId: null, userId }, (tx) => touchSession(tx, tokenHash, moment))
  }
  const credentialId = sessionIdOf(tokenHash)
  return {
    outcome: 'valid',
    actor: {
      type: 'user',
      userId,
      name,
      email,
      via: 'session',
      credentialId,
      authenticatedAt,
      idleMs,
    },
  }
}

import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { refuseWaitingDevices } from '../devices/rows.ts'
import { requirePerson } from '../personal-tokens/require-person.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import { deleteOtherSessions, deleteSessionById } from './rows.ts'

interface EndSessionDeps {
  readonly store: Pick<Store, 'transaction'>
}

/**
 * Ends one session of the person who asks, on every node at once, and discards approvals that no device has fetched
 * yet, because that session may have given them. Returns whether it was the one that asked.
 *
 * @throws {Problem} `not_found` for a session that is over, absent or someone else's.
 */
export async function endSession(
  { store }: EndSessionDeps,
  { sessionId, caller }: { readonly sessionId: string; readonly caller: Caller },
): Promise<{ readonly wasCurrent: boolean }> {
  const actor = requirePerson(caller.actor)
  const { userId } = actor
  return store.transaction({ orgId: serverChain, userId }, async (tx) => {
    if (!(await deleteSessionById(tx, userId, sessionId))) throw notFound()
    await refuseWaitingDevices(tx, userId)
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'session.ended',
      target: { type: 'session', id: sessionId, name: null },
      request: caller.request,
    })
    return { wasCurrent: actor.credentialId === sessionId }
  })
}

/** Ends all sessions of the caller but the present one; all of them when the caller uses a token. */
export async function endOtherSessions(
  { store }: EndSessionDeps,
  { caller }: { readonly caller: Caller },
): Promise<void> {
  const actor = requirePerson(caller.actor)
  const { userId, via, credentialId } = actor
  await store.transaction({ orgId: serverChain, userId }, async (tx) => {
    const ended = await deleteOtherSessions(tx, userId, via === 'session' ? credentialId : null)
    await refuseWaitingDevices(tx, userId)
    if (ended === 0) return
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'session.others_ended',
      target: { type: 'user', id: userId, name: actor.name },
      detail: { ended },
      request: caller.request,
    })
  })
}

/**
 * Ends every session of a person and begins another one for the browser that asks, in the caller's transaction: what the
 * sessions were opened by has changed, and the cookie of the present one may be known to others as well.
 */
export async function replaceSessions(
  tx: Tx,
  begin: Parameters<typeof openSession>[1],
): Promise<{ readonly session: OpenedSession; readonly ended: number }> {
  const ended = await deleteOtherSessions(tx, begin.userId, null)
  await refuseWaitingDevices(tx, begin.userId)
  tx.announce('credentials')
  return { session: await openSession(tx, begin), ended }
}

import { serverChain, type AuditRequest } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { Store, Tx } from '../../store/store.ts'
import { deleteSession, findSession } from './rows.ts'

/**
 * Ends the session that a browser had before a sign-in, in the transaction that begins the new one. The new cookie replaces
 * the old one, so that nothing else would end it. Reaches only sessions of the transaction's person.
 */
export async function endFormerSession(tx: Tx, token: string | undefined): Promise<void> {
  const tokenHash = hashOpaqueToken(token ?? '')
  if (tokenHash !== undefined && (await deleteSession(tx, tokenHash))) tx.announce('credentials')
}

interface FormerPerson {
  /** The session that the browser had. */
  readonly token: string | undefined
  /** Names the person who has signed in to it. */
  readonly userId: string
  readonly request: AuditRequest
}

/** Ends the session of another person in a browser, after a new person has signed in to it. */
export async function signOutFormerPerson(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { token, userId, request }: FormerPerson,
): Promise<void> {
  const tokenHash = hashOpaqueToken(token ?? '')
  if (tokenHash === undefined) return
  const former = await store.transaction({ orgId: null }, (tx) => findSession(tx, tokenHash))
  if (former === undefined || former.userId === userId) return
  const { userId: id, name } = former
  await store.transaction({ orgId: serverChain, userId: id }, async (tx) => {
    if (!(await deleteSession(tx, tokenHash))) return
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: { type: 'user', id, name },
      action: 'auth.logout',
      target: { type: 'user', id, name },
      request,
    })
  })
}

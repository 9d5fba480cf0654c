import { Problem } from '@signalbox/contract'
import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { deleteSession } from './rows.ts'

/**
 * Ends the session of this browser, on every node at once.
 *
 * @throws {Problem} `not_found` when the caller came with a token and has no session here.
 */
export async function signOut(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { token, caller }: { readonly token: string | undefined; readonly caller: Caller },
): Promise<void> {
  const { actor, request } = caller
  const tokenHash = hashOpaqueToken(token ?? '')
  if (actor.type !== 'user' || actor.via !== 'session' || tokenHash === undefined) {
    throw new Problem('not_found', 'There is no session to end.')
  }
  await store.transaction({ orgId: serverChain, userId: actor.userId }, async (tx) => {
    if (!(await deleteSession(tx, tokenHash))) return
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'auth.logout',
      target: { type: 'user', id: actor.userId, name: actor.name },
      request,
    })
  })
}

import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { requirePerson } from './require-person.ts'
import { markPersonalTokenRevoked } from './rows.ts'

/**
 * Revokes a token of the caller, on every node at once: each request looks tokens up in the database.
 *
 * @throws {Problem} `not_found` for a token that is revoked, absent or someone else's.
 */
export async function revokePersonalToken(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  { tokenId, caller }: { readonly tokenId: string; readonly caller: Caller },
): Promise<void> {
  const actor = requirePerson(caller.actor)
  await store.transaction({ ...caller.scope, orgId: serverChain }, async (tx) => {
    const revoked = { userId: actor.userId, id: tokenId, revokedAt: now() }
    const name = await markPersonalTokenRevoked(tx, revoked)
    if (name === undefined) throw notFound()
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'token.revoked',
      target: { type: 'personal_access_token', id: tokenId, name },
      request: caller.request,
    })
  })
}

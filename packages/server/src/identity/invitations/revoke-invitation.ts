import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { deleteInvitation } from './rows.ts'

export interface RevokeInvitation {
  readonly orgId: string
  readonly invitationId: string
  readonly caller: Caller
}

/**
 * Withdraws an invitation: its link opens nothing any more.
 *
 * @throws {Problem} `not_found`
 */
export async function revokeInvitation(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { orgId, invitationId, caller }: RevokeInvitation,
): Promise<void> {
  const { actor, scope, request } = caller
  await store.transaction(scope, async (tx) => {
    const email = await deleteInvitation(tx, orgId, invitationId)
    if (email === undefined) throw notFound()
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'invitation.revoked',
      target: { type: 'invitation', id: invitationId, name: email },
      request,
    })
  })
}

import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { deleteInvitationsBy } from '../invitations/rows.ts'
import { holdMembers, requireAdmin } from './hold-members.ts'
import { lastOwner, mayManage, ownersOnly } from './member.ts'
import { countOwners, deleteMember, findMember } from './rows.ts'

export interface RemoveMember {
  readonly orgId: string
  readonly userId: string
  readonly caller: Caller
}

/**
 * Removes a member from an organization, or lets them leave it. Their access ends with the answer, on every node; their
 * sessions and tokens are their own and reach what else they are a member of. What they had invited to ends.
 *
 * @throws {Problem} `role_forbidden`, `last_owner`; `not_found` for a person who is no member.
 */
export async function removeMember(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { orgId, userId, caller }: RemoveMember,
): Promise<void> {
  const { actor, scope, request } = caller
  await store.transaction(scope, async (tx) => {
    const acting = await holdMembers(tx, orgId, actor)
    const isLeaving = actor.type === 'user' && actor.userId === userId
    if (!isLeaving) requireAdmin(acting)
    const member = await findMember(tx, orgId, userId)
    if (member === undefined) throw notFound()
    if (!isLeaving && !mayManage(acting, member.role)) throw ownersOnly()
    if (member.role === 'owner' && (await countOwners(tx, orgId)) === 1) throw lastOwner()
    await deleteMember(tx, orgId, userId)
    const invitationsEnded = await deleteInvitationsBy(tx, orgId, { userId, role: null })
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: isLeaving ? 'member.left' : 'member.removed',
      target: { type: 'member', id: userId, name: member.name },
      detail: { role: member.role, invitationsEnded },
      request,
    })
  })
}

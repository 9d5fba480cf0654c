import type { Role } from '@signalbox/contract'
import { makerOf, toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { deleteInvitationsBy } from '../invitations/rows.ts'
import { holdMembers, requireAdmin } from './hold-members.ts'
import { lastOwner, mayGrant, mayManage, ownersOnly, type Member } from './member.ts'
import { countOwners, findMember, updateMemberRole } from './rows.ts'

export interface ChangeRole {
  readonly orgId: string
  readonly userId: string
  readonly role: Role
  readonly caller: Caller
}

/**
 * Changes the role of a member. It applies from the next request on, on every node. What they had invited to and may not
 * invite to any more ends.
 *
 * @throws {Problem} `role_forbidden`, `last_owner`; `not_found` for a person who is no member.
 */
export async function changeRole(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { orgId, userId, role, caller }: ChangeRole,
): Promise<Member> {
  const { actor, scope, request } = caller
  return store.transaction(scope, async (tx) => {
    const acting = await holdMembers(tx, orgId, actor)
    requireAdmin(acting)
    const member = await findMember(tx, orgId, userId)
    if (member === undefined) throw notFound()
    if (member.role === role) return member
    if (!mayManage(acting, member.role) || !mayGrant(acting, role)) throw ownersOnly()
    if (member.role === 'owner' && (await countOwners(tx, orgId)) === 1) throw lastOwner()
    const grantedBy = makerOf({ author: toAuthor(actor), request })
    await updateMemberRole(tx, { orgId, userId, role, grantedBy })
    const invitationsEnded = await deleteInvitationsBy(tx, orgId, { userId, role })
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'member.role_changed',
      target: { type: 'member', id: userId, name: member.name },
      detail: { from: member.role, to: role, invitationsEnded },
      request,
    })
    return { ...member, role, grantedBy }
  })
}

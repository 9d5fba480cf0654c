import { makerOf, toAuthor } from '../../../audit/author.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { Tx } from '../../../store/store.ts'
import { deleteInvitationsOfLesser } from '../../invitations/rows.ts'
import { findMember } from '../rows.ts'
import { holdGroup, recordGroup, type GroupDeps, type OfGroup } from './change-groups.ts'
import { requireManual, type Group, type GroupMember } from './group.ts'
import { deleteGroupMember, findGroupMember, insertGroupMember } from './rows.ts'

interface OfMember extends OfGroup {
  readonly userId: string
}

/**
 * Adds a member to a group. It counts from the next request on, on every node. Once more changes nothing.
 *
 * @throws {Problem} `not_found`, `conflict` for a group whose members something else chooses
 */
export async function addGroupMember(
  { store }: Pick<GroupDeps, 'store'>,
  of: OfMember,
): Promise<GroupMember> {
  const { caller } = of
  return store.transaction(caller.scope, async (tx) => {
    const { group, row, name } = await holdMember(tx, of)
    const addedBy = makerOf({ author: toAuthor(caller.actor), request: caller.request })
    if (await insertGroupMember(tx, { ...row, addedBy })) {
      tx.announce('credentials')
      const detail = { userId: of.userId, name }
      recordGroup(tx, of, { action: 'group.member_added', group, detail })
    }
    const member = await findGroupMember(tx, row)
    if (member === undefined) throw notFound()
    return member
  })
}

/**
 * Takes a member out of a group, and with it what the member had invited to and may not invite to any more.
 *
 * @throws {Problem} `not_found`, `conflict` for a group whose members something else chooses
 */
export async function removeGroupMember(
  { store }: Pick<GroupDeps, 'store'>,
  of: OfMember,
): Promise<void> {
  await store.transaction(of.caller.scope, async (tx) => {
    const { group, row, name } = await holdMember(tx, of)
    if (!(await deleteGroupMember(tx, row))) return
    tx.announce('credentials')
    const invitationsEnded = await deleteInvitationsOfLesser(tx, of.orgId)
    const detail = { userId: of.userId, name, invitationsEnded }
    recordGroup(tx, of, { action: 'group.member_removed', group, detail })
  })
}

async function holdMember(tx: Tx, of: OfMember) {
  const { orgId, groupId, userId } = of
  const group: Group = await holdGroup(tx, of)
  const member = await findMember(tx, orgId, userId)
  if (member === undefined) throw notFound()
  requireManual(group)
  return { group, row: { orgId, groupId, userId }, name: member.name }
}

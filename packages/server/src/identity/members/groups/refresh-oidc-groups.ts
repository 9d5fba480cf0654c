import { systemAuthor } from '../../../audit/audit-event.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import type { Store, Tx } from '../../../store/store.ts'
import { deleteInvitationsOfLesser } from '../../invitations/rows.ts'
import { deleteGroupMember, insertGroupMember } from './rows.ts'

/** Describes a group that the sign-in fills, and whether the person is in it. */
interface SignInGroup {
  readonly orgId: string
  readonly id: string
  readonly name: string
  readonly isIn: boolean
}

/** Describes somebody who has just signed in with an identity provider. */
interface SignedInPerson {
  readonly userId: string
  readonly name: string
  /** Names the organization whose provider it is. Left out: that of the settings, for those that have none of their own. */
  readonly orgId?: string
  /** Reads the names of their groups there. Called only where an organization of theirs has such groups. */
  readonly readGroups: () => Promise<readonly string[]>
}

/**
 * Puts a person into the groups that the identity provider names, of those that their organizations have for it, and takes them out
 * of the others. Names are compared without the case of their letters. A provider that names none takes the person out of all.
 */
export async function refreshOidcGroups(
  { store }: { readonly store: Pick<Store, 'transaction' | 'maintenance'> },
  { userId, name, orgId: own, readGroups }: SignedInPerson,
): Promise<void> {
  const groups = await store.maintenance((tx) => listSignInGroups(tx, userId, own))
  if (groups.length === 0) return
  const names = new Set((await readGroups()).map((each) => each.toLowerCase()))
  const changed = groups.filter((group) => names.has(group.name.toLowerCase()) !== group.isIn)
  for (const [orgId, each] of Map.groupBy(changed, (group) => group.orgId)) {
    await store.transaction({ orgId, userId }, async (tx) => {
      for (const group of each) await change(tx, group, { userId, name })
      await deleteInvitationsOfLesser(tx, orgId)
      tx.announce('credentials')
    })
  }
}

async function change(
  tx: Tx,
  { orgId, id, name, isIn }: SignInGroup,
  person: { readonly userId: string; readonly name: string },
): Promise<void> {
  const row = { orgId, groupId: id, userId: person.userId }
  const isChanged = isIn
    ? await deleteGroupMember(tx, row)
    : await insertGroupMember(tx, { ...row, addedBy: null })
  if (!isChanged) return
  recordAuditEvent(tx, {
    orgId,
    actor: systemAuthor,
    action: isIn ? 'group.member_removed' : 'group.member_added',
    target: { type: 'group', id, name },
    detail: { ...person, bySignIn: true },
  })
}

/** Lists the groups of the organizations of a person that a sign-in fills, for maintenance. */
async function listSignInGroups(
  tx: Tx,
  userId: string,
  orgId: string | undefined,
): Promise<SignInGroup[]> {
  return tx.query<SignInGroup>({
    name: 'list-sign-in-groups',
    text: `select g.org_id as "orgId", g.id, g.name, exists (select from group_members p
        where p.org_id = g.org_id and p.group_id = g.id and p.user_id = m.user_id) as "isIn"
      from members m join organizations o on o.id = m.org_id and o.deleted_at is null
      join member_groups g on g.org_id = m.org_id and g.source = 'oidc'
      where m.user_id = $1 and case when $2::text is null
        then not exists (select from sign_in_providers s where s.org_id = m.org_id) else m.org_id = $2 end
      order by g.org_id, g.id`,
    values: [userId, orgId ?? null],
  })
}

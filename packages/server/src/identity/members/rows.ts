import { roleEverywhere, type Grant, type Role } from '@signalbox/contract'
import type { Maker } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'
import { grantsOfMember, type PageAfter } from '../organizations/rows.ts'
import type { Member } from './member.ts'

const columns = `m.user_id as "userId", u.name, u.email, m.role, m.created_at as "joinedAt",
  m.granted_by as "grantedBy"`
/** Any use of the server, of whichever organization. Sessions that ended say nothing any more. */
const lastSeen = `greatest((select max(s.used_at) from sessions s where s.user_id = m.user_id),
  (select max(t.last_used_at) from personal_access_tokens t where t.user_id = m.user_id)) as "lastSeenAt"`

/** Lists the members of an organization, the oldest account first. */
export async function listMemberRows(
  tx: Tx,
  orgId: string,
  { afterId = '', limit }: PageAfter,
): Promise<Member[]> {
  return tx.query<Member>({
    name: 'list-members',
    text: `select ${columns}, ${lastSeen} from members m join users u on u.id = m.user_id
      where m.org_id = $1 and m.user_id > $2 order by m.user_id limit $3`,
    values: [orgId, afterId, limit],
  })
}

/** Finds a member of an organization. */
export async function findMember(
  tx: Tx,
  orgId: string,
  userId: string,
): Promise<Member | undefined> {
  const [row] = await tx.query<Member>({
    name: 'find-member',
    text: `select ${columns}, ${lastSeen} from members m join users u on u.id = m.user_id
      where m.org_id = $1 and m.user_id = $2`,
    values: [orgId, userId],
  })
  return row
}

/** Finds the role that a member has everywhere, by their own or by a grant. */
export async function findMemberRole(
  tx: Tx,
  orgId: string,
  userId: string,
): Promise<Role | undefined> {
  const [row] = await tx.query<{ role: Role; grants: Grant[] }>({
    name: 'find-member-role',
    text: `select m.role, ${grantsOfMember} from members m where m.org_id = $1 and m.user_id = $2`,
    values: [orgId, userId],
  })
  return row && roleEverywhere(row.role, row.grants)
}

/** Returns whether a person with this address is a member. */
export async function hasMemberWithEmail(tx: Tx, orgId: string, email: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-member-with-email',
    text: `select 1 from members m join users u on u.id = m.user_id where m.org_id = $1 and u.email = $2`,
    values: [orgId, email],
  })
  return rows.length > 0
}

/** Counts the owners of an organization. */
export async function countOwners(tx: Tx, orgId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-owners',
    text: `select count(*) as count from members where org_id = $1 and role = 'owner'`,
    values: [orgId],
  })
  return row?.count ?? 0
}

/** Describes a role that somebody gives to a member. */
interface GrantedRole {
  readonly orgId: string
  readonly userId: string
  readonly role: Role
  readonly grantedBy: Maker
}

export async function updateMemberRole(
  tx: Tx,
  { orgId, userId, role, grantedBy }: GrantedRole,
): Promise<void> {
  await tx.query({
    name: 'update-member-role',
    text: 'update members set role = $3, granted_by = $4 where org_id = $1 and user_id = $2',
    values: [orgId, userId, role, JSON.stringify(grantedBy)],
  })
}

/** Deletes a membership. */
export async function deleteMember(tx: Tx, orgId: string, userId: string): Promise<void> {
  await tx.query({
    name: 'delete-member',
    text: 'delete from members where org_id = $1 and user_id = $2',
    values: [orgId, userId],
  })
}

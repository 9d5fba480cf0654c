import type { Maker } from '../../../audit/audit-event.ts'
import type { Tx } from '../../../store/store.ts'
import type { PageAfter } from '../../organizations/rows.ts'
import type { Group, GroupMember } from './group.ts'

const columns = `g.id, g.name, g.source, g.created_at as "createdAt", g.created_by as "createdBy", g.revision,
  (select count(*) from group_members p where p.org_id = g.org_id and p.group_id = g.id) as "memberCount"`

/** Describes a group that is to be stored. */
interface NewGroup extends Pick<Group, 'id' | 'name' | 'source' | 'createdAt' | 'createdBy'> {
  readonly orgId: string
  /** Holds the name that a directory has for it. `null`: none. */
  readonly externalId: string | null
}

/** Inserts a group. Returns false when another one has the name, in any case of its letters. */
export async function insertGroup(tx: Tx, group: NewGroup): Promise<boolean> {
  const { orgId, id, name, source, externalId, createdAt, createdBy } = group
  const rows = await tx.query({
    name: 'insert-group',
    text: `insert into member_groups (org_id, id, name, source, external_id, created_at, created_by)
      values ($1, $2, $3, $4, $5, $6, $7) on conflict (org_id, lower(name)) do nothing returning 1`,
    values: [orgId, id, name, source, externalId, createdAt, JSON.stringify(createdBy)],
  })
  return rows.length === 1
}

/** Counts the groups of an organization. */
export async function countGroups(tx: Tx, orgId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-groups',
    text: 'select count(*) as count from member_groups where org_id = $1',
    values: [orgId],
  })
  return row?.count ?? 0
}

/** Lists the groups of an organization, the oldest first. */
export async function listGroupRows(
  tx: Tx,
  orgId: string,
  { afterId = '', limit }: PageAfter,
): Promise<Group[]> {
  return tx.query<Group>({
    name: 'list-groups',
    text: `select ${columns} from member_groups g where g.org_id = $1 and g.id > $2 order by g.id limit $3`,
    values: [orgId, afterId, limit],
  })
}

export async function findGroup(tx: Tx, orgId: string, id: string): Promise<Group | undefined> {
  const [row] = await tx.query<Group>({
    name: 'find-group',
    text: `select ${columns} from member_groups g where g.org_id = $1 and g.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Renames a group, unless another one has the name. Returns whether it did. */
export async function renameGroup(
  tx: Tx,
  orgId: string,
  { id, name }: Pick<Group, 'id' | 'name'>,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'rename-group',
    text: `update member_groups set name = $3, revision = revision + 1 where org_id = $1 and id = $2
      and not exists (select from member_groups o where o.org_id = $1 and o.id <> $2 and lower(o.name) = lower($3))
      returning 1`,
    values: [orgId, id, name],
  })
  return rows.length === 1
}

/** Deletes a group with its members and grants. */
export async function deleteGroupRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-group',
    text: 'delete from member_groups where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}

/** Lists the members of a group, the oldest account first. */
export async function listGroupMemberRows(
  tx: Tx,
  { orgId, groupId }: { readonly orgId: string; readonly groupId: string },
  { afterId = '', limit }: PageAfter,
): Promise<GroupMember[]> {
  return tx.query<GroupMember>({
    name: 'list-group-members',
    text: `select p.user_id as "userId", u.name, u.email, p.added_by as "addedBy" from group_members p
      join users u on u.id = p.user_id where p.org_id = $1 and p.group_id = $2 and p.user_id > $3 order by p.user_id limit $4`,
    values: [orgId, groupId, afterId, limit],
  })
}

/** Lists the groups of a member, the oldest first. */
export async function listGroupsOf(
  tx: Tx,
  orgId: string,
  userId: string,
): Promise<Pick<Group, 'id' | 'name'>[]> {
  return tx.query<Pick<Group, 'id' | 'name'>>({
    name: 'list-groups-of-member',
    text: `select g.id, g.name from group_members p join member_groups g on g.org_id = p.org_id and g.id = p.group_id
      where p.org_id = $1 and p.user_id = $2 order by g.id`,
    values: [orgId, userId],
  })
}

export interface MemberOfGroup {
  readonly orgId: string
  readonly groupId: string
  readonly userId: string
}

/** Describes a member who is to be added, and by whom. `null`: by a sign-in or a directory. */
interface NewGroupMember extends MemberOfGroup {
  readonly addedBy: Maker | null
}

/** Adds a member to a group. Returns whether they were not in it. */
export async function insertGroupMember(
  tx: Tx,
  { orgId, groupId, userId, addedBy }: NewGroupMember,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'insert-group-member',
    text: `insert into group_members (org_id, group_id, user_id, added_by) values ($1, $2, $3, $4)
      on conflict do nothing returning 1`,
    values: [orgId, groupId, userId, addedBy && JSON.stringify(addedBy)],
  })
  return rows.length === 1
}

/** Takes a member out of a group. Returns whether they were in it. */
export async function deleteGroupMember(
  tx: Tx,
  { orgId, groupId, userId }: MemberOfGroup,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'delete-group-member',
    text: 'delete from group_members where org_id = $1 and group_id = $2 and user_id = $3 returning 1',
    values: [orgId, groupId, userId],
  })
  return rows.length === 1
}

export async function findGroupMember(
  tx: Tx,
  { orgId, groupId, userId }: MemberOfGroup,
): Promise<GroupMember | undefined> {
  const [row] = await tx.query<GroupMember>({
    name: 'find-group-member',
    text: `select p.user_id as "userId", u.name, u.email, p.added_by as "addedBy" from group_members p
      join users u on u.id = p.user_id where p.org_id = $1 and p.group_id = $2 and p.user_id = $3`,
    values: [orgId, groupId, userId],
  })
  return row
}

/** Takes everybody out of the groups whose members come from the sign-in. */
export async function emptySignInGroups(tx: Tx, orgId: string): Promise<void> {
  await tx.query({
    name: 'empty-sign-in-groups',
    text: `delete from group_members p using member_groups g
      where p.org_id = $1 and g.org_id = $1 and g.id = p.group_id and g.source = 'oidc'`,
    values: [orgId],
  })
}

import type { Tx } from '../../../store/store.ts'
import type { DirectoryGroup } from './resources.ts'

/** Holds the comparisons of a filter. Left out: whatever it is. */
export interface GroupFilter {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly externalId?: string | undefined
  readonly member?: string | undefined
}

const matches = `g.org_id = $1 and g.source = 'scim' and ($2::text is null or g.id = $2)
  and ($3::text is null or lower(g.name) = lower($3)) and ($4::text is null or g.external_id = $4)
  and ($5::text is null or exists (select from scim_group_members w
    where w.org_id = g.org_id and w.group_id = g.id and w.user_id = $5))`

function valuesOf(orgId: string, { id, name, externalId, member }: GroupFilter) {
  return [orgId, id ?? null, name ?? null, externalId ?? null, member ?? null]
}

/** Lists groups of the directory, with whom it wants in them. */
export async function listDirectoryGroups(
  tx: Tx,
  orgId: string,
  filter: GroupFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<DirectoryGroup[]> {
  return tx.query<DirectoryGroup>({
    name: 'list-scim-groups',
    text: `select g.id, g.name, g.external_id as "externalId", g.created_at as "createdAt",
        coalesce((select json_agg(json_build_object('value', w.user_id, 'display', u.name) order by w.user_id)
          from scim_group_members w join users u on u.id = w.user_id
          where w.org_id = g.org_id and w.group_id = g.id), '[]') as members
      from member_groups g where ${matches} order by g.id offset $6 limit $7`,
    values: [...valuesOf(orgId, filter), offset, limit],
  })
}

/** Counts all groups that a filter matches, whatever the page. */
export async function countDirectoryGroups(
  tx: Tx,
  orgId: string,
  filter: GroupFilter,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-scim-groups',
    text: `select count(*) as count from member_groups g where ${matches}`,
    values: valuesOf(orgId, filter),
  })
  return row?.count ?? 0
}

/** Describes what a directory changes of a group. */
export interface ChangedGroup {
  readonly orgId: string
  readonly id: string
  readonly name: string
  readonly externalId: string | null
}

/** Updates a group. Returns whether no other group has the name. */
export async function updateDirectoryGroup(tx: Tx, group: ChangedGroup): Promise<boolean> {
  const { orgId, id, name, externalId } = group
  const rows = await tx.query({
    name: 'update-scim-group',
    text: `update member_groups set name = $3, external_id = $4, revision = revision + 1
      where org_id = $1 and id = $2 and not exists (
        select from member_groups o where o.org_id = $1 and o.id <> $2 and lower(o.name) = lower($3)) returning 1`,
    values: [orgId, id, name, externalId],
  })
  return rows.length === 1
}

/** Returns those ids that name nobody whom the directory sees. */
export async function listUnknownPeople(
  tx: Tx,
  orgId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'list-unknown-scim-people',
    text: `select coalesce(given.id, '') as id from unnest($2::text[]) as given (id)
      where not exists (select from members m where m.org_id = $1 and m.user_id = given.id)
        and not exists (select from scim_users s where s.org_id = $1 and s.user_id = given.id and s.deleted_at is null)`,
    values: [orgId, userIds],
  })
  return rows.map(({ id }) => id)
}

/** Stores whom the directory wants in a group, all of them. Those who are members are in the group from then on. */
export async function replaceGroupMembers(
  tx: Tx,
  {
    orgId,
    groupId,
    userIds,
  }: { readonly orgId: string; readonly groupId: string; readonly userIds: readonly string[] },
  now: Date,
): Promise<void> {
  // A member of whom the directory has said nothing yet gets a row, which keeps their place in the group.
  await tx.query({
    name: 'adopt-members',
    text: `insert into scim_users (org_id, user_id, attributes, created_at, updated_at)
      select m.org_id, m.user_id, json_build_object('displayName', u.name), $3, $3
      from members m join users u on u.id = m.user_id where m.org_id = $1 and m.user_id = any ($2::text[])
      on conflict (org_id, user_id) do update set deleted_at = null where scim_users.deleted_at is not null`,
    values: [orgId, userIds, now],
  })
  await tx.query({
    name: 'keep-scim-group-members',
    text: `delete from scim_group_members where org_id = $1 and group_id = $2 and user_id <> all ($3::text[])`,
    values: [orgId, groupId, userIds],
  })
  await tx.query({
    name: 'add-scim-group-members',
    text: `insert into scim_group_members (org_id, group_id, user_id) select $1, $2, unnest($3::text[]) on conflict do nothing`,
    values: [orgId, groupId, userIds],
  })
  await tx.query({
    name: 'keep-members-of-scim-group',
    text: `delete from group_members where org_id = $1 and group_id = $2 and user_id <> all ($3::text[])`,
    values: [orgId, groupId, userIds],
  })
  await tx.query({
    name: 'add-members-of-scim-group',
    text: `insert into group_members (org_id, group_id, user_id)
      select w.org_id, w.group_id, w.user_id from scim_group_members w
      join members m on m.org_id = w.org_id and m.user_id = w.user_id
      where w.org_id = $1 and w.group_id = $2 on conflict do nothing`,
    values: [orgId, groupId],
  })
}

/** Brings a member back into the groups that the directory wants them in. */
export async function rejoinGroups(tx: Tx, orgId: string, userId: string): Promise<void> {
  await tx.query({
    name: 'rejoin-scim-groups',
    text: `insert into group_members (org_id, group_id, user_id)
      select org_id, group_id, user_id from scim_group_members where org_id = $1 and user_id = $2 on conflict do nothing`,
    values: [orgId, userId],
  })
}

import type { Tx } from '../../../store/store.ts'
import type { Person, UserAttributes } from './resources.ts'

/** Holds the comparisons of a filter. Left out: whatever it is. */
export interface PersonFilter {
  readonly id?: string | undefined
  readonly userName?: string | undefined
  readonly externalId?: string | undefined
  readonly email?: string | undefined
}

/** Everybody of an organization: its members, and whom the directory deactivated. Whom it deleted is a member or nobody. */
const people = `(
  select coalesce(m.user_id, s.user_id) as id, m.user_id is not null as is_active, u.email, u.name,
    case when s.deleted_at is null then s.user_name end as user_name,
    case when s.deleted_at is null then s.external_id end as external_id,
    case when s.deleted_at is null then s.attributes end as attributes,
    coalesce(s.created_at, m.created_at, u.created_at) as created_at,
    coalesce(s.updated_at, m.created_at, u.created_at) as updated_at
  from (select user_id, created_at from members where org_id = $1) m
  full join (select * from scim_users where org_id = $1) s on s.user_id = m.user_id
  join users u on u.id = coalesce(m.user_id, s.user_id)
  where m.user_id is not null or s.deleted_at is null
)`

const matches = `($2::text is null or p.id = $2) and ($3::text is null or lower(coalesce(p.user_name, p.email)) = lower($3))
  and ($4::text is null or p.external_id = $4)
  and ($5::text is null or p.email = lower($5) or exists (
    select from json_array_elements(p.attributes -> 'emails') e where lower(e ->> 'value') = lower($5)))`

function valuesOf(orgId: string, { id, userName, externalId, email }: PersonFilter) {
  return [orgId, id ?? null, userName ?? null, externalId ?? null, email ?? null]
}

/** Lists people in the order of their accounts. */
export async function listPeople(
  tx: Tx,
  orgId: string,
  filter: PersonFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Person[]> {
  return tx.query<Person>({
    name: 'list-scim-people',
    text: `select coalesce(p.id, '') as "userId", coalesce(p.is_active, false) as "isActive", p.email, p.name,
        coalesce(p.user_name, p.email) as "userName", p.external_id as "externalId", p.attributes,
        coalesce(p.created_at, now()) as "createdAt", coalesce(p.updated_at, now()) as "updatedAt",
        coalesce((select json_agg(json_build_object('value', g.id, 'display', g.name) order by g.id)
          from scim_group_members w join member_groups g on g.org_id = w.org_id and g.id = w.group_id
          where w.org_id = $1 and w.user_id = p.id), '[]') as groups
      from ${people} p where ${matches} order by p.id offset $6 limit $7`,
    values: [...valuesOf(orgId, filter), offset, limit],
  })
}

/** Counts everybody whom a filter matches, whatever the page. */
export async function countPeople(tx: Tx, orgId: string, filter: PersonFilter): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-scim-people',
    text: `select count(*) as count from ${people} p where ${matches}`,
    values: valuesOf(orgId, filter),
  })
  return row?.count ?? 0
}

/** Describes what a directory says of a person. */
export interface DirectoryEntry {
  readonly orgId: string
  readonly userId: string
  readonly userName: string
  readonly externalId: string | null
  readonly attributes: UserAttributes
}

/** Stores what a directory says of a person, also of one that it had deleted. */
export async function saveDirectoryEntry(tx: Tx, entry: DirectoryEntry, now: Date): Promise<void> {
  const { orgId, userId, userName, externalId, attributes } = entry
  await tx.query({
    name: 'save-scim-user',
    text: `insert into scim_users (org_id, user_id, user_name, external_id, attributes, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $6)
      on conflict (org_id, user_id) do update set user_name = excluded.user_name, external_id = excluded.external_id,
        attributes = excluded.attributes, updated_at = excluded.updated_at, deleted_at = null`,
    values: [orgId, userId, userName, externalId, JSON.stringify(attributes), now],
  })
}

/** Forgets what a directory has said of a person, and keeps that it knew them. They leave its groups. */
export async function markDirectoryEntryDeleted(
  tx: Tx,
  orgId: string,
  userId: string,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'leave-scim-groups',
    text: 'delete from scim_group_members where org_id = $1 and user_id = $2',
    values: [orgId, userId],
  })
  await tx.query({
    name: 'mark-scim-user-deleted',
    text: `insert into scim_users (org_id, user_id, attributes, created_at, updated_at, deleted_at)
      values ($1, $2, '{}', $3, $3, $3)
      on conflict (org_id, user_id) do update set user_name = null, external_id = null, attributes = '{}',
        updated_at = excluded.updated_at, deleted_at = excluded.deleted_at`,
    values: [orgId, userId, now],
  })
}

/** Returns whether a directory of an organization had an account before. */
export async function wasInDirectory(tx: Tx, orgId: string, userId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'was-in-directory',
    text: 'select 1 from scim_users where org_id = $1 and user_id = $2',
    values: [orgId, userId],
  })
  return rows.length > 0
}

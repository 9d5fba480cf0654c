import { roleEverywhere, type Grant, type Role } from '@signalbox/contract'
import type { Maker } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'
import type { AssistantPolicies, MemberPolicies } from './policies/policies.ts'
import { joinPolicies, memberPolicyColumns } from './policies/rows.ts'

/** Describes a stored organization. */
export interface OrganizationRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly createdAt: Date
}

const columns = 'id, slug, name, created_at as "createdAt"'

/** Adds an organization. Returns false when another one has the slug. */
export async function insertOrganization(tx: Tx, organization: OrganizationRow): Promise<boolean> {
  const { id, slug, name, createdAt } = organization
  const rows = await tx.query({
    name: 'insert-organization',
    text: `insert into organizations (id, slug, name, created_at) values ($1, $2, $3, $4)
      on conflict (slug) where deleted_at is null do nothing returning id`,
    values: [id, slug, name, createdAt],
  })
  return rows.length === 1
}

/** Describes a membership that is to be stored. */
interface NewMember {
  readonly orgId: string
  readonly userId: string
  readonly role: Role
  /** Names who gave the role: the person themselves, where the organization is theirs. */
  readonly grantedBy: Maker
}

/** Inserts a membership. */
export async function insertMember(tx: Tx, member: NewMember, createdAt: Date): Promise<void> {
  const { orgId, userId, role, grantedBy } = member
  await tx.query({
    name: 'insert-member',
    text: `insert into members (org_id, user_id, role, created_at, granted_by) values ($1, $2, $3, $4, $5)`,
    values: [orgId, userId, role, createdAt, JSON.stringify(grantedBy)],
  })
}

/** Counts the organizations that a person owns. Holds the person, so that they are not counted twice at once. */
export async function countOwnedOrganizations(tx: Tx, userId: string): Promise<number> {
  await tx.query({
    name: 'lock-owner',
    text: 'select id from users where id = $1 for no key update',
    values: [userId],
  })
  const [row] = await tx.query<{ count: number }>({
    name: 'count-owned-organizations',
    text: `select count(*) as count from members m join organizations o on o.id = m.org_id
      where m.user_id = $1 and m.role = 'owner' and o.deleted_at is null`,
    values: [userId],
  })
  return row?.count ?? 0
}

/** Finds an organization by its id. */
export async function findOrganization(
  tx: Tx,
  orgId: string,
): Promise<OrganizationRow | undefined> {
  const [row] = await tx.query<OrganizationRow>({
    name: 'find-organization',
    text: `select ${columns} from organizations where id = $1 and deleted_at is null`,
    values: [orgId],
  })
  return row
}

/** Finds the organization of this id or slug among those that the transaction sees. */
export async function findOrganizationByRef(
  tx: Tx,
  idOrSlug: string,
): Promise<OrganizationRow | undefined> {
  const [row] = await tx.query<OrganizationRow>({
    name: 'find-organization-by-ref',
    text: `select ${columns} from organizations where (id = $1 or slug = $1) and deleted_at is null`,
    values: [idOrSlug],
  })
  return row
}

/** Describes an organization with the role that a person has in it everywhere, their grants, and what it requires of them. */
export interface Membership extends OrganizationRow, MemberPolicies, AssistantPolicies {
  readonly role: Role
  readonly grants: readonly Grant[]
}

/** Selects the grants of the member `m`: their own, and those of their groups. */
export const grantsOfMember = `(select coalesce(json_agg(json_build_object('role', g.role, 'environmentIds', g.environment_ids,
    'schemaIds', g.schema_ids) order by g.id), '[]') from access_grants g
  where g.org_id = m.org_id and (g.user_id = m.user_id or g.group_id in
    (select p.group_id from group_members p where p.org_id = m.org_id and p.user_id = m.user_id))) as grants`

/** Raises the role of a membership to what its grants give everywhere. */
function withRole<M extends { readonly role: Role; readonly grants: readonly Grant[] }>(row: M): M {
  return { ...row, role: roleEverywhere(row.role, row.grants) }
}

/** Finds the organization of this id or slug, if `userId` is a member of it. */
export async function findMembership(
  tx: Tx,
  userId: string,
  idOrSlug: string,
): Promise<Membership | undefined> {
  const [row] = await tx.query<Membership>({
    name: 'find-membership',
    text: `select o.id, o.slug, o.name, o.created_at as "createdAt", m.role, ${grantsOfMember}, ${memberPolicyColumns}
      from members m join organizations o on o.id = m.org_id ${joinPolicies}
      where m.user_id = $1 and (o.id = $2 or o.slug = $2) and o.deleted_at is null`,
    values: [userId, idOrSlug],
  })
  return row && withRole(row)
}

/** Describes the position after which a page begins. */
export interface PageAfter {
  /** The id that the page before ended with. */
  readonly afterId: string | undefined
  readonly limit: number
}

/** Lists the organizations that `userId` is a member of, oldest first. */
export async function listMemberships(
  tx: Tx,
  userId: string,
  { afterId = '', limit }: PageAfter,
): Promise<Membership[]> {
  const rows = await tx.query<Membership>({
    name: 'list-memberships',
    text: `select o.id, o.slug, o.name, o.created_at as "createdAt", m.role, ${grantsOfMember}, ${memberPolicyColumns}
      from members m join organizations o on o.id = m.org_id ${joinPolicies}
      where m.user_id = $1 and o.id > $2 and o.deleted_at is null order by o.id limit $3`,
    values: [userId, afterId, limit],
  })
  return rows.map(withRole)
}

/** Lists every organization that the transaction sees, oldest first. */
export async function listOrganizationRows(
  tx: Tx,
  { afterId = '', limit }: PageAfter,
): Promise<OrganizationRow[]> {
  return tx.query<OrganizationRow>({
    name: 'list-organizations',
    text: `select ${columns} from organizations where id > $1 and deleted_at is null order by id limit $2`,
    values: [afterId, limit],
  })
}

/** Locks an organization, so that its rows are not counted twice at once; returns whether it exists. */
export async function lockOrganization(tx: Tx, orgId: string): Promise<boolean> {
  // Weaker than `for update`, so that rows which refer to the organization can be written at the same time.
  const rows = await tx.query({
    name: 'lock-organization',
    text: 'select id from organizations where id = $1 and deleted_at is null for no key update',
    values: [orgId],
  })
  return rows.length === 1
}

/** Updates the fields of an organization. */
export async function updateOrganizationRow(
  tx: Tx,
  orgId: string,
  fields: { readonly name?: string | undefined; readonly slug?: string | undefined },
): Promise<OrganizationRow | undefined> {
  const [row] = await tx.query<OrganizationRow>({
    name: 'update-organization',
    text: `update organizations set name = coalesce($2, name), slug = coalesce($3, slug)
      where id = $1 and deleted_at is null returning ${columns}`,
    values: [orgId, fields.name, fields.slug],
  })
  return row
}

/** Marks an organization as deleted. Returns its name, or `undefined` when it was deleted before. */
export async function markOrganizationDeleted(
  tx: Tx,
  orgId: string,
  deletedAt: Date,
): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>({
    name: 'mark-organization-deleted',
    text: 'update organizations set deleted_at = $2 where id = $1 and deleted_at is null returning name',
    values: [orgId, deletedAt],
  })
  return row?.name
}

/** Lists organizations deleted before a moment, for maintenance. */
export async function listOrganizationsDeletedBefore(tx: Tx, moment: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'list-deleted-organizations',
    text: 'select id from organizations where deleted_at < $1 order by id',
    values: [moment],
  })
  return rows.map(({ id }) => id)
}

/** Removes an organization and every row that refers to it. Its audit events stay. */
export async function destroyOrganizationRow(
  tx: Tx,
  orgId: string,
  deletedBefore: Date,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'destroy-organization',
    text: 'delete from organizations where id = $1 and deleted_at < $2 returning 1',
    values: [orgId, deletedBefore],
  })
  return rows.length > 0
}

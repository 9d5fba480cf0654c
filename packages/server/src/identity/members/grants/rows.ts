import type { Tx } from '../../../store/store.ts'
import type { Grant } from './grant.ts'

const columns = `a.id, json_build_object(
    'type', case when a.key_id is not null then 'api_key' when a.group_id is not null then 'group' else 'member' end,
    'id', coalesce(a.key_id, a.group_id, a.user_id), 'name', coalesce(k.name, g.name, u.name)) as subject,
  a.role, a.environment_ids as "environmentIds", a.schema_ids as "schemaIds",
  a.created_at as "createdAt", a.created_by as "createdBy", a.revision`
const tables = `access_grants a left join member_groups g on g.org_id = a.org_id and g.id = a.group_id
  left join users u on u.id = a.user_id left join api_keys k on k.org_id = a.org_id and k.id = a.key_id`

export async function insertGrant(tx: Tx, orgId: string, grant: Grant): Promise<void> {
  const { id, subject, role, environmentIds, schemaIds, createdAt, createdBy } = grant
  const idOf = (type: Grant['subject']['type']) => (subject.type === type ? subject.id : null)
  await tx.query({
    name: 'insert-grant',
    text: `insert into access_grants
        (org_id, id, user_id, group_id, key_id, role, environment_ids, schema_ids, created_at, created_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      orgId,
      id,
      idOf('member'),
      idOf('group'),
      idOf('api_key'),
      role,
      environmentIds,
      schemaIds,
      createdAt,
      JSON.stringify(createdBy),
    ],
  })
}

/** Returns whether a grant says the same as another one of the organization. */
export async function isGrantHeld(tx: Tx, orgId: string, grant: Grant): Promise<boolean> {
  const { id, subject, role, environmentIds, schemaIds } = grant
  const rows = await tx.query({
    name: 'is-grant-held',
    text: `select 1 from access_grants where org_id = $1 and id <> $2 and coalesce(key_id, group_id, user_id) = $3 and role = $4
      and environment_ids is not distinct from $5 and schema_ids is not distinct from $6`,
    values: [orgId, id, subject.id, role, environmentIds, schemaIds],
  })
  return rows.length > 0
}

/** Counts the grants of an organization. */
export async function countGrants(tx: Tx, orgId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-grants',
    text: 'select count(*) as count from access_grants where org_id = $1',
    values: [orgId],
  })
  return row?.count ?? 0
}

/** Lists the grants of an organization, the newest first. */
export async function listGrantRows(
  tx: Tx,
  orgId: string,
  { beforeId, limit }: { readonly beforeId: string | undefined; readonly limit: number },
): Promise<Grant[]> {
  return tx.query<Grant>({
    name: 'list-grants',
    text: `select ${columns} from ${tables} where a.org_id = $1 and ($2::text is null or a.id < $2)
      order by a.id desc limit $3`,
    values: [orgId, beforeId ?? null, limit],
  })
}

/** Lists the grants of a member: their own, and those of their groups, the oldest first. */
export async function listGrantsOf(tx: Tx, orgId: string, userId: string): Promise<Grant[]> {
  return tx.query<Grant>({
    name: 'list-grants-of-member',
    text: `select ${columns} from ${tables} where a.org_id = $1 and (a.user_id = $2 or a.group_id in
        (select p.group_id from group_members p where p.org_id = $1 and p.user_id = $2)) order by a.id`,
    values: [orgId, userId],
  })
}

/** Lists the grants of an API key, the oldest first. */
export async function listGrantsOfKey(tx: Tx, orgId: string, keyId: string): Promise<Grant[]> {
  return tx.query<Grant>({
    name: 'list-grants-of-key',
    text: `select ${columns} from ${tables} where a.org_id = $1 and a.key_id = $2 order by a.id`,
    values: [orgId, keyId],
  })
}

/** Ends the grants of an API key. Returns how many there were. */
export async function deleteGrantsOfKey(tx: Tx, orgId: string, keyId: string): Promise<number> {
  const rows = await tx.query({
    name: 'delete-grants-of-key',
    text: 'delete from access_grants where org_id = $1 and key_id = $2 returning 1',
    values: [orgId, keyId],
  })
  return rows.length
}

export async function findGrant(tx: Tx, orgId: string, id: string): Promise<Grant | undefined> {
  const [row] = await tx.query<Grant>({
    name: 'find-grant',
    text: `select ${columns} from ${tables} where a.org_id = $1 and a.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Updates the role of a grant, and where it applies. */
export async function updateGrantRow(
  tx: Tx,
  orgId: string,
  { id, role, environmentIds, schemaIds }: Grant,
): Promise<void> {
  await tx.query({
    name: 'update-grant',
    text: `update access_grants set role = $3, environment_ids = $4, schema_ids = $5, revision = revision + 1
      where org_id = $1 and id = $2`,
    values: [orgId, id, role, environmentIds, schemaIds],
  })
}

export async function deleteGrantRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-grant',
    text: 'delete from access_grants where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}

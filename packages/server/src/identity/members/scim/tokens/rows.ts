import type { Maker } from '../../../../audit/audit-event.ts'
import type { Tx } from '../../../../store/store.ts'

/** Describes the token of a directory as people see it: never the token. */
export interface ScimToken {
  readonly id: string
  readonly name: string
  readonly handle: string
  readonly createdAt: Date
  readonly createdBy: Maker
  readonly lastUsedAt: Date | null
}

/** Describes a token that is to be stored. */
export interface NewScimToken extends Omit<ScimToken, 'lastUsedAt'> {
  readonly hash: Buffer
}

export async function insertScimToken(tx: Tx, orgId: string, token: NewScimToken): Promise<void> {
  const { id, name, handle, hash, createdAt, createdBy } = token
  await tx.query({
    name: 'insert-scim-token',
    text: `insert into scim_tokens (org_id, id, name, handle, hash, created_at, created_by)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [orgId, id, name, handle, hash, createdAt, JSON.stringify(createdBy)],
  })
}

/** Lists the tokens of an organization, the newest first. */
export async function listScimTokenRows(tx: Tx, orgId: string): Promise<ScimToken[]> {
  return tx.query<ScimToken>({
    name: 'list-scim-tokens',
    text: `select id, name, handle, created_at as "createdAt", created_by as "createdBy", last_used_at as "lastUsedAt"
      from scim_tokens where org_id = $1 order by id desc`,
    values: [orgId],
  })
}

/** Deletes a token. Returns its name, or `undefined` when there is none. */
export async function deleteScimToken(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>({
    name: 'delete-scim-token',
    text: 'delete from scim_tokens where org_id = $1 and id = $2 returning name',
    values: [orgId, id],
  })
  return row?.name
}

/** Describes the organization of a token. */
export interface ScimTokenOwner {
  readonly orgId: string
  readonly slug: string
  readonly id: string
  readonly name: string
  readonly hash: Buffer
}

/** Finds the token with this handle, for maintenance. */
export async function findScimTokenOwner(
  tx: Tx,
  handle: string,
): Promise<ScimTokenOwner | undefined> {
  const [row] = await tx.query<ScimTokenOwner>({
    name: 'find-scim-token',
    text: `select t.org_id as "orgId", o.slug, t.id, t.name, t.hash
      from scim_tokens t join organizations o on o.id = t.org_id where t.handle = $1 and o.deleted_at is null`,
    values: [handle],
  })
  return row
}

/** Records the use of a token, once a minute, for maintenance. */
export async function touchScimToken(
  tx: Tx,
  { orgId, id }: Pick<ScimTokenOwner, 'orgId' | 'id'>,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'touch-scim-token',
    text: `update scim_tokens set last_used_at = $3::timestamptz
      where org_id = $1 and id = $2 and (last_used_at is null or last_used_at < $3::timestamptz - interval '1 minute')`,
    values: [orgId, id, now],
  })
}

import type { ApiKeyKind } from '@signalbox/contract'
import type { Author } from '../../audit/audit-event.ts'
import type { DeliveryReader, Tx } from '../../store/store.ts'
import type { ApiKey } from './api-key.ts'

export interface NewApiKeyRow {
  readonly orgId: string
  readonly id: string
  readonly name: string
  readonly kind: ApiKeyKind
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
  readonly allowedOrigins: readonly string[] | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly createdBy: Author
}

export async function insertApiKey(tx: Tx, key: NewApiKeyRow): Promise<void> {
  await tx.db
    .insertInto('api_keys')
    .values({
      org_id: key.orgId,
      id: key.id,
      name: key.name,
      kind: key.kind,
      environment_ids: toArray(key.environmentIds),
      schema_ids: toArray(key.schemaIds),
      allowed_origins: toArray(key.allowedOrigins),
      expires_at: key.expiresAt,
      created_at: key.createdAt,
      created_by: JSON.stringify(key.createdBy),
    })
    .execute()
}

export interface SecretRow {
  readonly orgId: string
  readonly keyId: string
  readonly handle: string
  readonly hash: Buffer
  readonly createdAt: Date
}

export async function insertSecret(tx: Tx, secret: SecretRow): Promise<void> {
  const { orgId, keyId, handle, hash, createdAt } = secret
  await tx.db
    .insertInto('api_key_secrets')
    .values({ org_id: orgId, key_id: keyId, handle, hash, created_at: createdAt })
    .execute()
}

/**
 * Ends the secrets of a key at `endsAt`, unless they end before. Rows stay: nodes learn of an end by a changed row,
 * and would miss one that is gone.
 */
export async function endSecrets(
  tx: Tx,
  {
    orgId,
    keyId,
    endsAt,
  }: { readonly orgId: string; readonly keyId: string; readonly endsAt: Date },
): Promise<void> {
  await tx.query({
    name: 'end-api-key-secrets',
    text: `update api_key_secrets set expires_at = $3
      where org_id = $1 and key_id = $2 and (expires_at is null or expires_at > $3)`,
    values: [orgId, keyId, endsAt],
  })
}

const selectSql = `
select k.id, k.name, k.kind, k.environment_ids as "environmentIds", k.schema_ids as "schemaIds",
  k.allowed_origins as "allowedOrigins", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
  k.created_at as "createdAt", k.created_by as "createdBy", u.last_used_at as "lastUsedAt",
  newest.handle, earlier.ends_at as "earlierSecretEndsAt"
from api_keys k
join lateral (select handle, created_at from api_key_secrets s
  where s.org_id = k.org_id and s.key_id = k.id order by (expires_at is null) desc, created_at desc limit 1) newest on true
left join lateral (select max(expires_at) as ends_at from api_key_secrets s
  where s.org_id = k.org_id and s.key_id = k.id and s.handle <> newest.handle) earlier on true
left join api_key_uses u on u.org_id = k.org_id and u.key_id = k.id`

export async function findApiKey(
  tx: Tx,
  orgId: string,
  keyId: string,
): Promise<ApiKey | undefined> {
  const [key] = await tx.query<ApiKey>({
    name: 'find-api-key',
    text: `${selectSql} where k.org_id = $1 and k.id = $2`,
    values: [orgId, keyId],
  })
  return key
}

/** Holds a key so that two changes of it follow each other. Answers whether it exists. */
export async function lockApiKey(tx: Tx, orgId: string, keyId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'lock-api-key',
    text: 'select id from api_keys where org_id = $1 and id = $2 for no key update',
    values: [orgId, keyId],
  })
  return rows.length === 1
}

/** Keys of an organization, newest first. */
export async function listApiKeyRows(
  tx: Tx,
  orgId: string,
  { beforeId, limit }: { readonly beforeId: string | undefined; readonly limit: number },
): Promise<ApiKey[]> {
  return tx.query<ApiKey>({
    name: 'list-api-keys',
    text: `${selectSql} where k.org_id = $1 and ($2::text is null or k.id < $2) order by k.id desc limit $3`,
    values: [orgId, beforeId ?? null, limit],
  })
}

/** How many keys of an organization are not revoked. */
export async function countApiKeys(tx: Tx, orgId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-api-keys',
    text: 'select count(*) as count from api_keys where org_id = $1 and revoked_at is null',
    values: [orgId],
  })
  return row?.count ?? 0
}

export interface ApiKeyFields {
  readonly name?: string | undefined
  readonly environmentIds?: readonly string[] | null | undefined
  readonly schemaIds?: readonly string[] | null | undefined
  readonly allowedOrigins?: readonly string[] | null | undefined
  readonly expiresAt?: Date | null | undefined
}

export async function updateApiKeyRow(
  tx: Tx,
  { orgId, keyId }: { readonly orgId: string; readonly keyId: string },
  fields: ApiKeyFields,
): Promise<void> {
  const { name, environmentIds, schemaIds, allowedOrigins, expiresAt } = fields
  await tx.db
    .updateTable('api_keys')
    .set({
      ...(name !== undefined && { name }),
      ...(environmentIds !== undefined && { environment_ids: toArray(environmentIds) }),
      ...(schemaIds !== undefined && { schema_ids: toArray(schemaIds) }),
      ...(allowedOrigins !== undefined && { allowed_origins: toArray(allowedOrigins) }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', keyId)
    .execute()
}

export async function markApiKeyRevoked(
  tx: Tx,
  {
    orgId,
    keyId,
    revokedAt,
  }: { readonly orgId: string; readonly keyId: string; readonly revokedAt: Date },
): Promise<void> {
  await tx.db
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt })
    .where('org_id', '=', orgId)
    .where('id', '=', keyId)
    .execute()
}

export interface KeyUse {
  readonly orgId: string
  readonly keyId: string
  readonly usedAt: Date
}

/**
 * Notes uses of keys of any organization. A key that is gone meanwhile is left out, and none moves back. The role that
 * delivers may call the function, so every process notes its uses in this way.
 */
export async function recordKeyUses(
  database: DeliveryReader,
  uses: readonly KeyUse[],
): Promise<void> {
  await database.query({
    name: 'record-key-uses',
    text: 'select record_key_uses($1, $2, $3)',
    values: [
      uses.map(({ orgId }) => orgId),
      uses.map(({ keyId }) => keyId),
      uses.map(({ usedAt }) => usedAt),
    ],
  })
}

/** Removes keys that were revoked before a moment, for maintenance. Answers how many. */
export async function deleteRevokedKeys(tx: Tx, revokedBefore: Date): Promise<number> {
  const result = await tx.db
    .deleteFrom('api_keys')
    .where('revoked_at', '<', revokedBefore)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

function toArray(ids: readonly string[] | null): string[] | null {
  return ids === null ? null : [...ids]
}

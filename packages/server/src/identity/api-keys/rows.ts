import type { ApiKeyKind, KeyAccess } from '@signalbox/contract'
import type { Maker } from '../../audit/audit-event.ts'
import type { DeliveryReader, Tx } from '../../store/store.ts'
import type { ServiceAccount } from './service-accounts/service-account.ts'
import type { ApiKey } from './api-key.ts'

/** Describes a stored new api key. */
export interface NewApiKeyRow {
  readonly orgId: string
  readonly id: string
  readonly name: string
  readonly kind: ApiKeyKind
  readonly access: KeyAccess
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
  readonly allowedOrigins: readonly string[] | null
  readonly allowedNetworks: readonly string[] | null
  readonly serviceAccounts: readonly ServiceAccount[] | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly createdBy: Maker
  /** Says that it ends with a preview, and does not count to the keys that people make. */
  readonly isOfPreview?: boolean
}

/** Inserts an API key, at revision 1. */
export async function insertApiKey(tx: Tx, key: NewApiKeyRow): Promise<void> {
  await tx.query({
    name: 'insert-api-key',
    text: `insert into api_keys
        (org_id, id, name, kind, environment_ids, schema_ids, allowed_origins, expires_at, created_at, created_by,
        service_accounts, access, allowed_networks, of_preview)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [
      key.orgId,
      key.id,
      key.name,
      key.kind,
      key.environmentIds,
      key.schemaIds,
      key.allowedOrigins,
      key.expiresAt,
      key.createdAt,
      JSON.stringify(key.createdBy),
      toJson(key.serviceAccounts),
      key.access,
      key.allowedNetworks,
      key.isOfPreview ?? false,
    ],
  })
}

/** Describes a stored secret. */
export interface SecretRow {
  readonly orgId: string
  readonly keyId: string
  readonly handle: string
  readonly hash: Buffer
  readonly createdAt: Date
}

/** Inserts a secret of an API key. */
export async function insertSecret(tx: Tx, secret: SecretRow): Promise<void> {
  const { orgId, keyId, handle, hash, createdAt } = secret
  await tx.query({
    name: 'insert-api-key-secret',
    text: `insert into api_key_secrets (org_id, key_id, handle, hash, created_at)
      values ($1, $2, $3, $4, $5)`,
    values: [orgId, keyId, handle, hash, createdAt],
  })
}

/**
 * Ends the secrets of a key at `endsAt`, unless they end before. Rows stay, because nodes notice an end by a changed
 * row and would miss a deleted one.
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
select k.id, k.name, k.kind, k.access, k.environment_ids as "environmentIds", k.schema_ids as "schemaIds",
  k.allowed_origins as "allowedOrigins", k.allowed_networks as "allowedNetworks",
  k.service_accounts as "serviceAccounts", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
  k.created_at as "createdAt", k.created_by as "createdBy", u.last_used_at as "lastUsedAt",
  k.revision, newest.handle, earlier.ends_at as "earlierSecretEndsAt"
from api_keys k
join lateral (select handle, created_at from api_key_secrets s
  where s.org_id = k.org_id and s.key_id = k.id order by (expires_at is null) desc, created_at desc limit 1) newest on true
left join lateral (select max(expires_at) as ends_at from api_key_secrets s
  where s.org_id = k.org_id and s.key_id = k.id and s.handle <> newest.handle) earlier on true
left join api_key_uses u on u.org_id = k.org_id and u.key_id = k.id`

/** Finds an API key of an organization. */
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

/** Locks a key, so that concurrent changes of it run one after the other. Returns whether it exists. */
export async function lockApiKey(tx: Tx, orgId: string, keyId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'lock-api-key',
    text: 'select id from api_keys where org_id = $1 and id = $2 for no key update',
    values: [orgId, keyId],
  })
  return rows.length === 1
}

/** Lists keys of an organization, newest first. */
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

/** Returns how many keys of an organization are not revoked, those of previews left out. */
export async function countApiKeys(tx: Tx, orgId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-api-keys',
    text: 'select count(*) as count from api_keys where org_id = $1 and revoked_at is null and not of_preview',
    values: [orgId],
  })
  return row?.count ?? 0
}

/** Describes the fields of a key that can be changed. */
export interface ApiKeyFields {
  readonly name?: string | undefined
  readonly access?: KeyAccess | undefined
  readonly environmentIds?: readonly string[] | null | undefined
  readonly schemaIds?: readonly string[] | null | undefined
  readonly allowedOrigins?: readonly string[] | null | undefined
  readonly allowedNetworks?: readonly string[] | null | undefined
  readonly serviceAccounts?: readonly ServiceAccount[] | null | undefined
  readonly expiresAt?: Date | null | undefined
}

/** Updates the fields of an API key, and counts the change. */
export async function updateApiKeyRow(
  tx: Tx,
  { orgId, keyId }: { readonly orgId: string; readonly keyId: string },
  fields: ApiKeyFields,
): Promise<void> {
  const { name, access, environmentIds, schemaIds, allowedOrigins, expiresAt, serviceAccounts } =
    fields
  // Null is a value of six of these columns, so each has a flag that says whether it is changed.
  await tx.query({
    name: 'update-api-key',
    text: `update api_keys set name = coalesce($3, name), access = coalesce($14, access),
        environment_ids = case when $4 then $5 else environment_ids end,
        schema_ids = case when $6 then $7 else schema_ids end,
        allowed_origins = case when $8 then $9 else allowed_origins end,
        expires_at = case when $10 then $11 else expires_at end,
        service_accounts = case when $12 then $13 else service_accounts end,
        allowed_networks = case when $15 then $16 else allowed_networks end,
        revision = revision + 1
      where org_id = $1 and id = $2`,
    values: [
      orgId,
      keyId,
      name,
      ...[environmentIds, schemaIds, allowedOrigins, expiresAt, toJson(serviceAccounts)].flatMap(
        (value) => [value !== undefined, value],
      ),
      access,
      fields.allowedNetworks !== undefined,
      fields.allowedNetworks,
    ],
  })
}

function toJson(value: object | null | undefined): string | null | undefined {
  return value === null || value === undefined ? value : JSON.stringify(value)
}

export async function markApiKeyRevoked(
  tx: Tx,
  {
    orgId,
    keyId,
    revokedAt,
  }: { readonly orgId: string; readonly keyId: string; readonly revokedAt: Date },
): Promise<void> {
  await tx.query({
    name: 'mark-api-key-revoked',
    text: 'update api_keys set revoked_at = $3 where org_id = $1 and id = $2',
    values: [orgId, keyId, revokedAt],
  })
}

/** Describes the last use of a key's secret. */
export interface KeyUse {
  readonly orgId: string
  readonly keyId: string
  readonly usedAt: Date
  /** Counts the answers with secrets since the last use that was recorded. Left out: none. */
  readonly secretReads?: number
}

/** Counts the answers with secrets that a key got on a day. */
export interface SecretReads {
  /** Holds the day in UTC. Example: `2027-01-31`. */
  readonly day: string
  readonly reads: number
}

/** Lists the days on which a key has read secrets, newest first. */
export async function listSecretReads(
  tx: Tx,
  orgId: string,
  keyId: string,
): Promise<SecretReads[]> {
  return tx.query<SecretReads>({
    name: 'list-secret-reads',
    text: `select to_char(day, 'YYYY-MM-DD') as day, reads from api_key_secret_reads
      where org_id = $1 and key_id = $2 order by day desc limit 100`,
    values: [orgId, keyId],
  })
}

/** Adds the reads of secrets of keys of any organization to their days. */
export async function recordSecretReads(
  database: DeliveryReader,
  uses: readonly KeyUse[],
): Promise<void> {
  const counted = uses.filter(({ secretReads = 0 }) => secretReads > 0)
  if (counted.length === 0) return
  await database.query({
    name: 'record-secret-reads',
    text: 'select record_secret_reads($1, $2, $3, $4)',
    values: [
      counted.map(({ orgId }) => orgId),
      counted.map(({ keyId }) => keyId),
      counted.map(({ usedAt }) => usedAt),
      counted.map(({ secretReads }) => secretReads),
    ],
  })
}

/**
 * Records uses of keys of any organization. A deleted key is left out, and no moment moves back. The role that
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

/** Removes keys that were revoked before a moment, for maintenance. Returns how many. */
export async function deleteRevokedKeys(tx: Tx, revokedBefore: Date): Promise<number> {
  const rows = await tx.query({
    name: 'delete-revoked-api-keys',
    text: 'delete from api_keys where revoked_at < $1 returning 1',
    values: [revokedBefore],
  })
  return rows.length
}

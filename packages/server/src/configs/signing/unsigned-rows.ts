import type { Tx } from '../../store/store.ts'

/** Describes a current snapshot whose signature is missing or out of date. */
interface UnsignedRow {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  readonly version: number
  readonly body: string
  readonly createdAt: Date
}

interface UnsignedServerRow extends UnsignedRow {
  readonly sealedSecrets: Buffer | null
}

/** Lists current snapshots for browsers that another generation of keys signed. They stay locked until the commit. */
export async function lockUnsignedBrowsers(
  tx: Tx,
  generation: number,
  limit: number,
): Promise<UnsignedRow[]> {
  return tx.query<UnsignedRow>({
    name: 'lock-unsigned-browsers',
    text: `select s.org_id as "orgId", s.schema_id as "schemaId", s.environment_id as "environmentId", s.version, s.body,
        s.created_at as "createdAt"
      from current_values h join browser_snapshots s on s.org_id = h.org_id and s.schema_id = h.schema_id
        and s.environment_id = h.environment_id and s.version = h.browser_version
      where s.signed_by <> $1 and s.body is not null
      order by s.org_id, s.schema_id, s.environment_id limit $2 for update of s skip locked`,
    values: [generation, limit],
  })
}

/** Lists current snapshots for servers that another generation of keys signed. They stay locked until the commit. */
export async function lockUnsignedServers(
  tx: Tx,
  generation: number,
  limit: number,
): Promise<UnsignedServerRow[]> {
  return tx.query<UnsignedServerRow>({
    name: 'lock-unsigned-servers',
    text: `select s.org_id as "orgId", s.schema_id as "schemaId", s.environment_id as "environmentId", s.version, s.body,
        s.created_at as "createdAt", s.sealed_secrets as "sealedSecrets"
      from current_values h join server_snapshots s on s.org_id = h.org_id and s.schema_id = h.schema_id
        and s.environment_id = h.environment_id and s.version = h.version
      where s.signed_by <> $1 and s.body is not null
      order by s.org_id, s.schema_id, s.environment_id limit $2 for update of s skip locked`,
    values: [generation, limit],
  })
}

/** Describes a signature to be stored. */
interface Signed<Signature> extends Pick<
  UnsignedRow,
  'orgId' | 'schemaId' | 'environmentId' | 'version'
> {
  readonly signature: Signature
}

/** Stores the signatures of snapshots for browsers. */
export async function storeBrowserSignatures(
  tx: Tx,
  generation: number,
  rows: readonly Signed<string>[],
): Promise<void> {
  await tx.query({
    name: 'store-browser-signatures',
    text: `update browser_snapshots s set signature = n.signature, signed_by = $1
      from unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::text[])
        as n (org_id, schema_id, environment_id, version, signature)
      where s.org_id = n.org_id and s.schema_id = n.schema_id and s.environment_id = n.environment_id
        and s.version = n.version`,
    values: [generation, ...columnsOf(rows)],
  })
}

/** Stores the sealed signatures of snapshots for servers. */
export async function storeServerSignatures(
  tx: Tx,
  generation: number,
  rows: readonly Signed<Buffer>[],
): Promise<void> {
  await tx.query({
    name: 'store-server-signatures',
    text: `update server_snapshots s set sealed_signature = n.signature, signed_by = $1
      from unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::bytea[])
        as n (org_id, schema_id, environment_id, version, signature)
      where s.org_id = n.org_id and s.schema_id = n.schema_id and s.environment_id = n.environment_id
        and s.version = n.version`,
    values: [generation, ...columnsOf(rows)],
  })
}

function columnsOf(rows: readonly Signed<string | Buffer>[]): unknown[][] {
  return [
    rows.map(({ orgId }) => orgId),
    rows.map(({ schemaId }) => schemaId),
    rows.map(({ environmentId }) => environmentId),
    rows.map(({ version }) => version),
    rows.map(({ signature }) => signature),
  ]
}

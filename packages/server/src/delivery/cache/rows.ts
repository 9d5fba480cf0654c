import type { WrappedDataKey } from '../../crypto/data-keys.ts'
import type { DeliveryReader } from '../../store/store.ts'
import type { BrowserRow } from '../browser/browser-item.ts'
import type { ServerRow } from '../server/server-item.ts'

/** Describes a published version without its content. */
export interface PublishedVersion {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  readonly version: number
  readonly etag: string
  /** Tells that the schema or the environment was deleted. */
  readonly gone: boolean
  /** Says why nothing is published any more. `null`: it was deleted, or something is. */
  readonly ended: string | null
  /** Holds the name of the environment of what has ended. */
  readonly environment: string | null
  /** Holds the oldest version that may be shown. Older ones must be removed from every cache. */
  readonly oldest: number
}

/** Lists what was published since the last poll, as of one moment. */
export interface PublishedChanges {
  /** Holds the lowest number of a transaction that was still open at that moment. The next poll begins there. */
  readonly xmin: string
  readonly browser: readonly PublishedVersion[]
  readonly server: readonly PublishedVersion[]
  readonly dataKeys: readonly WrappedDataKey[]
  /** Lists the public halves of the keys that sign snapshots, the oldest first. */
  readonly publicKeys: readonly string[]
}

type VersionColumns = [
  string,
  string,
  string,
  number,
  string,
  boolean,
  number,
  string | null,
  string | null,
]

interface ChangesRow {
  readonly xmin: string
  readonly browser: readonly VersionColumns[]
  readonly server: readonly VersionColumns[]
  readonly dataKeys: readonly [string, number, string][]
  readonly publicKeys: readonly string[]
}

/** Distinguishes snapshots that were signed again: caches on the way would otherwise keep the former signature. */
const signedSql = `case when signed_by = 0 then '' else '.' || signed_by end`

/**
 * Distinguishes server snapshots of the same version and the same open values, which exist after a database was
 * restored. Only their secrets differ, so the sealed bytes are hashed into the tag: they reveal nothing about the
 * secrets.
 */
const etagSql = {
  browser: `etag || ${signedSql}`,
  server: `etag || coalesce('.' || left(encode(sha256(sealed_secrets), 'hex'), 12), '') || ${signedSql}`,
} as const

type Audience = keyof typeof etagSql

const versionJson = (audience: Audience) =>
  `json_build_array(org_id, schema_id, environment_id, version, ${etagSql[audience]}, body is null, (
    select min(o.version) from ${audience}_snapshots o where o.org_id = s.org_id
      and o.schema_id = s.schema_id and o.environment_id = s.environment_id), ended,
    case when ended is not null then environment_name end)`

const changedOf = (audience: Audience) => `
  (select coalesce(json_agg(${versionJson(audience)}), '[]') from ${audience}_snapshots s
    where changed_in >= $1::text::xid8)`

/** Selects the few public keys whole each time, so that none has to be recognised as changed. */
const publicKeysSql = `(select coalesce(json_agg(public_key order by number), '[]') from publisher_keys
    where retired_at is null) as "publicKeys"`

/**
 * Selects the rows that were published or changed since the last poll. One statement sees one moment: rows of
 * transactions that were open then carry a number of `xmin` or above. Polling from the last `xmin` on therefore never
 * misses a row; some come twice. Uses the indexes on `changed_in`.
 */
const changesSql = `
select pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
  ${changedOf('browser')} as browser,
  ${changedOf('server')} as server,
  (select coalesce(json_agg(json_build_array(org_id, version, encode(wrapped, 'base64'))), '[]')
    from data_keys where changed_in >= $1::text::xid8) as "dataKeys",
  ${publicKeysSql}`

const latestOf = (audience: Audience) => `
  (select coalesce(json_agg(${versionJson(audience)}), '[]') from (
    select distinct on (org_id, schema_id, environment_id) * from ${audience}_snapshots
    order by org_id, schema_id, environment_id, version desc) as s)`

const everythingSql = `
select pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
  ${latestOf('browser')} as browser,
  ${latestOf('server')} as server,
  (select coalesce(json_agg(json_build_array(org_id, version, encode(wrapped, 'base64'))), '[]')
    from data_keys) as "dataKeys",
  ${publicKeysSql}`

/**
 * Returns what was published or changed since the transaction number `since`; without one, the latest version of every
 * snapshot.
 */
export async function findChanges(
  reader: DeliveryReader,
  since: string | undefined,
): Promise<PublishedChanges> {
  const [row] = await reader.query<ChangesRow>(
    since === undefined
      ? { name: 'delivery-everything', text: everythingSql, values: [] }
      : { name: 'delivery-changes', text: changesSql, values: [since] },
  )
  if (row === undefined) throw new Error('The database answered no row')
  return {
    xmin: row.xmin,
    browser: row.browser.map(toPublishedVersion),
    server: row.server.map(toPublishedVersion),
    publicKeys: row.publicKeys,
    dataKeys: row.dataKeys.map(([orgId, version, wrapped]) => ({
      orgId,
      version,
      wrapped: Buffer.from(wrapped, 'base64'),
    })),
  }
}

function toPublishedVersion([
  orgId,
  schemaId,
  environmentId,
  version,
  etag,
  gone,
  oldest,
  ended,
  environment,
]: VersionColumns): PublishedVersion {
  return { orgId, schemaId, environmentId, version, etag, gone, oldest, ended, environment }
}

const requestedVersionsSql = `
join unnest($1::text[], $2::text[], $3::text[], $4::integer[]) as requested (org_id, schema_id, environment_id, version)
  using (org_id, schema_id, environment_id, version)
where body is not null`

const publishedColumns = (audience: Audience) => `org_id as "orgId", schema_id as "schemaId",
  schema_name as schema, environment_id as "environmentId", environment_name as environment, version,
  ${etagSql[audience]} as etag, body`

/** Lists the snapshots for browsers of the given versions. Those that were deleted meanwhile are left out. */
export async function listBrowserRows(
  reader: DeliveryReader,
  versions: readonly VersionRef[],
): Promise<BrowserRow[]> {
  return reader.query<BrowserRow>({
    name: 'delivery-browser-rows',
    text: `select ${publishedColumns('browser')}, flag_sources as "flagSources",
      flag_rules as "flagRules", flag_versions as "flagVersions", signature from browser_snapshots ${requestedVersionsSql}`,
    values: toColumns(versions),
  })
}

/**
 * Lists the snapshots for servers of the given versions, their secrets sealed. Those that were deleted meanwhile are
 * left out.
 */
export async function listServerRows(
  reader: DeliveryReader,
  versions: readonly VersionRef[],
): Promise<ServerRow[]> {
  return reader.query<ServerRow>({
    name: 'delivery-server-rows',
    text: `select ${publishedColumns('server')}, sealed_secrets as "sealedSecrets",
      sealed_signature as "sealedSignature" from server_snapshots ${requestedVersionsSql}`,
    values: toColumns(versions),
  })
}

/** Names one version of one snapshot. */
export type VersionRef = Pick<PublishedVersion, 'orgId' | 'schemaId' | 'environmentId' | 'version'>

function toColumns(versions: readonly VersionRef[]): unknown[][] {
  return [
    versions.map(({ orgId }) => orgId),
    versions.map(({ schemaId }) => schemaId),
    versions.map(({ environmentId }) => environmentId),
    versions.map(({ version }) => version),
  ]
}

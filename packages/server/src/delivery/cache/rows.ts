import type { WrappedDataKey } from '../../crypto/data-keys.ts'
import type { DeliveryReader } from '../../store/store.ts'
import type { BrowserRow } from '../browser/browser-item.ts'
import type { ServerRow } from '../server/server-item.ts'

/** Which version there is, without its content. */
export interface Head {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  readonly version: number
  readonly etag: string
  /** The schema or the environment was deleted. */
  readonly gone: boolean
  /** The oldest version there is. Those before it must not be shown any more, wherever they are kept. */
  readonly oldest: number
}

/** What was published at one moment. */
export interface PublishedChanges {
  /** Transactions from here on may have committed after that moment. */
  readonly horizon: string
  readonly browser: readonly Head[]
  readonly server: readonly Head[]
  readonly dataKeys: readonly WrappedDataKey[]
}

type HeadColumns = [string, string, string, number, string, boolean, number]

interface ChangesRow {
  readonly horizon: string
  readonly browser: readonly HeadColumns[]
  readonly server: readonly HeadColumns[]
  readonly dataKeys: readonly [string, number, string][]
}

/**
 * A server's snapshot differs from another of the same version and the same open values by its secrets alone, which
 * happens after a database was restored. The sealed bytes tell them apart, and tell nothing about the secrets.
 */
const etagSql = {
  browser: 'etag',
  server: `etag || coalesce('.' || left(encode(sha256(sealed_secrets), 'hex'), 12), '')`,
} as const

type Audience = keyof typeof etagSql

const headJson = (audience: Audience) =>
  `json_build_array(org_id, schema_id, environment_id, version, ${etagSql[audience]}, body is null, (
    select min(o.version) from ${audience}_snapshots o where o.org_id = s.org_id
      and o.schema_id = s.schema_id and o.environment_id = s.environment_id))`

const changedOf = (audience: Audience) => `
  (select coalesce(json_agg(${headJson(audience)}), '[]') from ${audience}_snapshots s
    where changed_in >= $1::text::xid8)`

/**
 * One statement sees one moment. Rows of transactions that were open at that moment carry a number that is not below
 * `horizon`, so asking for those from the last horizon on never misses one; some come twice. Uses the indexes on
 * `changed_in`.
 */
const changesSql = `
select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
  ${changedOf('browser')} as browser,
  ${changedOf('server')} as server,
  (select coalesce(json_agg(json_build_array(org_id, version, encode(wrapped, 'base64'))), '[]')
    from data_keys where changed_in >= $1::text::xid8) as "dataKeys"`

const latestOf = (audience: Audience) => `
  (select coalesce(json_agg(${headJson(audience)}), '[]') from (
    select distinct on (org_id, schema_id, environment_id) * from ${audience}_snapshots
    order by org_id, schema_id, environment_id, version desc) as s)`

const everythingSql = `
select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
  ${latestOf('browser')} as browser,
  ${latestOf('server')} as server,
  (select coalesce(json_agg(json_build_array(org_id, version, encode(wrapped, 'base64'))), '[]')
    from data_keys) as "dataKeys"`

/** The rows published or changed since a horizon; without one, the latest version of every pair. */
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
    horizon: row.horizon,
    browser: row.browser.map(toHead),
    server: row.server.map(toHead),
    dataKeys: row.dataKeys.map(([orgId, version, wrapped]) => ({
      orgId,
      version,
      wrapped: Buffer.from(wrapped, 'base64'),
    })),
  }
}

function toHead([orgId, schemaId, environmentId, version, etag, gone, oldest]: HeadColumns): Head {
  return { orgId, schemaId, environmentId, version, etag, gone, oldest }
}

const wantedSql = `
join unnest($1::text[], $2::text[], $3::text[], $4::integer[]) as wanted (org_id, schema_id, environment_id, version)
  using (org_id, schema_id, environment_id, version)
where body is not null`

const publishedColumns = (audience: Audience) => `org_id as "orgId", schema_id as "schemaId",
  schema_name as schema, environment_id as "environmentId", environment_name as environment, version,
  ${etagSql[audience]} as etag, body`

/** Snapshots for browsers by their keys; those that are gone meanwhile are left out. */
export async function listBrowserRows(
  reader: DeliveryReader,
  heads: readonly WantedVersion[],
): Promise<BrowserRow[]> {
  return reader.query<BrowserRow>({
    name: 'delivery-browser-rows',
    text: `select ${publishedColumns('browser')}, flag_sources as "flagSources",
      flag_rules as "flagRules" from browser_snapshots ${wantedSql}`,
    values: toColumns(heads),
  })
}

/** Snapshots for servers, their secrets sealed. */
export async function listServerRows(
  reader: DeliveryReader,
  heads: readonly WantedVersion[],
): Promise<ServerRow[]> {
  return reader.query<ServerRow>({
    name: 'delivery-server-rows',
    text: `select ${publishedColumns('server')}, sealed_secrets as "sealedSecrets" from server_snapshots ${wantedSql}`,
    values: toColumns(heads),
  })
}

export type WantedVersion = Pick<Head, 'orgId' | 'schemaId' | 'environmentId' | 'version'>

function toColumns(heads: readonly WantedVersion[]): unknown[][] {
  return [
    heads.map(({ orgId }) => orgId),
    heads.map(({ schemaId }) => schemaId),
    heads.map(({ environmentId }) => environmentId),
    heads.map(({ version }) => version),
  ]
}

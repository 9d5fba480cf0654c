import type pg from 'pg'
import type { Catalog } from './nullability.ts'

/** Holds what the catalog says, with the names of the tables. */
export interface TableCatalog extends Catalog {
  /** Oid -> name. */
  readonly tables: ReadonlyMap<number, string>
}

/** Operators that find nothing in a value which is not null. */
const finding = ['->', '->>', '#>', '#>>']

/** Functions that answer null only to null. */
const strictNames =
  `abs array_append array_cat array_remove array_to_json btrim cardinality ceil chr concat date_trunc
  decode encode extract floor json_array_length jsonb_array_length left length lower make_interval md5 octet_length pg_database_size position
  regexp_replace repeat replace reverse right round row_to_json sha256 split_part starts_with strpos substr substring timezone
  to_char to_json to_jsonb to_timestamp translate upper`.split(/\s+/)

/** Aggregates that answer null only to no rows. */
const aggregateNames =
  `array_agg avg bool_and bool_or json_agg jsonb_agg max min string_agg sum`.split(' ')

/** Functions that never answer null. */
const neverNames =
  `clock_timestamp concat concat_ws count current_database cume_dist dense_rank gen_random_uuid
  json_build_array json_build_object jsonb_build_array jsonb_build_object now percent_rank pg_advisory_xact_lock
  pg_current_snapshot pg_current_xact_id pg_snapshot_xmax pg_snapshot_xmin pg_try_advisory_xact_lock rank row_number statement_timestamp
  transaction_timestamp`.split(/\s+/)

/** Reads the catalog of the migrated database. */
export async function readCatalog(client: pg.Client): Promise<TableCatalog> {
  const list = async (text: string, values: readonly unknown[] = []): Promise<string[][]> =>
    (await client.query<string[]>({ text, values: [...values], rowMode: 'array' })).rows
  const ours = `n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`
  const tables =
    await list(`select c.oid::text, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${ours} and c.relkind in ('r', 'p', 'v')`)
  const notNull = await list(`select attrelid || '.' || attnum from pg_attribute where attnotnull`)
  // A cast answers null to null alone, as do comparisons, arithmetic and concatenation.
  const strict = await list(
    `select oprcode::oid::text from pg_operator where oprname <> all ($1)
      union select castfunc::text from pg_cast where castfunc <> 0
      union select oid::text from pg_proc where proisstrict and proname = any ($2)
      union select oid::text from pg_proc where proname = 'current_setting' and pronargs = 1
      union select oid::text from pg_proc where prokind = 'a' and proname = any ($3)`,
    [finding, strictNames, aggregateNames],
  )
  const never = await list('select oid::text from pg_proc where proname = any ($1)', [neverNames])
  const oids = (rows: readonly string[][]) => new Set(rows.map(([oid]) => Number(oid)))
  return {
    tables: new Map(tables.map(([oid, name = '']) => [Number(oid), name])),
    notNull: new Set(notNull.map(([column = '']) => column)),
    strict: oids(strict),
    never: oids(never),
  }
}

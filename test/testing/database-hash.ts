import type { ProofService } from './proof-service.ts'

/** Table -> how many rows it has, and their hash. Equal hashes: nothing was written. */
export type DatabaseHash = Readonly<Record<string, string>>

/** Written by reading: when something was last used and how long it was idle, when a provider last answered, how often a data key was used. */
const columnsLeftOut = [
  'used_at',
  'idle_seconds',
  'last_used_at',
  'last_ok_at',
  'seals',
  'changed_in',
]
/** And what is kept for minutes about what changed elsewhere, and each node's sign of life. */
const tablesLeftOut = ['api_key_secret_reads', 'api_key_uses', 'live_changes', 'nodes']

/** Hashes every row of the service's own tables. */
export async function hashDatabase({
  asOwner,
}: Pick<ProofService, 'asOwner'>): Promise<DatabaseHash> {
  const tables = await asOwner<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all ($1)`,
    [tablesLeftOut],
  )
  const selects = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' rows ' || coalesce(md5(string_agg(row, ',' order by row)), '') as hash
       from (select (to_jsonb(t) - $1::text[])::text as row from ${name} t) rows`,
  )
  const rows = await asOwner<{ name: string; hash: string }>(selects.join(' union all '), [
    columnsLeftOut,
  ])
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}

/** The tables whose rows differ. */
export function changedTables(before: DatabaseHash, after: DatabaseHash): string[] {
  return Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
}

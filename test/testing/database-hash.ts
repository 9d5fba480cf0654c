import { createHash } from 'node:crypto'
import type { ProofService } from './proof-service.ts'

/** Table -> hash of all its rows. Equal hashes: nothing was written. */
export type DatabaseHash = Readonly<Record<string, string>>

/** Written by reading: when something was last used, and how often a data key was. */
const leftOut = ['used_at', 'last_used_at', 'seals', 'changed_in']
const tablesLeftOut = new Set(['api_key_uses'])

/** Hashes every row of the service's own tables. */
export async function hashDatabase({
  asOwner,
}: Pick<ProofService, 'asOwner'>): Promise<DatabaseHash> {
  const tables = await asOwner<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    if (tablesLeftOut.has(name)) continue
    const rows = await asOwner<{ row: string }>(
      `select (to_jsonb(t) - $1::text[])::text as row from ${name} t order by 1`,
      [leftOut],
    )
    const hash = createHash('sha256')
    for (const { row } of rows) hash.update(`${row}\n`)
    hashes[name] = `${rows.length} rows ${hash.digest('hex').slice(0, 16)}`
  }
  return hashes
}

/** The tables whose rows differ. */
export function changedTables(before: DatabaseHash, after: DatabaseHash): string[] {
  return Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
}

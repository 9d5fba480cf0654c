import type { Tx } from './store.ts'

/** Holds one day in milliseconds. */
export const dayMs = 24 * 3600 * 1000

/**
 * Describes rows that are no longer needed, and when they are deleted. The owner of the table exports it; `retention/`
 * runs it.
 */
export interface RetentionRule {
  readonly keptMs: number
  /** Deletes at most `limit` rows from before a moment, and returns one row for each. */
  readonly forget: (tx: Pick<Tx, 'query'>, before: Date, limit: number) => Promise<object[]>
}

/**
 * Returns SQL that deletes at most `$2` rows for which `expired` holds. `$1` is the moment before which rows expire.
 */
export function forgetSql(table: string, expired: string): string {
  return `delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${expired} limit $2)) returning 1`
}

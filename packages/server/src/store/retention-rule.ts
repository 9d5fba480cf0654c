import type { Tx } from './store.ts'

/** One day in milliseconds. */
export const dayMs = 24 * 3600 * 1000

/** Describes rows that have done their work, and when they go. The owner of the table exports it; retention runs it. */
export interface RetentionRule {
  readonly keptMs: number
  /** Deletes at most `limit` rows of before a moment, and returns one row for each. */
  readonly forget: (tx: Tx, before: Date, limit: number) => Promise<object[]>
}

/** Returns the text that deletes at most `$2` rows of which `expired` is true, by `$1`, the moment from which on all are kept. */
export function forgetSql(table: string, expired: string): string {
  return `delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${expired} limit $2)) returning 1`
}

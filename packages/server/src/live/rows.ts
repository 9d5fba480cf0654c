import { liveTopics } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { DeliveryReader } from '../store/store.ts'
import type { LiveChange } from './change.ts'

/** What one look at the changes has found. */
export interface Look {
  /** What the look saw, for the next one: PostgreSQL's own text. */
  readonly snapshot: string
  /** Whatever is not seen yet has this number or a higher one. */
  readonly horizon: bigint
  /** Whatever begins after the look has this number or a higher one. Below it, some of what is above `horizon` was committed before. */
  readonly ceiling: bigint
  readonly changes: readonly LiveChange[]
  /** Whether there was more than one look takes. */
  readonly isTooMuch: boolean
}

/** More than every dashboard together asks for: they read everything anew instead. */
const changesMax = 5_000

const found = z.array(z.tuple([z.string(), z.enum(liveTopics), z.string(), z.string()]))

/**
 * Changes that were committed since the look that saw `since`, each exactly once: those of transactions that were still open
 * then are among them, whatever their numbers. Without `since` there are none, and the look only says where it stands.
 */
export async function lookForChanges(
  database: DeliveryReader,
  since: string | undefined,
): Promise<Look> {
  const [row] = await database.query<{
    snapshot: string
    horizon: string
    ceiling: string
    changes: unknown
  }>({
    name: 'look-for-live-changes',
    text: `select pg_current_snapshot()::text as snapshot, pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      pg_snapshot_xmax(pg_current_snapshot())::text as ceiling,
      coalesce((select json_agg(json_build_array(org_id, topic, subject_id, changed_in::text)) from (
        select org_id, topic, subject_id, changed_in from live_changes
        where changed_in >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(changed_in, $1::pg_snapshot)
        limit ${changesMax + 1}) c), '[]') as changes`,
    values: [since],
  })
  if (row === undefined) throw new Error('A look at the changes answers nothing')
  const rows = found.parse(row.changes)
  return {
    snapshot: row.snapshot,
    horizon: BigInt(row.horizon),
    ceiling: BigInt(row.ceiling),
    isTooMuch: rows.length > changesMax,
    changes: rows.map(([orgId, topic, id, changedIn]) => {
      return { orgId, topic, id, changedIn: BigInt(changedIn) }
    }),
  }
}

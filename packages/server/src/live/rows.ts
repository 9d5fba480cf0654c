import { liveTopics } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { DeliveryReader } from '../store/store.ts'
import type { LiveChange } from './change.ts'

export interface ChangesPoll {
  /** Holds PostgreSQL's own text of the snapshot that the poll saw. The next poll begins there. */
  readonly snapshot: string
  /** Holds the lowest number that a change not seen yet can have. */
  readonly xmin: bigint
  /**
   * Holds the lowest number that a later transaction can have. Some changes between `xmin` and `xmax` were committed
   * before.
   */
  readonly xmax: bigint
  readonly changes: readonly LiveChange[]
  /** Tells that there were more changes than one poll reads. */
  readonly hasTooMany: boolean
}

/** Limits the changes of one poll. Beyond it, dashboards reload everything. */
const changesMax = 5_000

const changeRows = z.array(z.tuple([z.string(), z.enum(liveTopics), z.string(), z.string()]))

/**
 * Returns the changes that were committed since the poll that saw `since`, each exactly once. They include those of
 * transactions that were open then, whatever their numbers. Without `since` it returns no changes and only its
 * snapshot.
 */
export async function pollChanges(
  database: DeliveryReader,
  since: string | undefined,
): Promise<ChangesPoll> {
  const [row] = await database.query<{
    snapshot: string
    xmin: string
    xmax: string
    changes: unknown
  }>({
    name: 'poll-live-changes',
    text: `select pg_current_snapshot()::text as snapshot, pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
      pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
      coalesce((select json_agg(json_build_array(org_id, topic, subject_id, changed_in::text)) from (
        select org_id, topic, subject_id, changed_in from live_changes
        where changed_in >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(changed_in, $1::pg_snapshot)
        limit ${changesMax + 1}) c), '[]') as changes`,
    values: [since],
  })
  if (row === undefined) throw new Error('A poll of the changes returned no row')
  const rows = changeRows.parse(row.changes)
  return {
    snapshot: row.snapshot,
    xmin: BigInt(row.xmin),
    xmax: BigInt(row.xmax),
    hasTooMany: rows.length > changesMax,
    changes: rows.map(([orgId, topic, id, changedIn]) => {
      return { orgId, topic, id, changedIn: BigInt(changedIn) }
    }),
  }
}

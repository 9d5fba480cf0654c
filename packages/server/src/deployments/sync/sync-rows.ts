import type { Tx } from '../../store/store.ts'
import { parseSyncCursor, type Sync } from './sync.ts'

interface SyncRow extends Omit<Sync, 'cursor'> {
  readonly cursor: unknown
}

const columns = `id, depth, state, progress, cursor, revision, detail, started_at as "startedAt", finished_at as "finishedAt"`

function toSync(row: SyncRow): Sync {
  return { ...row, cursor: parseSyncCursor(row.cursor, row.depth) }
}

/** Finds a sync by its id. */
export async function findSync(tx: Tx, orgId: string, id: string): Promise<Sync | undefined> {
  const [row] = await tx.query<SyncRow>({
    name: 'find-sync',
    text: `select ${columns} from syncs where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row && toSync(row)
}

/** Ends a sync that began before a connection was made: it reads what was connected then. */
export async function endFormerSync(
  tx: Tx,
  orgId: string,
  of: {
    readonly depth: Sync['depth']
    readonly connectedAt: Date
    readonly detail: string
    readonly now: Date
  },
): Promise<void> {
  await tx.query({
    name: 'end-former-sync',
    text: `update syncs set state = 'failed', detail = $4, finished_at = $5, revision = revision + 1
      where org_id = $1 and depth = $2 and state in ('queued', 'running') and started_at < $3`,
    values: [orgId, of.depth, of.connectedAt, of.detail, of.now],
  })
}

/** Inserts a sync, or returns the one of its depth that is under way. */
export async function upsertRunningSync(
  tx: Tx,
  orgId: string,
  { id, depth, progress, cursor, startedAt }: Sync,
): Promise<Sync> {
  const [row] = await tx.query<SyncRow>({
    name: 'upsert-running-sync',
    text: `insert into syncs (org_id, id, depth, state, progress, cursor, started_at) values ($1, $2, $3, 'queued', $4, $5, $6)
      on conflict (org_id, depth) where state in ('queued', 'running') do update set depth = excluded.depth
      returning ${columns}`,
    values: [orgId, id, depth, JSON.stringify(progress), JSON.stringify(cursor), startedAt],
  })
  if (row === undefined) throw new Error('An upsert answers a row')
  return toSync(row)
}

/** Writes how far a sync is. Returns `false` when another job has continued it since it was read. */
export async function saveSync(tx: Tx, orgId: string, sync: Sync): Promise<boolean> {
  const rows = await tx.query({
    name: 'save-sync',
    text: `update syncs set state = $4, progress = $5, cursor = $6, detail = $7, finished_at = $8, revision = revision + 1
      where org_id = $1 and id = $2 and revision = $3 and state in ('queued', 'running') returning id`,
    values: [
      orgId,
      sync.id,
      sync.revision,
      sync.state,
      JSON.stringify(sync.progress),
      JSON.stringify(sync.cursor),
      sync.detail,
      sync.finishedAt,
    ],
  })
  return rows.length > 0
}

/** Returns whether everything that the code host has is being fetched. */
export async function isFullSyncRunning(tx: Tx, orgId: string): Promise<boolean> {
  const [row] = await tx.query<{ readonly running: boolean }>({
    name: 'is-full-sync-running',
    text: `select exists (select from syncs
      where org_id = $1 and depth = 'full' and state in ('queued', 'running')) as running`,
    values: [orgId],
  })
  return row?.running ?? false
}

/** Deletes the syncs that ended before a moment. */
export async function deleteOldSyncs(tx: Tx, orgId: string, before: Date): Promise<void> {
  await tx.query({
    name: 'delete-old-syncs',
    text: 'delete from syncs where org_id = $1 and finished_at < $2',
    values: [orgId, before],
  })
}

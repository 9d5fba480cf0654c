import type { Caller } from '../../audit/caller.ts'
import { newId } from '../../crypto/ids.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { requireUsable } from '../../integrations/health/require-usable.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import type { Tx } from '../../store/store.ts'
import { enrichQueue } from '../commits/enrich-job.ts'
import { markSkippedForRetry } from '../commits/enrich-rows.ts'
import { noProgress, startOfSync, type Sync, type SyncDepth } from './sync.ts'
import { deleteOldSyncs, endFormerSync, findSync, upsertRunningSync } from './sync-rows.ts'
import type { SyncDeps } from './sync-work.ts'

/** Works on a sync for a while. A sync may have several jobs: a late one finds it further along. */
export const runSyncQueue = 'deployments.runSync'

const keptMs = 30 * 86_400_000
const formerDetail = 'The connection was replaced. Another sync reads the new one.'

/** Describes what starts and shows syncs. */
export type StartSyncDeps = Pick<SyncDeps, 'jobs' | 'now'> & {
  readonly store: Pick<SyncDeps['store'], 'transaction'>
}

/** Begins a sync, or returns the one of its depth and connection that is under way, whose job is added again in case it got lost. */
export async function beginSync(
  { jobs, now }: Pick<SyncDeps, 'jobs' | 'now'>,
  tx: Tx,
  orgId: string,
  depth: SyncDepth,
): Promise<Sync> {
  const startedAt = now()
  const id = newId('syn', startedAt)
  await deleteOldSyncs(tx, orgId, new Date(startedAt.getTime() - keptMs))
  const kind = depth === 'issues' ? 'tracker' : 'codehost'
  const connectedAt = (await findIntegrationRow(tx, { orgId, kind }))?.connectedAt ?? null
  if (connectedAt !== null)
    await endFormerSync(tx, orgId, { depth, connectedAt, detail: formerDetail, now: startedAt })
  const running = await upsertRunningSync(tx, orgId, {
    id,
    depth,
    state: 'queued',
    progress: noProgress,
    cursor: startOfSync(depth),
    revision: 1,
    detail: null,
    startedAt,
    finishedAt: null,
  })
  await jobs.enqueue(tx, runSyncQueue, { orgId, id: running.id }, { key: running.id })
  // Missing rights to commits are still missing a few hours later: a person changes that, and connects or syncs then.
  if (depth === 'full') await askForSkippedCommits(jobs, tx, orgId, startedAt)
  return running
}

/** Adds jobs for the commits that the host did not show of known deployments: the sync itself fetches only deployments. */
async function askForSkippedCommits(
  jobs: SyncDeps['jobs'],
  tx: Tx,
  orgId: string,
  now: Date,
): Promise<void> {
  const ids = await markSkippedForRetry(tx, orgId, now)
  const work = ids.map((id) => ({ data: { orgId, id }, key: id }))
  await jobs.enqueueAll(tx, enrichQueue, work)
}

/**
 * Starts a sync of everything that the code host has. A call during a sync returns that one.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export async function startSync(deps: StartSyncDeps, { orgId, scope }: Caller): Promise<Sync> {
  return deps.store.transaction(scope, async (tx) => {
    requireUsable(await findIntegrationRow(tx, { orgId, kind: 'codehost' }))
    return beginSync(deps, tx, orgId, 'full')
  })
}

/**
 * Starts reading the issues that recent deployments name. A call during such a sync returns that one.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export async function startTrackerSync(
  deps: StartSyncDeps,
  { orgId, scope }: Caller,
): Promise<Sync> {
  return deps.store.transaction(scope, async (tx) => {
    requireUsable(await findIntegrationRow(tx, { orgId, kind: 'tracker' }))
    return beginSync(deps, tx, orgId, 'issues')
  })
}

/** Returns how far a sync of the code host or of the tracker is. @throws {Problem} `not_found` */
export async function getSync(
  { store }: Pick<StartSyncDeps, 'store'>,
  { orgId, scope }: Caller,
  { id, of }: { readonly id: string; readonly of: 'codehost' | 'tracker' },
): Promise<Sync> {
  const sync = await store.transaction(scope, (tx) => findSync(tx, orgId, id))
  if (sync === undefined || (sync.depth === 'issues') !== (of === 'tracker')) throw notFound()
  return sync
}

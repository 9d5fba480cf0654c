import type { Tx } from '../../store/store.ts'
import { applyRunReport, saveRun, type ReportingDeps } from './apply-run-report.ts'
import { takeKeptRun } from './kept-run.ts'
import { toRunReport } from './merge-run.ts'
import { lockRunNames } from './run-event-rows.ts'
import { findRun, lockRun, lockRunByExternalId } from './run-rows.ts'
import { ranks, startLimitMs } from './test-run.ts'

/** Stores which of the code host's runs is ours, and merges what was reported of it before. The first one stored stays. */
export async function nameRun(
  deps: ReportingDeps,
  tx: Tx,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
  { externalId, url }: { readonly externalId: string; readonly url: string | null },
): Promise<void> {
  const repositoryId = (await findRun(tx, orgId, runId))?.repositoryId ?? null
  if (repositoryId === null) return
  await lockRunNames(tx, orgId, repositoryId)
  const other = await lockRunByExternalId(tx, orgId, { repositoryId, externalId })
  const run = await lockRun(tx, orgId, runId)
  if (run === undefined || run.externalId !== null) return
  if (other !== undefined) {
    // The pipeline recorded itself before the answer to the dispatch was here: one run is shown, not two.
    const over = { stateRank: ranks.end, finishedAt: deps.now(), deadlineAt: null }
    const left = { ...run, state: 'skipped', stateReason: 'recorded_by_pipeline', ...over } as const
    await saveRun(deps, tx, { orgId, run }, left)
    return
  }
  const isWaiting = run.stateRank < ranks.queued
  const named = await saveRun(
    deps,
    tx,
    { orgId, run },
    {
      ...run,
      externalId,
      url: run.url ?? url,
      ...(isWaiting && {
        state: 'queued',
        stateRank: ranks.queued,
        stateReason: null,
        deadlineAt: new Date(deps.now().getTime() + startLimitMs),
      }),
    },
  )
  const keptRun = await takeKeptRun(tx, orgId, { repositoryId, externalId })
  const report = keptRun && toRunReport(keptRun)
  if (report !== undefined) await applyRunReport(deps, tx, { orgId, run: named }, report)
}

import { saveRun } from './apply-run-report.ts'
import { findRepositoryExternalId } from './deployment-rows.ts'
import { isLookedFor, listCandidates, lookAfterMs } from './look-for-run.ts'
import { nameRun } from './name-run.ts'
import { findRun, lockRun } from './run-rows.ts'
import { readRunId } from './run-title.ts'
import type { DispatchDeps, WorkflowPlace } from './test-run-deps.ts'
import { ranks, type TestRun } from './test-run.ts'

/**
 * Looks for the run of a dispatch that gave no answer: started by hand in that time, with our id in its title. The only one
 * is ours. Where there is none after 90 seconds the run is `unknown`; it is never dispatched again.
 */
export async function findDispatchedRun(
  deps: DispatchDeps,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
): Promise<void> {
  const open = await deps.store.transaction({ orgId }, async (tx) => {
    const run = await findRun(tx, orgId, runId)
    if (run === undefined || !isOpen(run) || run.repositoryId === null) return undefined
    const repositoryExternalId = await findRepositoryExternalId(tx, orgId, run.repositoryId)
    const { workflowId, dispatchedAt } = run
    if (repositoryExternalId === undefined || workflowId === null || dispatchedAt === null) {
      return undefined
    }
    return { place: { orgId, repositoryExternalId, workflowId }, dispatchedAt }
  })
  if (open === undefined) return
  const { place, dispatchedAt } = open
  const askedAt = deps.now()
  const found = await findOnly(deps, place, runId, dispatchedAt)
  await deps.store.transaction({ orgId }, async (tx) => {
    if (found !== undefined) {
      await nameRun(deps, tx, { orgId, runId }, { externalId: found.externalId, url: found.url })
      return
    }
    if (isLookedFor(dispatchedAt, askedAt)) {
      const startAfter = new Date(deps.now().getTime() + lookAfterMs)
      await deps.jobs.enqueue(tx, 'testRuns.find', { orgId, id: runId }, { key: runId, startAfter })
      return
    }
    const run = await lockRun(tx, orgId, runId)
    if (run === undefined || !isOpen(run)) return
    const unknown = { state: 'unknown', stateRank: ranks.unknown } as const
    await saveRun(
      deps,
      tx,
      { orgId, run },
      { ...run, ...unknown, stateReason: 'dispatch_ambiguous' },
    )
  })
}

function isOpen({ state, externalId }: TestRun): boolean {
  return state === 'dispatching' && externalId === null
}

async function findOnly(
  deps: DispatchDeps,
  place: WorkflowPlace,
  runId: string,
  dispatchedAt: Date,
) {
  const candidates = await listCandidates(deps, place, dispatchedAt)
  const ours = candidates.filter(({ title }) => readRunId(title) === runId)
  return ours.length === 1 ? ours[0] : undefined
}

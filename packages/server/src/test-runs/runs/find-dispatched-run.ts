import { saveRun } from './apply-run-report.ts'
import { findExternalId } from '../../deployments/codehost/tracked-repository-rows.ts'
import { isSearchOpen, listCandidates, searchAfterMs } from './run-search.ts'
import { nameRun } from './name-run.ts'
import { findRun, lockRun } from './run-rows.ts'
import type { DispatchDeps, WorkflowRef } from '../test-run-deps.ts'
import { ranks, type TestRun } from './test-run.ts'

/**
 * Searches for the run of a test run whose dispatch gave no answer: started on request in that time, and handing back our
 * id. The only one is ours. Where there is none after 90 seconds the run is `unknown`; it is never dispatched again.
 */
export async function findDispatchedRun(
  deps: DispatchDeps,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
): Promise<void> {
  const open = await deps.store.transaction({ orgId }, async (tx) => {
    const run = await findRun(tx, orgId, runId)
    if (run === undefined || !isOpen(run) || run.repositoryId === null) return undefined
    const repositoryExternalId = await findExternalId(tx, orgId, run.repositoryId)
    const { workflowId, dispatchedAt } = run
    if (repositoryExternalId === undefined || workflowId === null || dispatchedAt === null) {
      return undefined
    }
    return { workflow: { orgId, repositoryExternalId, workflowId }, dispatchedAt }
  })
  if (open === undefined) return
  const { workflow, dispatchedAt } = open
  const searchedAt = deps.now()
  const hostRun = await findCorrelated(deps, workflow, runId, dispatchedAt)
  await deps.store.transaction({ orgId }, async (tx) => {
    if (hostRun !== undefined) {
      const { externalId, url } = hostRun
      await nameRun(deps, tx, { orgId, runId }, { externalId, url })
      return
    }
    if (isSearchOpen(dispatchedAt, searchedAt)) {
      const startAfter = new Date(deps.now().getTime() + searchAfterMs)
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

async function findCorrelated(
  deps: DispatchDeps,
  workflow: WorkflowRef,
  runId: string,
  dispatchedAt: Date,
) {
  const candidates = await listCandidates(deps, workflow, dispatchedAt)
  const ours = candidates.filter(({ correlation }) => correlation === runId)
  return ours.length === 1 ? ours[0] : undefined
}

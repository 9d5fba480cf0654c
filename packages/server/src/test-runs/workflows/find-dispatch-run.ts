import type { CodehostRun, RequestedRuns } from '../../providers/codehosts/run.ts'
import type { Tx } from '../../store/store.ts'
import { findDispatch, isOtherStartOpen, listKnownRuns } from './dispatch-rows.ts'
import { isOpen, type WorkflowDispatch } from './dispatch.ts'
import { followRun } from './follow-run.ts'
import { settleRun, toFound } from './settle-run.ts'
import { isSearchOpen, listCandidates, searchAfterMs, searchWindow } from '../runs/run-search.ts'
import type { DispatchDeps } from '../test-run-deps.ts'

/**
 * Searches for the run of a dispatch whose answer is missing: the run with our id, or else the only run that an application
 * started on that ref in that time and that no other dispatch claims. After 90 seconds without one the dispatch is marked as
 * not found; it is never sent again.
 */
export async function findDispatchRun(
  deps: DispatchDeps,
  { orgId, dispatchId }: { readonly orgId: string; readonly dispatchId: string },
): Promise<void> {
  const { store, now } = deps
  const dispatch = await store.transaction({ orgId }, (tx) => findDispatch(tx, orgId, dispatchId))
  if (dispatch === undefined || !isOpen(dispatch)) return
  const { repositoryExternalId, workflowId, requestedAt } = dispatch
  const searchedAt = now()
  // A repository that the code host does not know has no runs.
  const candidates =
    repositoryExternalId === null
      ? { runs: [], isComplete: true }
      : await listCandidates(deps, { orgId, repositoryExternalId, workflowId }, requestedAt)
  await store.transaction({ orgId }, async (tx) => {
    const run = await chooseRun(tx, orgId, dispatch, candidates)
    if (run !== undefined) {
      if (await settleRun(tx, orgId, dispatchId, toFound(run)))
        await followRun(tx, orgId, dispatch.repositoryId, run)
      return
    }
    const isOver = !isSearchOpen(requestedAt, searchedAt)
    const ambiguous = { state: 'ambiguous', externalId: null, url: null } as const
    const reason = isOver ? 'run_not_found' : null
    await settleRun(tx, orgId, dispatchId, { ...ambiguous, reason })
    if (isOver) return
    const startAfter = new Date(now().getTime() + searchAfterMs)
    const of = { orgId, id: dispatchId }
    await deps.jobs.enqueue(tx, 'testRuns.findDispatch', of, { key: dispatchId, startAfter })
  })
}

async function chooseRun(
  tx: Tx,
  orgId: string,
  { id, repositoryId, ref, requestedAt }: WorkflowDispatch,
  { runs: candidates, isComplete }: RequestedRuns,
): Promise<CodehostRun | undefined> {
  const correlated = candidates.find(({ correlation }) => correlation === id)
  if (correlated !== undefined) return correlated
  // The only one among those that were read need not be the only one.
  if (!isComplete) return undefined
  const window = searchWindow(requestedAt)
  if (await isOtherStartOpen(tx, orgId, { repositoryId, id, ...window })) return undefined
  const externalIds = candidates.map(({ externalId }) => externalId)
  const known = new Set(await listKnownRuns(tx, orgId, { repositoryId, externalIds }))
  const branch = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const [only, ...others] = candidates.filter(
    (run) =>
      run.isByApp &&
      run.headBranch === branch &&
      !known.has(run.externalId) &&
      run.correlation === null,
  )
  return others.length === 0 ? only : undefined
}

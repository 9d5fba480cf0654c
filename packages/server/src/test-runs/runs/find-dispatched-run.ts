import { saveRun } from './apply-run-report.ts'
import { findExternalId } from '../../deployments/codehost/tracked-repository-rows.ts'
import type { RequestedRuns } from '../../providers/codehosts/run.ts'
import type { Tx } from '../../store/store.ts'
import { listKnownRuns } from '../workflows/dispatch-rows.ts'
import { isSearchOpen, listCandidates, searchAfterMs } from './run-search.ts'
import { nameRun } from './name-run.ts'
import { findRun, lockRun } from './run-rows.ts'
import { beginAgain, hasSurelyNotStarted, sendAgain } from './start-again.ts'
import type { DispatchDeps, DispatchRequest, WorkflowRef } from '../test-run-deps.ts'
import { ranks, type TestRun } from './test-run.ts'

/**
 * Searches for the run of a test run whose dispatch gave no answer: one that was started on request in that time and
 * shows our id. A single match is ours. If there is none after 90 seconds, and the code host lets us be sure that none
 * was started, it starts the run a second time; otherwise the run is `unknown`.
 */
export async function findDispatchedRun(
  deps: DispatchDeps,
  of: { readonly orgId: string; readonly runId: string },
): Promise<void> {
  const { orgId, runId } = of
  const open = await deps.store.transaction({ orgId }, (tx) => findOpen(tx, of))
  if (open === undefined) return
  const { workflow, dispatchedAt, run } = open
  const searchedAt = deps.now()
  const candidates = await listCandidates(deps, workflow, dispatchedAt)
  const isLastPoll = !isSearchOpen(dispatchedAt, searchedAt)
  const isUnstarted =
    isLastPoll &&
    (await hasSurelyNotStarted(deps, workflow, run, await leaveKnown(deps, open, candidates)))
  const [ours, ...others] = candidates.runs.filter(({ correlation }) => correlation === runId)
  const again = await deps.store.transaction({ orgId }, async (tx) => {
    if (ours !== undefined && others.length === 0) {
      const { externalId, url } = ours
      await nameRun(deps, tx, of, { externalId, url })
      return undefined
    }
    if (isLastPoll) return giveUp(deps, tx, { workflow, runId, dispatchedAt, isUnstarted })
    const startAfter = new Date(deps.now().getTime() + searchAfterMs)
    await deps.jobs.enqueue(tx, 'testRuns.find', { orgId, id: runId }, { key: runId, startAfter })
    return undefined
  })
  if (again !== undefined) await sendAgain(deps, of, again)
}

/** Leaves out the runs that are known to be of other starts, such as one by hand: they are not this one. */
async function leaveKnown(
  { store }: Pick<DispatchDeps, 'store'>,
  { workflow: { orgId }, run: { repositoryId } }: OpenSearch,
  candidates: RequestedRuns,
): Promise<RequestedRuns> {
  const externalIds = candidates.runs.map(({ externalId }) => externalId)
  if (externalIds.length === 0 || repositoryId === null) return candidates
  const known = await store.transaction({ orgId }, (tx) =>
    listKnownRuns(tx, orgId, { repositoryId, externalIds }),
  )
  return { ...candidates, runs: candidates.runs.filter((one) => !known.includes(one.externalId)) }
}

interface OpenSearch {
  readonly workflow: WorkflowRef
  readonly dispatchedAt: Date
  readonly run: TestRun
}

async function findOpen(
  tx: Tx,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
): Promise<OpenSearch | undefined> {
  const run = await findRun(tx, orgId, runId)
  if (run === undefined || !isOpen(run) || run.repositoryId === null) return undefined
  const repositoryExternalId = await findExternalId(tx, orgId, run.repositoryId)
  const { workflowId, dispatchedAt } = run
  if (repositoryExternalId === undefined || workflowId === null || dispatchedAt === null) {
    return undefined
  }
  return { workflow: { orgId, repositoryExternalId, workflowId }, dispatchedAt, run }
}

/** Ends the search: returns the request of a second start, or records that what became of the first is unknown. */
async function giveUp(
  deps: DispatchDeps,
  tx: Tx,
  search: Pick<OpenSearch, 'workflow' | 'dispatchedAt'> & {
    readonly runId: string
    readonly isUnstarted: boolean
  },
): Promise<DispatchRequest | undefined> {
  const { workflow, dispatchedAt, runId, isUnstarted } = search
  const { orgId } = workflow
  const run = await lockRun(tx, orgId, runId)
  // Another try of this job has started it again in the meantime.
  if (run === undefined || !isOpen(run) || run.dispatchedAt?.getTime() !== dispatchedAt.getTime())
    return undefined
  const again = isUnstarted ? await beginAgain(deps, tx, { workflow, run }) : 'over'
  if (again !== 'over') return again === 'replaced' ? undefined : again
  const unknown = { state: 'unknown', stateRank: ranks.unknown } as const
  const after = { ...run, ...unknown, stateReason: 'dispatch_ambiguous' }
  await saveRun(deps, tx, { orgId, run }, after)
  return undefined
}

function isOpen({ state, externalId }: TestRun): boolean {
  return state === 'dispatching' && externalId === null
}

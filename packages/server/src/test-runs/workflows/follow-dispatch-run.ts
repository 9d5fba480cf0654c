import type { CodehostRun } from '../../providers/codehosts/run.ts'
import type { Tx } from '../../store/store.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { DispatchDeps } from '../test-run-deps.ts'
import { endOf, followRun } from './follow-run.ts'
import { findDispatch, forgetDispatchRun } from './dispatch-rows.ts'
import type { WorkflowDispatch } from './dispatch.ts'
import { readCause } from './read-cause.ts'

const minuteMs = 60_000
/** Milliseconds to the first look, in which the webhooks of most runs come. */
const firstPollMs = 2 * minuteMs
const longestWaitMs = 60 * minuteMs
/** Longer than a code host lets a run take: 35 days, as the limits of its actions say. */
const followedMs = 36 * 86_400_000

/** Describes the dispatch whose run is read. */
interface FollowedDispatch {
  readonly orgId: string
  readonly dispatchId: string
}

/**
 * Adds the job that reads the run of a dispatch from the code host. The wait is a quarter of the time since the start, two
 * minutes at least and an hour at most.
 */
export async function enqueueFollow(
  { jobs, now }: { readonly jobs: Pick<Jobs, 'enqueue'>; readonly now: () => Date },
  tx: Tx,
  { orgId, dispatchId, requestedAt }: FollowedDispatch & { readonly requestedAt: Date },
): Promise<void> {
  const at = now().getTime()
  const waitMs = Math.max(firstPollMs, (at - requestedAt.getTime()) / 4)
  const startAfter = new Date(at + Math.min(waitMs, longestWaitMs))
  const of = { orgId, id: dispatchId }
  await jobs.enqueue(tx, 'testRuns.followDispatch', of, { key: dispatchId, startAfter })
}

/**
 * Reads the state of a dispatch's run until the run has ended, because the webhook about its end may be lost. A run
 * that the code host no longer has is marked as not found. A code host that cannot be asked is asked again later.
 */
export async function followDispatchRun(
  deps: DispatchDeps,
  { orgId, dispatchId }: FollowedDispatch,
): Promise<void> {
  const { store, now } = deps
  const dispatch = await store.transaction({ orgId }, (tx) => findDispatch(tx, orgId, dispatchId))
  if (dispatch === undefined || isOver(dispatch)) return
  const { requestedAt, repositoryId } = dispatch
  const run = await readRun(deps, orgId, dispatch)
  const isTooOld = now().getTime() - requestedAt.getTime() > followedMs
  await store.transaction({ orgId }, async (tx) => {
    if (run === 'gone' || (isTooOld && dispatch.externalId !== null)) {
      await forgetDispatchRun(tx, orgId, dispatchId, now())
      return
    }
    if (run !== undefined) await followRun(tx, orgId, repositoryId, run)
    if (isTooOld || (run !== undefined && endOf(run) !== null)) return
    await enqueueFollow(deps, tx, { orgId, dispatchId, requestedAt })
  })
}

/** Returns whether nothing is to come: the run has ended, was refused, or was searched for in vain. */
function isOver({ state, reason, runFinishedAt }: WorkflowDispatch): boolean {
  return runFinishedAt !== null || state === 'refused' || reason === 'run_not_found'
}

/** Returns the run, `gone` if the code host has none with that id, or `undefined` if the code host cannot be asked now. */
async function readRun(
  { runner }: DispatchDeps,
  orgId: string,
  { externalId, repositoryExternalId }: WorkflowDispatch,
): Promise<CodehostRun | 'gone' | undefined> {
  if (externalId === null || repositoryExternalId === null) return undefined
  try {
    return (await runner.readRun({ orgId, repositoryExternalId, runId: externalId })) ?? 'gone'
  } catch (error) {
    if (readCause(error) === undefined) throw error
    return undefined
  }
}

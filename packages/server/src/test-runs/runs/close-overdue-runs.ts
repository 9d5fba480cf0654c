import type { CodehostRun } from '../../providers/codehosts/run.ts'
import { listFatalSubjects } from '../../failed-jobs/rows.ts'
import { isPaused } from '../../jobs/stored-pause.ts'
import { applyRunReport, saveRun } from './apply-run-report.ts'
import { findExternalId } from '../../deployments/codehost/tracked-repository-rows.ts'
import { toRunReport } from './merge-run.ts'
import { readCause } from '../workflows/read-cause.ts'
import { purgeRunEvents } from './run-event-rows.ts'
import { findRun, listOverdueRuns, lockRun } from './run-rows.ts'
import type { DispatchDeps } from '../test-run-deps.ts'
import { deadlineMsMax, ranks, type TestRun } from './test-run.ts'

const runsAtATime = 200
const eventsKeptMs = 24 * 60 * 60_000

/** Adds a job for each run whose deadline has passed, and deletes the events of runs that are not ours. */
export async function enqueueOverdueRuns({
  store,
  jobs,
  now,
}: Pick<DispatchDeps, 'store' | 'jobs' | 'now'>): Promise<void> {
  await store.maintenance(async (tx) => {
    const except = await listFatalSubjects(tx, 'testRuns.close')
    const overdue = await listOverdueRuns(tx, { now: now(), except, limit: runsAtATime })
    for (const { orgId, id } of overdue) {
      await jobs.enqueue(tx, 'testRuns.close', { orgId, id }, { key: id })
    }
    await purgeRunEvents(tx, new Date(now().getTime() - eventsKeptMs))
  })
}

/**
 * Closes a run whose deadline has passed. Reads its state from the code host once, because its webhook may be lost. A run that
 * never began is `errored`, one that never ended `timed_out`, until a source reports its end.
 */
export async function closeOverdueRun(
  deps: DispatchDeps,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
): Promise<void> {
  const known = await deps.store.transaction({ orgId }, async (tx) => {
    const run = await findRun(tx, orgId, runId)
    if (run === undefined || !isOverdue(run, deps.now())) return undefined
    const { repositoryId } = run
    const repositoryExternalId =
      repositoryId === null ? undefined : await findExternalId(tx, orgId, repositoryId)
    return { run, repositoryExternalId }
  })
  if (known === undefined) return
  const current = await readOnce(deps, orgId, known.run, known.repositoryExternalId)
  await deps.store.transaction({ orgId }, async (tx) => {
    const run = await lockRun(tx, orgId, runId)
    if (run === undefined) return
    const report = current === undefined ? undefined : toRunReport(current)
    const after =
      report === undefined ? run : await applyRunReport(deps, tx, { orgId, run }, report)
    if (isOverdue(after, deps.now())) {
      await saveRun(deps, tx, { orgId, run: after }, close(after, deps.now()))
    }
  })
}

function isOverdue({ finishedAt, deadlineAt }: TestRun, now: Date): boolean {
  return finishedAt === null && deadlineAt !== null && !isPaused(deadlineAt, now, deadlineMsMax)
}

function close(run: TestRun, now: Date): TestRun {
  const over = { stateRank: ranks.assumedEnd, finishedAt: now, deadlineAt: null }
  // A pipeline started a run without a rule, so that whether it began is not known.
  const hasNotStarted = run.stateRank < ranks.running && run.ruleKey !== null
  return hasNotStarted
    ? { ...run, state: 'errored', stateReason: reasonOf(run), ...over }
    : { ...run, state: 'timed_out', stateReason: null, ...over }
}

/** One that could not be sent says why. */
function reasonOf({ state, stateReason }: TestRun): string {
  return (state === 'planned' ? stateReason : null) ?? 'not_started'
}

/** A code host that cannot be asked does not keep a run open. */
async function readOnce(
  { runner }: DispatchDeps,
  orgId: string,
  { externalId }: TestRun,
  repositoryExternalId: string | undefined,
): Promise<CodehostRun | undefined> {
  if (externalId === null || repositoryExternalId === undefined) return undefined
  try {
    return await runner.readRun({ orgId, repositoryExternalId, runId: externalId })
  } catch (error) {
    if (readCause(error) === undefined) throw error
    return undefined
  }
}

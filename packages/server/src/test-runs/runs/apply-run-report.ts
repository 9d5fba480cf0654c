import type { Tx } from '../../store/store.ts'
import { findLiveOnTarget } from '../../deployments/reports/target-rows.ts'
import { findFlaky } from '../reports/flaky.ts'
import { mergeRun, type RunReport } from './merge-run.ts'
import { listDoubtfulCases, markReportsContaminated } from '../reports/report-rows.ts'
import { updateRun } from './run-rows.ts'
import type { TestRunDeps } from '../test-run-deps.ts'
import type { TestRun } from './test-run.ts'

/** Describes what recording the reports of runs works with. */
export type ReportingDeps = Pick<TestRunDeps, 'emit' | 'now'>

/** Merges a report into a run that this transaction has locked, and emits an event if anything changed. */
export async function applyRunReport(
  deps: ReportingDeps,
  tx: Tx,
  { orgId, run }: { readonly orgId: string; readonly run: TestRun },
  report: RunReport,
): Promise<TestRun> {
  const merged = await withContamination(tx, orgId, mergeRun(run, report))
  return saveRun(deps, tx, { orgId, run }, merged)
}

/** Saves a run, and emits that it changed, and that the code host has ended it. Nothing is written where it is as it was. */
export async function saveRun(
  { emit }: Pick<ReportingDeps, 'emit'>,
  tx: Tx,
  { orgId, run }: { readonly orgId: string; readonly run: TestRun },
  after: TestRun,
): Promise<TestRun> {
  if (JSON.stringify(after) === JSON.stringify(run)) return run
  await updateRun(tx, orgId, after)
  await emit(tx, 'testRun.changed', { orgId, id: run.id })
  if (hasEnded(run, after)) await emit(tx, 'testRun.ended', { orgId, id: run.id })
  return after
}

/** Returns whether the code host has reported an end that was not known: it may have the results of the tests by now. */
function hasEnded(before: TestRun, after: TestRun): boolean {
  if (after.workflowOutcome === null) return false
  return (
    before.workflowOutcome !== after.workflowOutcome ||
    before.attempt !== after.attempt ||
    before.finishedAt?.getTime() !== after.finishedAt?.getTime()
  )
}

/** Marks a finished run as contaminated when another deployment went live on its target in the meantime. */
async function withContamination(tx: Tx, orgId: string, run: TestRun): Promise<TestRun> {
  const { deploymentId, startedAt, finishedAt, contaminatedBy } = run
  if (deploymentId === null || startedAt === null || finishedAt === null) return run
  if (contaminatedBy !== null) return run
  const period = { deploymentId, from: startedAt, to: finishedAt }
  const other = await findLiveOnTarget(tx, orgId, period)
  return other === undefined ? run : contaminate(tx, orgId, run, other)
}

/** Marks a run and its reports as contaminated. */
export async function contaminate(
  tx: Tx,
  orgId: string,
  run: TestRun,
  contaminatedBy: string,
): Promise<TestRun> {
  await markReportsContaminated(tx, orgId, { runId: run.id, attempt: run.attempt })
  return { ...run, contaminatedBy, ...(run.reportOutcome !== null && { flaky: 0 }) }
}

/** Counts the tests of a run that are known to be flaky, its earlier attempts included. */
export async function countFlaky(tx: Tx, orgId: string, run: TestRun): Promise<number> {
  // The code host repeats a run on the commit that it was started on.
  const sha = run.testedSha ?? run.deployedSha ?? ''
  const cases = await listDoubtfulCases(tx, orgId, run.id)
  return findFlaky(cases.map((testCase) => ({ ...testCase, sha }))).size
}

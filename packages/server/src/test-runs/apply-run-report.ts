import type { Tx } from '../store/store.ts'
import { findIntruder } from './deployment-rows.ts'
import { findFlaky } from './flaky.ts'
import { mergeRun, type RunReport } from './merge-run.ts'
import { listDoubtfulCases, markReportsContaminated } from './report-rows.ts'
import { updateRun } from './run-rows.ts'
import type { TestRunDeps } from './test-run-deps.ts'
import type { TestRun } from './test-run.ts'

export type ReportingDeps = Pick<TestRunDeps, 'emit' | 'now'>

/** Merges a report into a run that this transaction holds, and tells of it if anything became different. */
export async function applyRunReport(
  deps: ReportingDeps,
  tx: Tx,
  { orgId, run }: { readonly orgId: string; readonly run: TestRun },
  report: RunReport,
): Promise<TestRun> {
  const merged = await withIntruder(tx, orgId, mergeRun(run, report))
  return saveRun(deps, tx, { orgId, run }, merged)
}

/** Stores what became of a run. Nothing is written, and nobody told, where it is what it was. */
export async function saveRun(
  { emit }: Pick<ReportingDeps, 'emit'>,
  tx: Tx,
  { orgId, run }: { readonly orgId: string; readonly run: TestRun },
  after: TestRun,
): Promise<TestRun> {
  if (JSON.stringify(after) === JSON.stringify(run)) return run
  await updateRun(tx, orgId, after)
  await emit(tx, 'testRun.changed', { orgId, id: run.id })
  return after
}

/** Looks, once a run is over, whether the place it tested was still the same. */
async function withIntruder(tx: Tx, orgId: string, run: TestRun): Promise<TestRun> {
  const { deploymentId, startedAt, finishedAt, contaminatedBy } = run
  if (deploymentId === null || startedAt === null || finishedAt === null) return run
  if (contaminatedBy !== null) return run
  const intruder = await findIntruder(tx, orgId, { deploymentId, from: startedAt, to: finishedAt })
  return intruder === undefined ? run : contaminate(tx, orgId, run, intruder)
}

/** Takes a run and its reports out of what counts. */
export async function contaminate(
  tx: Tx,
  orgId: string,
  run: TestRun,
  contaminatedBy: string,
): Promise<TestRun> {
  await markReportsContaminated(tx, orgId, { runId: run.id, attempt: run.attempt })
  return { ...run, contaminatedBy, ...(run.reportOutcome !== null && { flaky: 0 }) }
}

/** How many tests of a run are known to be flaky, its earlier attempts included. */
export async function countFlaky(tx: Tx, orgId: string, run: TestRun): Promise<number> {
  // The code host repeats a run on the commit that it was started on.
  const sha = run.testedSha ?? run.deployedSha ?? ''
  const cases = await listDoubtfulCases(tx, orgId, run.id)
  return findFlaky(cases.map((found) => ({ ...found, sha }))).size
}

import type { Tx } from '../store/store.ts'
import {
  deleteResultsOfReports,
  lockOldReports,
  markResultsDeleted,
} from '../test-runs/retention/old-result-rows.ts'
import {
  deleteResultsOfRuns,
  deleteRuns,
  findNextOrganizationOfRuns,
  lockOldRuns,
} from '../test-runs/retention/old-run-rows.ts'
import type { Forgetting } from './forget-deployments.ts'

/**
 * Deletes the test runs that test no deployment and ended before a moment, of every organization. Safe to repeat and to interrupt.
 *
 * @returns whether everything was looked at.
 */
export async function forgetTestRuns(of: Forgetting): Promise<boolean> {
  const next = (after: string) =>
    of.store.maintenance((tx) => findNextOrganizationOfRuns(tx, after))
  let orgId = await next('')
  while (orgId !== undefined) {
    const own = orgId
    const isDone = await repeat(of, (tx) => forgetRunsOf(tx, own, of))
    if (!isDone) return false
    orgId = await next(own)
  }
  return true
}

/**
 * Deletes the results of the reports that were received before a moment, of every organization. Runs and reports stay, with their
 * sums. Safe to repeat and to interrupt.
 *
 * @returns whether everything was looked at.
 */
export function forgetTestResults(of: Forgetting & { readonly now: () => Date }): Promise<boolean> {
  return repeat(of, (tx) => forgetResults(tx, of))
}

/** Runs a transaction until it says that it was the last one; returns `false` when the time is over before. */
async function repeat(
  { store, isOver }: Forgetting,
  work: (tx: Tx) => Promise<'last' | 'more'>,
): Promise<boolean> {
  for (;;) {
    if (isOver()) return false
    if ((await store.maintenance(work)) === 'last') return true
  }
}

async function forgetRunsOf(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  { before, batch }: Pick<Forgetting, 'before' | 'batch'>,
): Promise<'last' | 'more'> {
  const ids = await lockOldRuns(tx, orgId, { before, limit: batch.deployments })
  if (ids.length === 0) return 'last'
  const deleted = await deleteResultsOfRuns(tx, orgId, { ids, limit: batch.results })
  if (deleted === batch.results) return 'more'
  await deleteRuns(tx, orgId, ids)
  return ids.length < batch.deployments ? 'last' : 'more'
}

async function forgetResults(
  tx: Pick<Tx, 'query'>,
  { before, batch, now }: Pick<Forgetting, 'before' | 'batch'> & { readonly now: () => Date },
): Promise<'last' | 'more'> {
  const reports = await lockOldReports(tx, { before, limit: batch.deployments })
  if (reports.length === 0) return 'last'
  const deleted = await deleteResultsOfReports(tx, reports, batch.results)
  if (deleted === batch.results) return 'more'
  await markResultsDeleted(tx, reports, now())
  return reports.length < batch.deployments ? 'last' : 'more'
}

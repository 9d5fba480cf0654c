import type { Store } from '../store/store.ts'
import type { Kit } from '../kit.ts'
import { forgetDeployments, type BatchLimits } from './forget-deployments.ts'
import { forgetTestResults, forgetTestRuns } from './forget-test-runs.ts'

/** Limits the work of one job, so that none is taken for lost. */
const sliceMs = 120_000

/** Keeps a transaction well below a second on two busy cores (docs/decisions/0112). */
const usualBatch: BatchLimits = { deployments: 200, results: 5_000 }

/** Describes what deleting old deployments and tests works with. */
export interface ForgetOldDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly keptFor: Kit['settings']['keptFor']
  readonly now: () => Date
  /** Fewer in tests. */
  readonly batch?: BatchLimits
}

/**
 * Deletes the deployments, test runs and test results that are older than the settings say; nothing where they say nothing.
 *
 * @returns whether everything was looked at. Otherwise another job has to go on.
 */
export async function forgetOld(
  { store, keptFor, now, batch = usualBatch }: ForgetOldDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const begunAt = now().getTime()
  const isOver = () => signal.aborted || now().getTime() >= begunAt + sliceMs
  const beginning = (keptMs: number) => {
    return { store, batch, isOver, now, before: new Date(begunAt - keptMs) }
  }
  const { testResultsMs, deploymentsMs } = keptFor
  if (testResultsMs !== undefined && !(await forgetTestResults(beginning(testResultsMs)))) {
    return false
  }
  if (deploymentsMs === undefined) return true
  const of = beginning(deploymentsMs)
  return (await forgetDeployments(of)) && (await forgetTestRuns(of))
}

import type { Store } from '../store/store.ts'
import type { Kit } from '../kit.ts'
import { forgetDeployments, type BatchLimits } from './forget-deployments.ts'
import { forgetTestResults, forgetTestRuns } from './forget-test-runs.ts'

/** Limits the work of one job, so that none is taken for lost. */
const sliceMs = 120_000

/** Keeps a transaction well below a second on two busy cores (docs/decisions/0112). */
const usualBatch: BatchLimits = { deployments: 100, results: 5_000 }

/** Describes what deleting old deployments and tests works with. */
export interface ForgetOldDeps {
  readonly store: Pick<Store, 'maintenance'>
  /** Keeps for good what is left out. */
  readonly keptFor: Partial<Kit['settings']['keptFor']>
  readonly now: () => Date
  /** The moment from which ages count. */
  readonly at: Date
  /** Fewer in tests. */
  readonly batch?: BatchLimits
}

/**
 * Deletes the deployments, test runs and test results that are older than the settings say; nothing where they say nothing.
 *
 * @returns whether everything was looked at. Otherwise another job has to go on.
 */
export async function forgetOld(
  { store, keptFor, now, at, batch = usualBatch }: ForgetOldDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const endsAt = now().getTime() + sliceMs
  const isOver = () => signal.aborted || now().getTime() >= endsAt
  const { testResultsMs, deploymentsMs } = keptFor
  const beginning = (keptMs: number) => {
    const before = new Date(at.getTime() - keptMs)
    return { store, batch, isOver, now, before }
  }
  const steps = [
    testResultsMs !== undefined && (() => forgetTestResults(beginning(testResultsMs))),
    deploymentsMs !== undefined && (() => forgetDeployments(beginning(deploymentsMs))),
    deploymentsMs !== undefined && (() => forgetTestRuns(beginning(deploymentsMs))),
  ]
  for (const step of steps) if (step !== false && !(await step())) return false
  return true
}

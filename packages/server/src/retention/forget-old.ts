import type { Store } from '../store/store.ts'
import type { Kit } from '../kit.ts'
import { createArchiver, createNoArchiver } from './archive/archiver.ts'
import { forgetGoneOrganizations } from './archive/forget-gone-organizations.ts'
import { forgetDeployments, type BatchLimits } from './forget-deployments.ts'
import { forgetTestResults, forgetTestRuns } from './forget-test-runs.ts'
import { forgetVersions } from './forget-versions.ts'

/** Limits the work of one job, so that none is taken for lost. */
const sliceMs = 120_000

/** Keeps a transaction well below a second on two busy cores (docs/decisions/0112). */
const usualBatch: BatchLimits = { deployments: 100, results: 5_000 }

/** Describes what deleting old deployments and tests works with. */
export interface ForgetOldDeps {
  readonly store: Pick<Store, 'maintenance'>
  /** Keeps for good what is left out, and archives nothing without the archive's. */
  readonly keptFor: Partial<Kit['settings']['keptFor']>
  readonly now: () => Date
  /** The moment from which ages count. */
  readonly at: Date
  /** Fewer in tests. */
  readonly batch?: BatchLimits
}

/**
 * Deletes the deployments, test runs and test results that are older than the settings say; nothing where they say nothing. With an
 * archive, moves what is deleted there, old versions too. Deletes the archive of organizations that are gone.
 *
 * @returns whether everything was looked at. Otherwise another job has to go on.
 */
export async function forgetOld(
  { store, keptFor, now, at, batch = usualBatch }: ForgetOldDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const begunAt = now()
  const isOver = () => signal.aborted || now().getTime() >= begunAt.getTime() + sliceMs
  const { testResultsMs, deploymentsMs, archiveMs } = keptFor
  const archiver =
    archiveMs === undefined
      ? createNoArchiver(store)
      : createArchiver({ store, keptMs: archiveMs, now: at })
  const beginning = (keptMs: number) => {
    const before = new Date(at.getTime() - keptMs)
    return { store, archiver, batch, isOver, now, before }
  }
  const steps = [
    testResultsMs !== undefined && (() => forgetTestResults(beginning(testResultsMs))),
    deploymentsMs !== undefined && (() => forgetDeployments(beginning(deploymentsMs))),
    deploymentsMs !== undefined && (() => forgetTestRuns(beginning(deploymentsMs))),
    archiveMs !== undefined && (() => forgetVersions(beginning(0))),
    () => forgetGoneOrganizations({ store, isOver }),
  ]
  for (const step of steps) if (step !== false && !(await step())) return false
  return true
}

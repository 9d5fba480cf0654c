import { findExternalId } from '../../deployments/codehost/tracked-repository-rows.ts'
import { findRun, lockRun } from '../runs/run-rows.ts'
import type { DispatchDeps } from '../test-run-deps.ts'
import { askForReport, toHostPart } from './host-report.ts'
import { hasUploads } from './report-rows.ts'
import { storeReport } from './store-report.ts'

type Deps = Pick<DispatchDeps, 'store' | 'emit' | 'runner' | 'now'>

interface RunRef {
  readonly orgId: string
  readonly runId: string
}

/**
 * Reads the test results of an ended run from the code host that has them ready made, and stores them as the results of the run.
 * Results that a pipeline uploaded stay as they are: they are the same tests, and say more.
 */
export async function readHostReport(deps: Deps, { orgId, runId }: RunRef): Promise<void> {
  const known = await deps.store.transaction({ orgId }, async (tx) => {
    const run = await findRun(tx, orgId, runId)
    if (run === undefined || run.workflowOutcome === null) return undefined
    const { repositoryId, externalId, attempt } = run
    if (repositoryId === null || externalId === null) return undefined
    if (await hasUploads(tx, orgId, { runId, attempt })) return undefined
    const repositoryExternalId = await findExternalId(tx, orgId, repositoryId)
    if (repositoryExternalId === undefined) return undefined
    return { repositoryExternalId, externalId, attempt }
  })
  if (known === undefined) return
  const { repositoryExternalId, externalId, attempt } = known
  const of = { orgId, repositoryExternalId, runId: externalId }
  const report = await askForReport(() => deps.runner.readTestReport(of))
  if (report === undefined) return
  await deps.store.transaction({ orgId }, async (tx) => {
    const run = await lockRun(tx, orgId, runId)
    if (run === undefined || run.attempt !== attempt) return
    if (await hasUploads(tx, orgId, { runId, attempt })) return
    await storeReport(deps, tx, { orgId, run }, toHostPart(report))
  })
}

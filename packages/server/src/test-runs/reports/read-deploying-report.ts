import { newId } from '../../crypto/ids.ts'
import type { Tx } from '../../store/store.ts'
import { insertRun } from '../runs/run-rows.ts'
import { newTestRun, type TestRun } from '../runs/test-run.ts'
import { findTestedDeployment, type TestedDeployment } from '../runs/tested-deployment.ts'
import type { DeployingReport, DispatchDeps } from '../test-run-deps.ts'
import { askForReport, toHostPart } from './host-report.ts'
import { storeReport } from './store-report.ts'

type Deps = Pick<DispatchDeps, 'store' | 'emit' | 'runner' | 'now'>

/** Names the rule of the run that a deployment came from, so that there is one at most. */
const ruleKey = 'deployed-by'

/** Milliseconds after which a deployment is history: a first sync finds thousands of those. */
const historyMs = 24 * 60 * 60_000

/**
 * Reads the tests of the run that made a deployment, where the code host has both, and stores them as a test run of the deployment. A
 * run that has no test report gets none.
 */
export async function readDeployingReport(
  deps: Deps,
  { orgId, deploymentId }: { readonly orgId: string; readonly deploymentId: string },
): Promise<void> {
  const deployment = await deps.store.transaction({ orgId }, (tx) =>
    findTestedDeployment(tx, orgId, deploymentId),
  )
  if (deployment === undefined || isHistory(deployment, deps.now())) return
  const { externalId, repositoryExternalId } = deployment
  if (externalId === null || repositoryExternalId === null) return
  const of = { orgId, repositoryExternalId, deploymentExternalId: externalId }
  const answer = await askForReport(() => deps.runner.readDeployingReport(of))
  if (answer === undefined) return
  await deps.store.transaction({ orgId }, (tx) => store(deps, tx, { orgId, deployment, answer }))
}

function isHistory({ liveAt }: TestedDeployment, now: Date): boolean {
  return liveAt.getTime() < now.getTime() - historyMs
}

async function store(
  deps: Deps,
  tx: Tx,
  {
    orgId,
    deployment,
    answer: { report, url, testedSha },
  }: {
    readonly orgId: string
    readonly deployment: TestedDeployment
    readonly answer: DeployingReport
  },
): Promise<TestRun | undefined> {
  const createdAt = deps.now()
  const run = newTestRun({
    id: newId('run', createdAt),
    deploymentId: deployment.id,
    environmentId: deployment.environmentId,
    repositoryId: deployment.repositoryId,
    ruleKey,
    name: 'Tests before the deployment',
    deployedSha: deployment.sha,
    testedSha,
    url,
    createdAt,
  })
  if (!(await insertRun(tx, orgId, run))) return undefined
  return storeReport(deps, tx, { orgId, run }, toHostPart(report))
}

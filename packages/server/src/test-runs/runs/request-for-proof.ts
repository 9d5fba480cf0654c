import { findTestRequests } from '../../configs/proofs/test-requests.ts'
import { findLiveDeployment } from '../../deployments/reports/target-rows.ts'
import type { DispatchDeps } from '../test-run-deps.ts'
import { planRun } from './request-test-run.ts'
import { listRunsOfProofs } from './run-rows.ts'
import { findTestedDeployment } from './tested-deployment.ts'

/**
 * Plans the test runs that a proof asks for, each on the newest deployment that is live in the environment, once however often it is
 * called and whatever is deployed meanwhile. Where nothing of the repository is live there is nothing to test, so the signal has no data.
 */
export async function requestRunsForProof(
  deps: Pick<DispatchDeps, 'store' | 'emit' | 'jobs' | 'now'>,
  { orgId, proofId }: { readonly orgId: string; readonly proofId: string },
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const proof = await findTestRequests(tx, orgId, proofId)
    if (proof === undefined) return
    const { environmentId, version: configVersion, requests } = proof
    const keys = requests.map(({ ruleKey }) => ruleKey)
    const planned = new Set((await listRunsOfProofs(tx, orgId, keys)).map(({ ruleKey }) => ruleKey))
    for (const { ruleKey, repository, workflow: workflowId, deadlineMinutes } of requests) {
      if (planned.has(ruleKey)) continue
      const id = await findLiveDeployment(tx, orgId, { environmentId, repository })
      const deployment = id === undefined ? undefined : await findTestedDeployment(tx, orgId, id)
      if (deployment === undefined) continue
      const workflow = { workflowId, deadlineMinutes }
      const run = { workflow, ruleKey, notBefore: deps.now(), configVersion }
      await planRun(deps, tx, { orgId, deployment }, run)
    }
  })
}

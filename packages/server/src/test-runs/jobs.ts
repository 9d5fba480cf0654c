import { jobSubject } from '../jobs/job-subject.ts'
import { lowPriority, type Job, type Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import { readDeployingReport } from './reports/read-deploying-report.ts'
import { readHostReport } from './reports/read-host-report.ts'
import { closeOverdueRun, enqueueOverdueRuns } from './runs/close-overdue-runs.ts'
import { dispatchTestRun } from './runs/dispatch-test-run.ts'
import { findDispatchRun } from './workflows/find-dispatch-run.ts'
import { followDispatchRun } from './workflows/follow-dispatch-run.ts'
import { findDispatchedRun } from './runs/find-dispatched-run.ts'
import { requestRunsForProof } from './runs/request-for-proof.ts'
import { requestTestRuns } from './runs/request-test-run.ts'
import type { DispatchDeps } from './test-run-deps.ts'

export const testRunQueues: readonly QueueDefinition[] = [
  { name: 'testRuns.request', order: 'latest' },
  { name: 'testRuns.requestForProof', order: 'latest' },
  // A try that was cut off is not sent again: its run is searched for.
  { name: 'testRuns.dispatch', retries: 5, expireInSeconds: 60 },
  { name: 'testRuns.find', expireInSeconds: 60 },
  { name: 'testRuns.findDispatch', expireInSeconds: 60 },
  { name: 'testRuns.followDispatch', expireInSeconds: 60 },
  { name: 'testRuns.readDeploying', order: 'latest', retries: 5, expireInSeconds: 120 },
  { name: 'testRuns.readReport', order: 'latest', retries: 5, expireInSeconds: 120 },
  { name: 'testRuns.closeOverdue', retries: 1 },
  { name: 'testRuns.close', order: 'latest', retries: 3, expireInSeconds: 60 },
]

const ofRun = ({ data }: Job) => {
  const { orgId, id: runId } = jobSubject.parse(data)
  return { orgId, runId }
}

/** Works on the jobs of test runs. */
export async function workTestRuns(jobs: Jobs, deps: DispatchDeps): Promise<void> {
  await jobs.work('testRuns.request', async ({ data }) => {
    const { orgId, id: deploymentId } = jobSubject.parse(data)
    await requestTestRuns(deps, { orgId, deploymentId })
  })
  await jobs.work('testRuns.requestForProof', async ({ data }) => {
    const { orgId, id: proofId } = jobSubject.parse(data)
    await requestRunsForProof(deps, { orgId, proofId })
  })
  await jobs.work('testRuns.dispatch', (job) => dispatchTestRun(deps, ofRun(job)))
  await jobs.work('testRuns.find', (job) => findDispatchedRun(deps, ofRun(job)))
  await jobs.work('testRuns.findDispatch', async ({ data }) => {
    const { orgId, id: dispatchId } = jobSubject.parse(data)
    await findDispatchRun(deps, { orgId, dispatchId })
  })
  const follow = async ({ data }: Job) => {
    const { orgId, id: dispatchId } = jobSubject.parse(data)
    await followDispatchRun(deps, { orgId, dispatchId })
  }
  await jobs.work('testRuns.followDispatch', follow, lowPriority)
  const readDeploying = async ({ data }: Job) => {
    const { orgId, id: deploymentId } = jobSubject.parse(data)
    await readDeployingReport(deps, { orgId, deploymentId })
  }
  await jobs.work('testRuns.readDeploying', readDeploying, lowPriority)
  await jobs.work('testRuns.readReport', (job) => readHostReport(deps, ofRun(job)), lowPriority)
  await jobs.work('testRuns.closeOverdue', () => enqueueOverdueRuns(deps), lowPriority)
  await jobs.work('testRuns.close', (job) => closeOverdueRun(deps, ofRun(job)), lowPriority)
}

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CodehostTestReport } from '../../providers/codehosts/test-report.ts'
import { openTestRuns, type TestRunApp } from '../testing/open-test-runs.ts'
import { readDeployingReport } from './read-deploying-report.ts'

let app: TestRunApp
beforeAll(async () => {
  app = await openTestRuns()
})
afterEach(async () => {
  app.host.reset()
  app.events.length = 0
  for (const table of ['test_results', 'test_reports', 'test_runs', 'deployments', 'pending_jobs'])
    await app.test.asOwner(`delete from ${table}`)
})
afterAll(() => app.close())

const report: CodehostTestReport = {
  passed: 812,
  failed: 0,
  skipped: 3,
  durationMs: 60_000,
  cases: [{ suite: 's', name: 'pays', status: 'passed', durationMs: 1, message: null }],
}
const read = (deploymentId: string) =>
  readDeployingReport(app.deps, { orgId: app.orgId, deploymentId })

describe('the tests of the run that made a deployment', () => {
  it('are a test run of the deployment, once however often they are read', async () => {
    app.host.report = report
    const deploymentId = await app.deploy()
    await read(deploymentId)
    await read(deploymentId)
    const runs = await app.runs()
    expect(runs).toMatchObject([
      {
        deploymentId,
        environmentId: app.environmentId,
        state: 'passed',
        passed: 812,
        failed: 0,
        skipped: 3,
        durationMs: 60_000,
        contaminatedBy: null,
      },
    ])
    expect(app.events).toEqual([`testRun.changed ${runs[0]?.id}`])
  })

  it('are those of each deployment of one run', async () => {
    app.host.report = report
    for (const id of [await app.deploy(), await app.deploy()]) await read(id)
    expect(await app.runs()).toHaveLength(2)
  })

  it('are none where the host has none, of a deployment that is not there, or of long ago', async () => {
    await read(await app.deploy())
    app.host.report = report
    await read('dep_none')
    const at = new Date(app.clock.getTime() - 25 * 60 * 60_000)
    await read(await app.deploy({ at }))
    expect(await app.runs()).toEqual([])
  })
})

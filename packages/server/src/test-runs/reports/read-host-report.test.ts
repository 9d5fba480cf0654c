import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CodehostRun } from '../../providers/codehosts/run.ts'
import type { CodehostTestReport } from '../../providers/codehosts/test-report.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { recordRunEvent } from '../runs/record-run-event.ts'
import { openTestRuns, type TestRunApp } from '../testing/open-test-runs.ts'
import { readHostReport } from './read-host-report.ts'
import { parseReport } from './parse-report.ts'
import { recordReport } from './record-report.ts'

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
  passed: 2,
  failed: 1,
  skipped: 1,
  durationMs: 3_500,
  cases: [
    { suite: 'shop', name: 'pays', status: 'passed', durationMs: 1_000, message: 'noise' },
    { suite: 'shop', name: 'ships', status: 'passed', durationMs: 1_000, message: null },
    { suite: 'shop', name: 'refunds', status: 'failed', durationMs: 1_500, message: 'got 0' },
    { suite: 'shop', name: 'gifts', status: 'skipped', durationMs: null, message: null },
  ],
}

/** Tests a deployment, and has the code host report how its run ended. */
async function endRun(state: CodehostRun['state'] = 'failed') {
  await app.deploy()
  await app.work()
  const [run] = await app.runs()
  const [hostRun] = app.host.runs
  if (run === undefined || hostRun === undefined) throw new Error('Nothing was started')
  await tellEnd(hostRun, state)
  return { orgId: app.orgId, runId: run.id, hostRun }
}

const tellEnd = (run: CodehostRun, state: CodehostRun['state']) =>
  app.deps.store.transaction({ orgId: app.orgId }, (tx) =>
    recordRunEvent(app.deps, tx, {
      orgId: app.orgId,
      repositoryExternalId: '42',
      run: { ...run, state, startedAt: app.clock, updatedAt: app.clock },
    }),
  )

const upload = (runId: string) =>
  recordReport(
    { ...app.deps, reports: { parse: async (type, bytes) => parseReport(type, bytes) } },
    {
      orgId: app.orgId,
      scope: { orgId: app.orgId },
      runId,
      contentType: 'application/xml',
      readBytes: async () =>
        Buffer.from('<testsuite><testcase classname="shop" name="pays"/></testsuite>'),
      repeats: 'tests',
      shard: undefined,
      checkRun: () => undefined,
    },
  )

const results = () =>
  app.test.asOwner('select name, status, message from test_results order by name')

describe('the test results of a code host', () => {
  it('are read once its run has ended, and are the counts of the run', async () => {
    app.host.report = report
    const { orgId, runId } = await endRun()
    expect(app.events).toContain(`testRun.ended ${runId}`)
    await readHostReport(app.deps, { orgId, runId })
    expect(await app.runs()).toMatchObject([
      { state: 'failed', passed: 2, failed: 1, skipped: 1, flaky: 0, reportOutcome: 'failed' },
    ])
    expect(await results()).toEqual([
      { name: 'gifts', status: 'skipped', message: null },
      { name: 'pays', status: 'passed', message: null },
      { name: 'refunds', status: 'failed', message: 'got 0' },
      { name: 'ships', status: 'passed', message: null },
    ])
  })

  it('say nothing new when they are read again, and take the place of those before a retry', async () => {
    app.host.report = report
    const { hostRun, ...of } = await endRun()
    await readHostReport(app.deps, of)
    app.events.length = 0
    await readHostReport(app.deps, of)
    expect(app.events).toEqual([])
    // A host that counts no attempts reports another end of the same run.
    app.passMs(60_000)
    await tellEnd(hostRun, 'passed')
    expect(app.events).toContain(`testRun.ended ${of.runId}`)
    app.host.report = { ...report, passed: 3, failed: 0, cases: [] }
    await readHostReport(app.deps, of)
    expect(await app.runs()).toMatchObject([{ state: 'passed', passed: 3, failed: 0 }])
    expect(await results()).toEqual([])
  })

  it('that lack the report of a job keep the run from passing, and say which', async () => {
    const unread = 'GitLab on unit tests: JUnit XML parsing failed'
    app.host.report = { ...report, failed: 0, cases: [], unread }
    const { orgId, runId } = await endRun('passed')
    await readHostReport(app.deps, { orgId, runId })
    expect(await app.runs()).toMatchObject([
      {
        state: 'errored',
        stateReason: 'report_missing',
        passed: 2,
        reportNotes: [`A report is missing from the result: ${unread}`],
      },
    ])
  })

  it('never stand beside those that a pipeline uploaded, whichever comes first', async () => {
    app.host.report = report
    const { orgId, runId } = await endRun()
    await readHostReport(app.deps, { orgId, runId })
    await upload(runId)
    const uploaded = [{ passed: 1, failed: 0, skipped: 0 }]
    expect(await app.runs()).toMatchObject(uploaded)
    await readHostReport(app.deps, { orgId, runId })
    expect(await app.runs()).toMatchObject(uploaded)
    expect(await results()).toEqual([{ name: 'pays', status: 'passed', message: null }])
  })

  it('are none of a run that has none, that goes on, or that is not known', async () => {
    const { orgId, runId } = await endRun('passed')
    await readHostReport(app.deps, { orgId, runId })
    await readHostReport(app.deps, { orgId, runId: 'run_none' })
    expect(await app.runs()).toMatchObject([{ state: 'passed', passed: null }])
  })

  it.each([
    ['is read again later', 'unavailable', 'unavailable'],
    ['is given up', 'notFound', undefined],
  ] as const)('of a host that cannot be asked %s (%s)', async (_, failure, thrown) => {
    const { orgId, runId } = await endRun()
    const error = new ProviderError({ provider: 'github', failure, code: 'http_000' })
    const runner = { ...app.host, readTestReport: () => Promise.reject(error) }
    const outcome = await readHostReport({ ...app.deps, runner }, { orgId, runId }).catch(
      (reason: unknown) => reason,
    )
    expect(outcome).toBe(thrown && error)
  })
})

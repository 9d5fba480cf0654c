import { newId } from '../../crypto/ids.ts'
import type { CodehostRun } from '../../providers/codehosts/run.ts'
import type { CodehostTestReport } from '../../providers/codehosts/test-report.ts'
import type { WorkflowInterface } from '../../providers/codehosts/workflow.ts'
import { rawQuery } from '../../store/raw-query.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { closeOverdueRun, enqueueOverdueRuns } from '../runs/close-overdue-runs.ts'
import { dispatchTestRun } from '../runs/dispatch-test-run.ts'
import { findDispatchedRun } from '../runs/find-dispatched-run.ts'
import { requestTestRuns } from '../runs/request-test-run.ts'
import { findRun } from '../runs/run-rows.ts'
import { followDispatchRun } from '../workflows/follow-dispatch-run.ts'
import type { DispatchDeps, DispatchRequest, TestRunner } from '../test-run-deps.ts'
import type { TestRun } from '../runs/test-run.ts'
import { buildHostRun } from './build-host-run.ts'

/** A code host that starts what it is told to, counts, and answers as the test wants. */
export interface FakeHost extends TestRunner {
  dispatches: DispatchRequest[]
  runs: CodehostRun[]
  /** False: it has more runs than it lists. */
  isComplete: boolean
  /** Says how its workflow is started, where that can be read. */
  interface: WorkflowInterface | undefined
  /** The test results of every run. Left out: it keeps none. */
  report: CodehostTestReport | undefined
  /** Answers the next calls that start a run. Default: names the run that was started. */
  answer: HostAnswer
  /** Forgets everything, and answers the next calls by `answer`. */
  reset(answer?: HostAnswer): void
}

export type HostAnswer = (start: () => CodehostRun) => ReturnType<TestRunner['dispatch']>

const nameTheRun: HostAnswer = (start) => {
  const { externalId, url } = start()
  return Promise.resolve({ outcome: 'started', runId: externalId, runUrl: url })
}

function createFakeHost(now: () => Date): FakeHost {
  const host: FakeHost = {
    dispatches: [],
    runs: [],
    isComplete: true,
    interface: undefined,
    report: undefined,
    answer: nameTheRun,
    reset(answer = nameTheRun) {
      Object.assign(host, {
        dispatches: [],
        runs: [],
        isComplete: true,
        interface: undefined,
        report: undefined,
        answer,
      })
    },
    readInterface: () => Promise.resolve(host.interface),
    dispatch(request) {
      host.dispatches.push(request)
      return host.answer(() => {
        const run = buildHostRun({
          externalId: String(9000 + host.runs.length),
          state: 'queued',
          correlation: request.inputs['test_run_id'] ?? null,
          updatedAt: now(),
        })
        host.runs.push(run)
        return run
      })
    },
    listRequestedRuns: () => Promise.resolve({ runs: host.runs, isComplete: host.isComplete }),
    readTestReport: () => Promise.resolve(host.report),
    readDeployingReport: () =>
      Promise.resolve(host.report && { report: host.report, url: null, testedSha: 'a'.repeat(40) }),
    readRun: ({ runId }) => Promise.resolve(host.runs.find((run) => run.externalId === runId)),
  }
  return host
}

interface StoredJob {
  readonly id: number
  readonly queue: string
  readonly data: { readonly orgId: string; readonly id: string }
  readonly attempt: number
}

export interface TestRunApp {
  readonly test: TestStore
  readonly deps: DispatchDeps
  readonly host: FakeHost
  readonly orgId: string
  readonly environmentId: string
  readonly events: string[]
  clock: Date
  /** Adds a deployment that has just succeeded. */
  deploy(more?: { readonly at?: Date; readonly state?: string }): Promise<string>
  /** Does the jobs that are due, and those that become due, a failing one again as the queue would. */
  work(untilMs?: number): Promise<void>
  runs(): Promise<TestRun[]>
  passMs(ms: number): void
  close(): Promise<void>
}

/** Test runs on a real database, with a queue that commits with its transaction and a clock that the test moves. */
export async function openTestRuns(): Promise<TestRunApp> {
  const test = await openTestStore()
  await test.asOwner(
    `create table pending_jobs (id serial primary key, queue text, data json, attempt int default 1, start_after timestamptz);
     grant all on pending_jobs to public; grant all on pending_jobs_id_seq to public;`,
  )
  const clock = new Date('2026-01-01T12:00:00.000Z')
  const [orgId, environmentId] = [newId('org', clock), newId('env', clock)]
  await test.asOwner('insert into organizations (id, slug, name) values ($1, lower($1), $1)', [
    orgId,
  ])
  await test.asOwner(
    `insert into environments (org_id, id, name, description, production, revision) values ($1, $2, 'staging', '', false, 1)`,
    [orgId, environmentId],
  )
  await test.asOwner(
    `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_1', '42', 'acme/shop')`,
    [orgId],
  )
  await test.asOwner(
    `insert into integrations (org_id, id, kind, provider, state, scopes, settings)
      values ($1, 'int_1', 'codehost', 'github', 'connected', '{actions:read,actions:write}', $2)`,
    [orgId, { testWorkflows: [{ workflowId: 'e2e.yml' }, { nonsense: true }] }],
  )
  const now = () => app.clock
  const host = createFakeHost(now)
  const events: string[] = []
  const deps: DispatchDeps = {
    store: test.store,
    runner: host,
    now,
    emit: (_tx, event, { id }) => Promise.resolve(void events.push(`${event} ${id}`)),
    jobs: {
      async enqueue(tx, queue, data, { startAfter } = {}) {
        const sql = 'insert into pending_jobs (queue, data, start_after) values ($1, $2, $3)'
        await rawQuery(tx, sql, [queue, JSON.stringify(data), startAfter ?? now()])
      },
    },
  }
  let deployed = 0
  const app: TestRunApp = {
    test,
    deps,
    host,
    orgId,
    environmentId,
    events,
    clock,
    async deploy({ at = app.clock, state = 'success' } = {}) {
      const id = newId('dep', at)
      await ask(
        app,
        `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, environment_id,
          state, source, created_at, finished_at)
         values ($1, $2, 'rep_1', $3, $4, 'main', 'branch', 'staging', $5, $6, 'webhook', $7, $7)`,
        [orgId, id, String(++deployed), 'a'.repeat(40), environmentId, state, at],
      )
      await ask(
        app,
        `insert into pending_jobs (queue, data, start_after) values ('testRuns.request', $1, $2)`,
        [{ orgId, id }, at],
      )
      return id
    },
    work: (untilMs = 30 * 60_000) => work(app, new Date(app.clock.getTime() + untilMs)),
    async runs() {
      const rows = await ask<{ id: string }>(app, 'select id from test_runs order by id', [])
      return test.store.transaction({ orgId }, async (tx) => {
        const found: TestRun[] = []
        for (const { id } of rows) found.push((await findRun(tx, orgId, id)) as TestRun)
        return found
      })
    },
    passMs(ms) {
      app.clock = new Date(app.clock.getTime() + ms)
    },
    close: () => test.close(),
  }
  return app
}

async function work(app: TestRunApp, until: Date): Promise<void> {
  for (;;) {
    const [job] = await ask<StoredJob & { start_after: Date }>(
      app,
      'delete from pending_jobs where id = (select id from pending_jobs where start_after <= $1 order by start_after, id limit 1) returning *',
      [until],
    )
    if (job === undefined) return
    if (job.start_after > app.clock) app.clock = job.start_after
    try {
      await doJob(app, job)
    } catch {
      if (job.attempt > 5) continue
      await ask(
        app,
        'insert into pending_jobs (queue, data, attempt, start_after) values ($1, $2, $3, $4)',
        [job.queue, job.data, job.attempt + 1, new Date(app.clock.getTime() + 20_000)],
      )
    }
  }
}

function ask<R extends object>({ test }: TestRunApp, sql: string, values: unknown[]) {
  return test.store.maintenance((tx) => rawQuery<R>(tx, sql, values))
}

function doJob({ deps }: TestRunApp, { queue, data: { orgId, id } }: StoredJob): Promise<void> {
  const run = { orgId, runId: id }
  if (queue === 'testRuns.request') return requestTestRuns(deps, { orgId, deploymentId: id })
  if (queue === 'testRuns.dispatch') return dispatchTestRun(deps, run)
  if (queue === 'testRuns.find') return findDispatchedRun(deps, run)
  if (queue === 'testRuns.close') return closeOverdueRun(deps, run)
  if (queue === 'testRuns.followDispatch') return followDispatchRun(deps, { orgId, dispatchId: id })
  return enqueueOverdueRuns(deps)
}

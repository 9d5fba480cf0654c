import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import { recordRunEvent } from './record-run-event.ts'
import { requestTestRuns } from './request-test-run.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { buildHostRun } from '../testing/build-host-run.ts'
import { dieAt } from '../testing/die-at.ts'
import { openTestRuns, type HostAnswer, type TestRunApp } from '../testing/open-test-runs.ts'

let app: TestRunApp
beforeAll(async () => {
  app = await openTestRuns()
})
afterEach(async () => {
  app.host.reset()
  app.passMs(3_600_000)
  for (const table of ['test_runs', 'deployments', 'pending_jobs', 'test_run_events']) {
    await app.test.asOwner(`delete from ${table}`)
  }
})
afterAll(() => app.close())

const answers = {
  'the run is named': undefined,
  'the answer is lost after the start': (start: () => unknown) => {
    start()
    return Promise.resolve({ outcome: 'ambiguous' } as const)
  },
  'a 502 comes and nothing was started': () => Promise.resolve({ outcome: 'ambiguous' } as const),
  'the worker dies before the call gets out': () => Promise.reject(new Error('killed')),
  'the worker dies after the start': (start: () => unknown) => {
    start()
    return Promise.reject(new Error('killed'))
  },
} satisfies Record<string, HostAnswer | undefined>

const closeOverdue = async () => {
  await app.test.asOwner(
    `insert into pending_jobs (queue, data, start_after) values ('testRuns.closeOverdue', '{}', $1)`,
    [app.clock],
  )
  await app.work(0)
}

describe('a test run', () => {
  for (const [name, answer] of Object.entries(answers)) {
    it(`is dispatched once when ${name}, wherever else the worker dies`, async () => {
      for (const when of ['before', 'after'] as const) {
        for (let nth = 0; nth <= 5; nth++) {
          app.host.reset(answer)
          Object.assign(app.deps, { store: dieAt(app.test.store, nth, when) })
          await app.deploy()
          await app.work()
          Object.assign(app.deps, { store: app.test.store })
          const [run, ...others] = await app.runs()
          expect(others).toEqual([])
          expect(app.host.dispatches.length).toBeLessThanOrEqual(1)
          expect(app.host.runs.length).toBeLessThanOrEqual(1)
          const [started] = app.host.runs
          expect(run).toMatchObject({
            state: started === undefined ? 'unknown' : 'queued',
            externalId: started?.externalId ?? null,
          })
          await app.test.asOwner('delete from test_runs')
          await app.test.asOwner('delete from deployments')
          app.passMs(3_600_000)
        }
      }
    })
  }

  it('control: without the note that it is being dispatched, a lost answer starts it again', async () => {
    app.host.reset(answers['the worker dies after the start'])
    const forgetful: Store = {
      ...app.test.store,
      maintenance: (work) => app.test.store.maintenance(work),
      async transaction(scope, work) {
        await app.test.asOwner(
          `update test_runs set state = 'planned', state_rank = 0, dispatched_at = null where external_id is null`,
        )
        return app.test.store.transaction(scope, work)
      },
    }
    Object.assign(app.deps, { store: forgetful })
    await app.deploy()
    await app.work()
    Object.assign(app.deps, { store: app.test.store })
    expect(app.host.runs.length).toBeGreaterThan(1)
  })

  it('is dispatched once, with the branch, the inputs and the commit of its deployment, however often it is asked for', async () => {
    const deploymentId = await app.deploy()
    await app.test.asOwner(
      `insert into pending_jobs (queue, data, start_after) select queue, data, start_after from pending_jobs`,
    )
    await app.work()
    const [run] = await app.runs()
    expect(app.host.dispatches).toEqual([
      {
        orgId: app.orgId,
        repositoryExternalId: '42',
        workflowId: 'e2e.yml',
        ref: 'main',
        inputs: {
          deployment_id: deploymentId,
          test_run_id: run?.id,
          environment: 'staging',
          environment_url: '',
          sha: 'a'.repeat(40),
        },
      },
    ])
  })

  it('ends with the code when the code host refuses it', async () => {
    const error = new ProviderError({ provider: 'github', failure: 'rejected', code: 'not_found' })
    app.host.reset(() => Promise.resolve({ outcome: 'refused', error } as const))
    await app.deploy()
    await app.work()
    expect(await app.runs()).toMatchObject([{ state: 'errored', stateReason: 'not_found' }])
  })

  it('is tried again while the code host cannot be asked, until its time to begin has passed', async () => {
    const of = { provider: 'github', failure: 'unavailable', code: 'suspended' } as const
    app.host.reset(() => Promise.reject(new ProviderError(of)))
    await app.deploy()
    await app.work(30_000)
    const planned = { state: 'planned', stateReason: 'suspended', dispatchedAt: null }
    expect(await app.runs()).toMatchObject([planned])
    await app.work(3 * 60_000)
    expect(app.host.dispatches.length).toBeGreaterThan(2)
    app.host.reset()
    await app.work(60_000)
    expect(await app.runs()).toMatchObject([{ state: 'queued', stateReason: null }])
    expect(app.host.runs).toHaveLength(1)
  })

  it('says why when it could never be sent', async () => {
    const of = { provider: 'github', failure: 'rateLimited', code: 'http_403' } as const
    const retryAt = new Date(app.clock.getTime() + 3_600_000)
    app.host.reset(() => Promise.reject(new ProviderError({ ...of, retryAt })))
    await app.deploy()
    await app.work()
    app.passMs(11 * 60_000)
    await closeOverdue()
    expect(await app.runs()).toMatchObject([{ state: 'errored', stateReason: 'http_403' }])
    expect(app.host.dispatches).toHaveLength(1)
  })

  it('tests only the last of a burst of deployments, and the others say why they are not tested', async () => {
    const first = await app.deploy()
    app.passMs(3_000)
    const second = await app.deploy()
    const late = await app.deploy({ at: new Date(app.clock.getTime() - 1), state: 'superseded' })
    await app.work()
    const runs = await app.runs()
    expect(app.host.dispatches.map(({ inputs }) => inputs['deployment_id'])).toEqual([second])
    const replaced = { state: 'skipped', stateReason: 'newer_deployment', deadlineAt: null }
    for (const id of [first, late])
      expect(runs.find(({ deploymentId }) => deploymentId === id)).toMatchObject(replaced)
    expect(runs.find(({ deploymentId }) => deploymentId === second)?.state).toBe('queued')
  })

  it('is skipped with the reason when its deployment was replaced while it waited', async () => {
    await app.deploy()
    await app.work(1_000)
    app.passMs(5_000)
    await app.deploy()
    await app.work()
    expect((await app.runs()).map(({ state, stateReason }) => [state, stateReason])).toEqual([
      ['skipped', 'newer_deployment'],
      ['queued', null],
    ])
  })

  it('waits for a further job of the run that deploys, however long that takes', async () => {
    const id = await app.deploy()
    await app.work(1_000)
    const become = (state: string) =>
      app.test.asOwner('update deployments set state = $2 where id = $1', [id, state])
    await become('in_progress')
    await app.work(20 * 60_000)
    await closeOverdue()
    expect(await app.runs()).toMatchObject([{ state: 'planned', stateReason: null }])
    await become('success')
    await app.work(60_000)
    expect(await app.runs()).toMatchObject([{ state: 'queued' }])
    expect(app.host.dispatches).toHaveLength(1)
  })

  it('begins again when a further job deploys after it began, and only then', async () => {
    const id = await app.deploy()
    const succeedAgain = async () => {
      app.passMs(60_000)
      await app.test.asOwner('update deployments set finished_at = $2 where id = $1', [
        id,
        app.clock,
      ])
      await requestTestRuns(app.deps, { orgId: app.orgId, deploymentId: id })
      await requestTestRuns(app.deps, { orgId: app.orgId, deploymentId: id })
      await app.work(60_000)
      return app.host.dispatches.length
    }
    await app.work(60_000)
    // As a success that is reported once more, with another address.
    expect(await succeedAgain()).toBe(1)
    await app.test.asOwner(
      `insert into deployment_jobs (org_id, repository_id, external_id, deployment_id) values ($1, 'rep_1', 'job', $2)`,
      [app.orgId, id],
    )
    expect(await succeedAgain()).toBe(2)
    expect(await succeedAgain()).toBe(3)
    expect((await app.runs()).map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
  })

  it('says that the deployment failed when a further job of it fails', async () => {
    const id = await app.deploy()
    await app.work(1_000)
    await app.test.asOwner(`update deployments set state = 'failure' where id = $1`, [id])
    await app.work()
    const skipped = { state: 'skipped', stateReason: 'deployment_failed' }
    expect(await app.runs()).toMatchObject([skipped])
  })
})

describe('recordRunEvent', () => {
  const record = (run = buildHostRun()) =>
    app.test.store.transaction({ orgId: app.orgId }, (tx) =>
      recordRunEvent(app.deps, tx, { orgId: app.orgId, repositoryExternalId: '42', run }),
    )

  it('joins what was told of a run before its number was known', async () => {
    let told = ''
    app.host.reset(async () => {
      told = await record()
      return { outcome: 'started', runId: '9001', runUrl: 'https://github.com/x' } as const
    })
    await app.deploy()
    await app.work()
    expect(told).toBe('kept')
    expect(await app.runs()).toMatchObject([{ state: 'passed', externalId: '9001' }])
    expect(await app.test.asOwner('select from test_run_events')).toEqual([])
  })

  it('has the address that the run says later, where the answer to its start has none', async () => {
    app.host.reset(() =>
      Promise.resolve({ outcome: 'started', runId: '9001', runUrl: null } as const),
    )
    await app.deploy()
    await app.work()
    expect(await app.runs()).toMatchObject([{ externalId: '9001', url: null }])
    expect(await record()).toBe('recorded')
    expect(await app.runs()).toMatchObject([{ url: buildHostRun().url }])
  })

  it('finds a run that nobody knew to exist by the id that it hands back', async () => {
    app.host.reset(answers['a 502 comes and nothing was started'])
    await app.deploy()
    await app.work()
    const [run] = await app.runs()
    expect(run?.state).toBe('unknown')
    expect(await record(buildHostRun({ correlation: run?.id ?? null }))).toBe('recorded')
    expect(await app.runs()).toMatchObject([{ state: 'passed', externalId: '9001' }])
    expect(await record(buildHostRun({ correlation: run?.id ?? null }))).toBe('stale')
    const rerun = { attempt: 2, state: 'running' } as const
    expect(await record(buildHostRun(rerun))).toBe('recorded')
    expect(await app.runs()).toMatchObject([{ state: 'running', attempt: 2, id: run?.id }])
  })

  it('keeps nothing of runs that are none of ours', async () => {
    expect(await record()).toBe('unrelated')
    expect(await record(buildHostRun({ isRequested: false }))).toBe('unrelated')
    expect(await app.test.asOwner('select from test_run_events')).toEqual([])
  })
})

describe('a run whose time is over', () => {
  it('is errored when it did not start within ten minutes, and corrected by a late result', async () => {
    await app.deploy()
    await app.work()
    app.passMs(11 * 60_000)
    await closeOverdue()
    expect(await app.runs()).toMatchObject([{ state: 'errored', stateReason: 'not_started' }])
    const run = buildHostRun({ externalId: app.host.runs[0]?.externalId ?? '' })
    await app.test.store.transaction({ orgId: app.orgId }, (tx) =>
      recordRunEvent(app.deps, tx, { orgId: app.orgId, repositoryExternalId: '42', run }),
    )
    expect(await app.runs()).toMatchObject([{ state: 'passed', stateReason: null }])
  })

  it('is read once before it is closed: a webhook may be lost', async () => {
    await app.deploy()
    await app.work()
    app.host.runs = app.host.runs.map((run) => ({
      ...run,
      state: 'failed',
    }))
    app.passMs(11 * 60_000)
    await closeOverdue()
    expect(await app.runs()).toMatchObject([{ state: 'failed', decidedBy: 'workflow' }])
  })

  it('is timed out when it began and never ended', async () => {
    await app.deploy()
    await app.work()
    const startedAt = app.clock
    app.host.runs = app.host.runs.map((run) => ({ ...run, state: 'running', startedAt }))
    app.passMs(11 * 60_000)
    await closeOverdue()
    expect(await app.runs()).toMatchObject([{ state: 'running' }])
    app.passMs(60 * 60_000)
    await closeOverdue()
    expect(await app.runs()).toMatchObject([{ state: 'timed_out' }])
  })
})

it('a deployment that goes live while tests run takes their result out of what counts', async () => {
  await app.deploy()
  await app.work()
  const startedAt = app.clock
  const told = async (state: 'running' | 'passed') => {
    const run = buildHostRun({
      externalId: app.host.runs[0]?.externalId ?? '',
      state,
      startedAt,
      updatedAt: app.clock,
    })
    await app.test.store.transaction({ orgId: app.orgId }, (tx) =>
      recordRunEvent(app.deps, tx, { orgId: app.orgId, repositoryExternalId: '42', run }),
    )
  }
  await told('running')
  app.passMs(60_000)
  const intruder = await app.deploy()
  await app.work(0)
  expect(await app.runs()).toMatchObject([{ contaminatedBy: intruder }, {}])
  await app.test.asOwner('update test_runs set contaminated_by = null')
  app.passMs(60_000)
  await told('passed')
  expect(await app.runs()).toMatchObject([{ state: 'passed', contaminatedBy: intruder }, {}])
})

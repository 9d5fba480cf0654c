import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { WorkflowInterface } from '../../providers/codehosts/workflow.ts'
import { buildHostRun } from '../testing/build-host-run.ts'
import { dieAt } from '../testing/die-at.ts'
import { openTestRuns, type HostAnswer, type TestRunApp } from '../testing/open-test-runs.ts'

let app: TestRunApp
beforeAll(async () => {
  app = await openTestRuns()
})
const forget = async () => {
  app.host.reset()
  app.passMs(3_600_000)
  for (const table of ['test_runs', 'deployments', 'pending_jobs', 'test_run_events']) {
    await app.test.asOwner(`delete from ${table}`)
  }
}
afterEach(forget)
afterAll(() => app.close())

/** Describes a workflow whose runs show the id of ours. */
const showing: WorkflowInterface = {
  isStartable: true,
  inputs: [],
  shownInputs: ['test_run_id'],
}

const killed = () => Promise.reject(new Error('killed'))
const killedAfterStart: HostAnswer = (start) => {
  start()
  return killed()
}
const faults = {
  'no call is lost': undefined,
  'the answer is lost after the start': (start) => {
    start()
    return Promise.resolve({ outcome: 'ambiguous' })
  },
  'a 502 comes and nothing was started': () => Promise.resolve({ outcome: 'ambiguous' }),
  'the worker dies before the call gets out': killed,
  'the worker dies after the start': killedAfterStart,
} satisfies Record<string, HostAnswer | undefined>

/** Answers the first call by `fault`, and each later one as a code host does. */
function reset(fault: HostAnswer | undefined, workflow: WorkflowInterface | undefined): void {
  app.host.reset()
  const answer = app.host.answer
  app.host.interface = workflow
  app.host.answer = (start) => (app.host.dispatches.length > 1 ? answer : (fault ?? answer))(start)
}

const deployAndWork = async () => {
  const id = await app.deploy()
  await app.work()
  return id
}

const expectOneRun = async (how = '') => {
  const [started, ...others] = app.host.runs
  expect([how, others]).toEqual([how, []])
  expect(await app.runs()).toMatchObject([
    { state: 'queued', stateReason: null, externalId: started?.externalId },
  ])
}

describe('a test run whose start was not answered, of a workflow that shows its id,', () => {
  it.each(Object.entries(faults))('is one run when %s', async (_, fault) => {
    expect.hasAssertions()
    reset(fault, showing)
    await deployAndWork()
    await expectOneRun()
  })

  it('is one run where the host keeps every input, and the worker dies before the call', async () => {
    expect.hasAssertions()
    reset(killed, { ...showing, shownInputs: 'all' })
    await deployAndWork()
    await expectOneRun()
  })

  it('is one run wherever the worker dies', async () => {
    expect.hasAssertions()
    for (const when of ['before', 'after'] as const) {
      for (let nth = 1; nth <= 6; nth++) {
        reset(undefined, showing)
        Object.assign(app.deps, { store: dieAt(app.test.store, nth, when) })
        await deployAndWork()
        Object.assign(app.deps, { store: app.test.store })
        await expectOneRun(`killed ${when} transaction ${nth}`)
        await forget()
      }
    }
  })

  it('is one run, and never two, where the worker dies in the look and in the second start too', async () => {
    const states = new Set<string>()
    // The looks of 90 seconds take the transactions before.
    for (let nth = 18; nth <= 26; nth++) {
      reset(killed, showing)
      Object.assign(app.deps, { store: dieAt(app.test.store, nth, 'after') })
      await deployAndWork()
      Object.assign(app.deps, { store: app.test.store })
      const [run] = await app.runs()
      expect(app.host.runs.length).toBe(run?.externalId === null ? 0 : 1)
      states.add(run?.state ?? '')
      await forget()
    }
    // Two kills: one before each call, of which the second leaves it to a person.
    expect([...states].toSorted()).toEqual(['queued', 'unknown'])
  })

  it('is one run where somebody has started another by hand meanwhile, whose run is known', async () => {
    reset(killed, showing)
    const byHand = buildHostRun({ externalId: '9009', correlation: null, state: 'running' })
    app.host.runs = [byHand]
    const id = await app.deploy()
    await app.test.asOwner(
      `insert into workflow_dispatches (org_id, id, repository_id, workflow_id, ref, state, external_id, requested_by, requested_at)
       select org_id, 'dsp_1', repository_id, 'e2e.yml', 'main', 'sent', '9009', '{}', now() from deployments where id = $1`,
      [id],
    )
    await app.work()
    const [, started, ...others] = app.host.runs
    expect(others).toEqual([])
    expect(await app.runs()).toMatchObject([
      { state: 'queued', externalId: started?.externalId ?? 'none' },
    ])
    await app.test.asOwner('delete from workflow_dispatches')
  })

  it('is asked for again with the same inputs, and says so meanwhile', async () => {
    reset(killed, showing)
    app.host.answer = killed
    await deployAndWork()
    const [first, second, ...others] = app.host.dispatches
    expect(others).toEqual([])
    expect(second).toEqual(first)
    // The second start is the last: somebody has to look.
    expect(await app.runs()).toMatchObject([
      { state: 'unknown', stateReason: 'dispatch_ambiguous' },
    ])
  })

  it('control: without the look, a lost answer makes two runs', async () => {
    reset(killedAfterStart, showing)
    const listRequestedRuns = app.host.listRequestedRuns.bind(app.host)
    app.host.listRequestedRuns = () => Promise.resolve({ runs: [], isComplete: true })
    await deployAndWork()
    app.host.listRequestedRuns = listRequestedRuns
    expect(app.host.runs).toHaveLength(2)
  })

  it('control: without the second start, a kill before the call makes none', async () => {
    reset(killed, { ...showing, shownInputs: [] })
    await deployAndWork()
    expect([app.host.runs, app.host.dispatches]).toMatchObject([[], { length: 1 }])
    expect(await app.runs()).toMatchObject([{ state: 'unknown' }])
  })
})

describe('it is not started again', () => {
  const expectOneStart = async (state: string) => {
    expect(app.host.dispatches).toHaveLength(1)
    expect(await app.runs()).toMatchObject([{ state }])
  }

  it('where the interface of the workflow is not known, or cannot be read', async () => {
    expect.hasAssertions()
    reset(killed, undefined)
    await deployAndWork()
    await expectOneStart('unknown')
    await forget()
    reset(killed, showing)
    const readInterface = app.host.readInterface.bind(app.host)
    app.host.readInterface = () => Promise.reject(new Error('http_500'))
    await deployAndWork()
    app.host.readInterface = readInterface
    await expectOneStart('dispatching')
  })

  it('where an application has started a run in that time that shows no id', async () => {
    expect.hasAssertions()
    reset(killed, showing)
    app.host.runs = [buildHostRun({ correlation: null, state: 'running' })]
    await deployAndWork()
    await expectOneStart('unknown')
  })

  it('where the host has more runs of that time than were read', async () => {
    expect.hasAssertions()
    reset(killed, showing)
    app.host.isComplete = false
    await deployAndWork()
    await expectOneStart('unknown')
  })

  it('where two runs show the id', async () => {
    expect.hasAssertions()
    reset((start) => {
      start()
      start()
      return killed()
    }, showing)
    await deployAndWork()
    await expectOneStart('unknown')
  })

  it('where a newer deployment has replaced its own', async () => {
    reset(killed, showing)
    await app.deploy()
    await app.work(30_000)
    await app.test.asOwner(`update deployments set state = 'inactive'`)
    await app.work()
    expect(app.host.dispatches).toHaveLength(1)
    expect(await app.runs()).toMatchObject([{ state: 'skipped', stateReason: 'newer_deployment' }])
  })

  it('where a person has requested it, whose inputs are not kept', async () => {
    expect.hasAssertions()
    reset(killed, showing)
    await app.deploy()
    await app.work(30_000)
    await app.test.asOwner(`update test_runs set rule_key = 'asked:' || id`)
    await app.work()
    await expectOneStart('unknown')
  })

  it('where its webhook has come meanwhile', async () => {
    expect.hasAssertions()
    reset(killed, showing)
    const listRequestedRuns = app.host.listRequestedRuns.bind(app.host)
    app.host.listRequestedRuns = async () => {
      await app.test.asOwner(
        `update test_runs set external_id = '9001', state = 'queued', state_rank = 3`,
      )
      return { runs: [], isComplete: true }
    }
    await deployAndWork()
    app.host.listRequestedRuns = listRequestedRuns
    await expectOneStart('queued')
  })
})

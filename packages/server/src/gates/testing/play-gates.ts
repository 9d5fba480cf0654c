import { expect } from 'vitest'
import { answerHost } from '../answer-host.ts'
import { judgeDecisions } from '../judge-decisions.ts'
import { persons, type GatesStep, type Person } from './gates-steps.ts'
import { openGatesApp, shaOf, type GatesApp } from './open-gates-app.ts'

type State = 'waiting' | 'passed' | 'refused' | 'overridden' | 'expired'

/** Holds what the oracle knows of one attempt of a run. */
interface Attempt {
  readonly run: number
  readonly attempt: number
  state: State
  isHeld: boolean
  readonly approvedBy: Set<Person>
}

/** Holds the world as somebody sees it who has watched everything, and reads nothing of the service. */
interface World {
  readonly attempts: Attempt[]
  readonly tests: Map<number, string>
  readonly roles: Map<Person, string>
  frozenUntil: number
  hasTests: boolean
  now: number
}

const runs = [0, 1]
const commitOf = (run: number) => run % 2
const letters = ['a', 'b'] as const
const shaOfCommit = (commit: number) => shaOf(letters[commit] ?? 'a')
const idOf = (run: number) => `90${run}`

function isMet(world: World, { run, approvedBy }: Attempt): boolean {
  const isTested = !world.hasTests || world.tests.get(commitOf(run)) === 'passed'
  const isApproved = [...approvedBy].some((by) => world.roles.get(by) === 'developer')
  return isTested && isApproved && world.frozenUntil <= world.now
}

function judge(world: World, attempts: readonly Attempt[]): void {
  for (const each of attempts)
    if (each.state === 'waiting' && isMet(world, each)) each.state = 'passed'
}

const newestOf = (world: World, run: number) =>
  world.attempts.filter((each) => each.run === run).toSorted((a, b) => b.attempt - a.attempt)[0]

/** Begins an attempt in the world, unless a later one has begun; `undefined` then. */
function begin(world: World, run: number, attempt: number): Attempt | undefined {
  const newest = newestOf(world, run)
  if (newest !== undefined && newest.attempt > attempt) return undefined
  if (newest?.attempt === attempt) return newest
  if (newest?.state === 'waiting') newest.state = 'expired'
  const made: Attempt = { run, attempt, state: 'waiting', isHeld: false, approvedBy: new Set() }
  world.attempts.push(made)
  return made
}

/** Plays steps in a service of its own, and compares what is decided and answered in the end with the oracle. */
export async function playGates(steps: readonly GatesStep[]): Promise<void> {
  const gates = await openGatesApp()
  try {
    const played = await createPlay(gates)
    for (const step of steps) await played.play(step)
    await played.compare()
  } finally {
    await gates.close()
  }
}

async function createPlay(gates: GatesApp) {
  const { app, waits, deps, answers } = gates
  for (const name of persons) await gates.person(name, 'developer')
  await gates.person('dan', 'admin')
  const testsRule = { rule: 'tests', environmentId: gates.staging, withinHours: 720 }
  const people = { rule: 'approvals', count: 1, members: [] }
  const rulesOf = (hasTests: boolean) => (hasTests ? [testsRule, people] : [people])
  const gateId = await gates.addGate(rulesOf(true), { name: 'Gate' })
  let revision = 1
  const world: World = {
    attempts: [],
    tests: new Map(),
    roles: new Map(persons.map((name) => [name, 'developer'])),
    frozenUntil: 0,
    hasTests: true,
    now: 0,
  }
  const pass = (ms: number) => {
    gates.passMs(ms)
    world.now += ms
  }
  const freezePath = `/environments/${gates.production}/freeze`
  const decisionOf = async (run: number) => {
    const own = (await gates.decisions()).filter((each) => each.run.id === idOf(run))
    return own.toSorted((a, b) => b.run.attempt - a.run.attempt)[0]
  }
  /** Does the jobs of the queue. One that fails stays in it. */
  const answerAll = async () => {
    for (const id of new Set(answers.splice(0))) {
      await answerHost(deps, { orgId: app.orgId, id }).catch(() => answers.push(id))
    }
  }
  const work = async () => {
    pass(4_000)
    await judgeDecisions(deps)
    judge(world, world.attempts)
    await answerAll()
  }
  const end = async (run: number, as: 'override' | 'refuse') => {
    const decision = await decisionOf(run)
    if (decision === undefined) return
    const { status } = await app.call('dan', `POST /gate-decisions/${decision.id}/${as}`, {
      body: { comment: 'Now' },
    })
    const newest = newestOf(world, run)
    expect(status).toBe(newest?.state === 'waiting' ? 200 : 409)
    if (newest?.state === 'waiting') newest.state = as === 'override' ? 'overridden' : 'refused'
  }
  const steps: {
    readonly [Kind in GatesStep['kind']]: (
      step: Extract<GatesStep, { kind: Kind }>,
    ) => Promise<void>
  } = {
    async tell({ run, attempt }) {
      const current = Math.max(attempt, waits.attempts.get(idOf(run)) ?? 1)
      waits.attempts.set(idOf(run), current)
      const sha = shaOfCommit(commitOf(run))
      await gates.tell({ runId: idOf(run), attempt, sha, deploymentId: null })
      const begun = begin(world, run, attempt)
      // A wait that is known already is judged at its time.
      if (begun === undefined || begun.isHeld) return
      begun.isHeld = true
      judge(world, [begun])
    },
    async ask({ run, attempt }) {
      const current = Math.max(attempt, waits.attempts.get(idOf(run)) ?? 1)
      waits.attempts.set(idOf(run), current)
      const sha = shaOfCommit(commitOf(run))
      const known = world.attempts.some((each) => each.run === run && each.attempt === attempt)
      const { status } = await gates.ask({}, { runId: idOf(run), attempt, sha })
      const begun = begin(world, run, attempt)
      expect(status).toBe(begun === undefined && !known ? 409 : 200)
      if (begun !== undefined && !known) judge(world, [begun])
    },
    async test({ commit, state }) {
      pass(1)
      await gates.addRun({ sha: shaOfCommit(commit), state })
      world.tests.set(commit, state)
    },
    async freeze({ minutes }) {
      const until = new Date(gates.now().getTime() + minutes * 60_000)
      await app.ok('admin', `PUT ${freezePath}`, { body: { until, reason: 'Sale' } })
      world.frozenUntil = world.now + minutes * 60_000
    },
    async unfreeze() {
      await app.ok('admin', `DELETE ${freezePath}`)
      world.frozenUntil = 0
    },
    async rules({ hasTests }) {
      const environmentIds = [gates.production]
      const gate = { name: 'Gate', environmentIds, repositories: [], mode: 'enforce' }
      const body = { ...gate, rules: rulesOf(hasTests), revision }
      await app.ok('admin', `PUT /gates/${gateId}`, { body })
      revision += 1
      world.hasTests = hasTests
    },
    async approve({ run, by }) {
      const decision = await decisionOf(run)
      const newest = newestOf(world, run)
      if (decision === undefined || newest === undefined) return
      const { status } = await app.call(by, `POST /gate-decisions/${decision.id}/approve`, {
        body: {},
      })
      const isAllowed = world.roles.get(by) === 'developer'
      expect(status).toBe(newest.state !== 'waiting' ? 409 : isAllowed ? 200 : 403)
      if (status !== 200) return
      newest.approvedBy.add(by)
      judge(world, [newest])
    },
    async role({ of, role }) {
      await app.test.asOwner(
        `update members set role = $2 where user_id = (select id from users where name = $1)`,
        [of, role],
      )
      world.roles.set(of, role)
    },
    override: ({ run }) => end(run, 'override'),
    refuse: ({ run }) => end(run, 'refuse'),
    time({ minutes }) {
      pass(minutes * 60_000)
      return Promise.resolve()
    },
    work,
    async cut() {
      waits.afterAnswer = () => {
        throw new Error('The process ends')
      }
      await work()
      waits.afterAnswer = () => undefined
    },
    async away() {
      waits.failure = 'unavailable'
      await work()
      waits.failure = undefined
    },
  }
  return {
    play: (step: GatesStep) => (steps[step.kind] as (of: GatesStep) => Promise<void>)(step),
    async compare() {
      for (let times = 0; times < 3; times += 1) await work()
      const nameOf = (run: string, attempt: number, state: string) => `${run}/${attempt} ${state}`
      const decided = (await gates.decisions()).map(({ run, state }) =>
        nameOf(run.id, run.attempt, state),
      )
      const known = world.attempts.map(({ run, attempt, state }) =>
        nameOf(idOf(run), attempt, state),
      )
      expect(new Set(decided)).toEqual(new Set(known))
      for (const run of runs) {
        const newest = newestOf(world, run)
        const isAnswered = newest?.isHeld === true && newest.state !== 'waiting'
        const states = waits.answers
          .filter((each) => each.runId === idOf(run) && each.attempt === newest?.attempt)
          .map(({ state }) => state)
        const expected = newest?.state === 'refused' ? 'rejected' : 'approved'
        expect([run, states]).toEqual([run, isAnswered ? [expected] : []])
      }
    },
  }
}

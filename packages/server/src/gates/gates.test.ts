import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerHost } from './answer-host.ts'
import { judgeDecisions } from './judge-decisions.ts'
import { openGatesApp, shaOf, type GatesApp } from './testing/open-gates-app.ts'

let gates: GatesApp
const sha = shaOf('a')

beforeEach(async () => {
  gates = await openGatesApp()
})
afterEach(() => gates.close())

const testsRule = () => ({ rule: 'tests', environmentId: gates.staging, withinHours: 24 })
const people = (count = 1, members: string[] = []) => ({ rule: 'approvals', count, members })

describe('a pipeline that asks whether it may go on', () => {
  it('waits until the tests of its commit have passed, and goes on then', async () => {
    await gates.addGate([testsRule()])
    const { status, body } = await gates.ask({}, {})
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'waiting',
      repository: 'acme/shop',
      sha,
      environment: 'production',
      via: 'step',
      waitedFor: 'tests of aaaaaaa in staging',
    })
    await gates.addRun({ sha: shaOf('b'), state: 'passed' })
    await gates.work()
    expect((await gates.ask({}, {})).body.state).toBe('waiting')
    await gates.addRun({ sha, state: 'passed' })
    gates.passMs(4_000)
    await gates.work()
    const later = await gates.ask({}, {})
    expect(later.body).toMatchObject({ id: body.id, state: 'passed', answer: { state: 'none' } })
    expect(gates.waits.answers).toEqual([])
  })

  it('is judged by its own commit, and not by another one of its branch', async () => {
    await gates.addGate([testsRule(), { rule: 'soak', environmentId: gates.staging, minutes: 5 }])
    await gates.addRun({ sha: shaOf('b'), state: 'passed' })
    await gates.addDeployment({ sha: shaOf('b'), environmentId: gates.staging, minutesAgo: 60 })
    expect((await gates.ask({}, { ref: 'refs/heads/main' })).body.state).toBe('waiting')
    const other = await gates.ask({}, { sha: shaOf('b'), runId: '901', ref: 'refs/heads/main' })
    expect(other.body.state).toBe('passed')
  })

  it('goes on where no gate covers its environment, and hears that', async () => {
    await gates.addGate([people()])
    const { body } = await gates.ask({ environment: 'staging' }, {})
    expect(body).toMatchObject({ state: 'passed', reasons: [{ code: 'no_gate' }] })
    const unknown = await gates.ask({ environment: 'nowhere' }, { runId: '901' })
    expect(unknown.body).toMatchObject({
      state: 'passed',
      environmentId: null,
      reasons: [{ code: 'unknown_environment' }],
    })
  })

  it('is refused what its token does not vouch for, and nothing is stored', async () => {
    await gates.addGate([people()])
    const refused = [
      await gates.ask({ sha: shaOf('b') }, {}),
      await gates.ask({ run: '1' }, {}),
      await gates.ask({ attempt: 2 }, {}),
      await gates.ask({ ref: 'refs/heads/other' }, {}),
      await gates.ask({ repository: 'acme/other' }, {}),
      await gates.ask({}, { repositoryExternalId: '99' }),
      await gates.ask({}, { provider: 'gitlab' } as never),
      await gates.ask({}, { sha: undefined }),
    ]
    expect(refused.map(({ body }) => body.code)).toEqual(
      Array.from(refused, () => 'invalid_credentials'),
    )
    expect(await gates.decisions()).toEqual([])
  })

  it('needs a protected branch where the environment is protected and the token says whether it is', async () => {
    await gates.app.ok('admin', `PATCH /environments/${gates.production}`, {
      body: { protection: { confirm: true } },
    })
    expect((await gates.ask({}, { isRefProtected: false })).body.code).toBe('invalid_credentials')
    expect((await gates.ask({}, { isRefProtected: true })).status).toBe(200)
  })

  it('asks with a server key that reaches the environment and writes', async () => {
    const body = { repository: 'acme/shop', sha, run: '12' }
    expect((await gates.ask(body, 'm2m')).body).toMatchObject({ state: 'passed', sha })
    expect((await gates.ask({ ...body, run: '13' }, 'stagingKey')).body.code).toBe(
      'key_scope_forbidden',
    )
    expect((await gates.ask({ ...body, environment: 'staging' }, 'stagingKey')).status).toBe(200)
    expect((await gates.ask(body, 'readKey')).body.code).toBe('key_read_only')
    expect((await gates.ask({ repository: 'acme/shop', sha }, 'm2m')).status).toBe(422)
    expect((await gates.ask({ ...body, sha: shaOf('b') }, 'm2m')).body.code).toBe('conflict')
  })

  it('ends once nobody has asked for a day', async () => {
    await gates.addGate([people()])
    await gates.ask({}, {})
    gates.passMs(23 * 3_600_000)
    await gates.ask({}, {})
    gates.passMs(23 * 3_600_000)
    await gates.work()
    expect((await gates.ask({}, {})).body.state).toBe('waiting')
    gates.passMs(25 * 3_600_000)
    await gates.work()
    expect((await gates.decisions())[0]?.state).toBe('expired')
  })
})

describe('a run that its code host holds', () => {
  it('is told what it waits for, and gets one answer', async () => {
    await gates.addGate([testsRule()])
    expect(await gates.tell()).toBe('recorded')
    await gates.work()
    expect(gates.waits.comments).toHaveLength(1)
    expect(gates.waits.comments[0]).toContain('Waits for the tests of aaaaaaa in staging.')
    await gates.addRun({ sha, state: 'passed' })
    gates.passMs(4_000)
    await gates.work()
    expect(gates.waits.answers).toEqual([
      {
        runId: '900',
        attempt: 1,
        state: 'approved',
        text: expect.stringContaining('Every rule is met.'),
      },
    ])
    expect((await gates.decisions())[0]).toMatchObject({
      state: 'passed',
      answer: { state: 'sent' },
      waitedFor: 'tests of aaaaaaa in staging',
    })
  })

  it('gets one answer however often and in whatever order its news arrive', async () => {
    await gates.addGate([testsRule()])
    await gates.addRun({ sha, state: 'passed' })
    const told = [
      { attempt: 2 },
      { attempt: 1 },
      { attempt: 2 },
      { attempt: 1, deploymentId: '7000' },
      { attempt: 2 },
    ]
    const outcomes = []
    for (const wait of told) outcomes.push(await gates.tell(wait))
    expect(outcomes).toEqual(['recorded', 'over', 'known', 'over', 'known'])
    await Promise.all([gates.tell({ runId: '902' }), gates.tell({ runId: '902' })])
    await gates.work()
    await gates.work()
    expect(gates.waits.answers.map(({ runId }) => runId).toSorted()).toEqual(['900', '902'])
    expect(gates.waits.calls).toBe(2)
  })

  it('gives an answer of an earlier attempt up once it was started again', async () => {
    await gates.addGate([people()])
    await gates.tell({ attempt: 1 })
    await gates.tell({ attempt: 2, deploymentId: '7002' })
    const states = (await gates.decisions()).map(({ run, state }) => [run.attempt, state])
    expect(Object.fromEntries(states)).toEqual({ 1: 'expired', 2: 'waiting' })
    await gates.work()
    expect(gates.waits.answers).toEqual([])
  })

  it('gets one answer although the service ends after it has answered', async () => {
    await gates.addGate([testsRule()])
    await gates.addRun({ sha, state: 'passed' })
    gates.waits.afterAnswer = () => {
      throw new Error('The process ends here')
    }
    await gates.tell()
    await expect(gates.work()).rejects.toThrow('The process ends here')
    const [decision] = await gates.decisions()
    expect(decision).toMatchObject({ state: 'passed', answer: { state: 'waiting' } })
    gates.waits.afterAnswer = () => undefined
    // The queue does the job again.
    await answerHost(gates.deps, { orgId: gates.app.orgId, id: decision.id })
    expect(gates.waits.answers).toHaveLength(1)
    expect((await gates.decisions())[0]?.answer.state).toBe('sent')
  })

  it('is answered once its code host is back', async () => {
    await gates.addGate([testsRule()])
    await gates.addRun({ sha, state: 'passed' })
    await gates.tell()
    gates.waits.failure = 'unavailable'
    await expect(gates.work()).rejects.toThrow('unavailable')
    gates.waits.failure = undefined
    const [{ id }] = (await gates.decisions()) as [{ id: string }]
    // The queue does the job again.
    await answerHost(gates.deps, { orgId: gates.app.orgId, id })
    expect(gates.waits.answers).toHaveLength(1)
  })

  it('that was started again does not get the answer that its first attempt was to have', async () => {
    await gates.addGate([testsRule()])
    await gates.addRun({ sha, state: 'passed' })
    await gates.tell()
    gates.waits.failure = 'unavailable'
    await expect(gates.work()).rejects.toThrow('unavailable')
    gates.waits.failure = undefined
    await gates.addRun({ sha, state: 'failed' })
    gates.waits.attempts.set('900', 2)
    const [{ id }] = (await gates.decisions()) as [{ id: string }]
    await gates.tell({ attempt: 2, deploymentId: '7002' })
    await answerHost(gates.deps, { orgId: gates.app.orgId, id })
    await gates.work()
    expect(gates.waits.answers).toEqual([])
    const states = (await gates.decisions()).map(({ run, state }) => [run.attempt, state])
    expect(Object.fromEntries(states)).toEqual({ 1: 'passed', 2: 'waiting' })
  })

  it('notes nothing of an answer that came too late for its attempt', async () => {
    await gates.addGate([testsRule()])
    await gates.addRun({ sha, state: 'passed' })
    await gates.tell({ attempt: 1 })
    gates.waits.afterAnswer = async () => {
      gates.waits.afterAnswer = () => undefined
      gates.waits.attempts.set('900', 2)
      await gates.tell({ attempt: 2, deploymentId: '7002' })
    }
    await gates.work()
    await gates.work()
    const answers = (await gates.decisions()).map(({ run, answer }) => [run.attempt, answer.state])
    expect(Object.fromEntries(answers)).toEqual({ 1: 'given_up', 2: 'sent' })
    expect(gates.waits.answers.map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  it('is one decision with the step of the same run, whichever asks first', async () => {
    await gates.addGate([testsRule()])
    await gates.addRun({ sha, state: 'passed' })
    const { body } = await gates.ask({}, {})
    expect(body.state).toBe('passed')
    expect(await gates.tell()).toBe('recorded')
    await gates.work()
    expect(gates.waits.answers).toHaveLength(1)
    expect(await gates.decisions()).toHaveLength(1)
    await gates.tell({ runId: '905' })
    const later = await gates.ask({}, { runId: '905' })
    expect(later.body.via).toBe('rule')
  })

  it('of a fork is refused', async () => {
    await gates.tell({ isFork: true })
    await gates.work()
    expect(gates.waits.answers).toMatchObject([{ state: 'rejected' }])
    expect((await gates.decisions())[0]).toMatchObject({
      state: 'refused',
      reasons: [{ code: 'fork' }],
    })
  })

  it('is told at most eight times, and once a minute', async () => {
    await gates.addGate([{ rule: 'configuration' }])
    await gates.tell()
    await gates.work()
    for (let change = 0; change < 12; change += 1) {
      const reason = `Sale ${change}`
      await gates.app.ok('admin', `PUT /environments/${gates.production}/freeze`, {
        body: { until: new Date(gates.now().getTime() + 3_600_000).toISOString(), reason },
      })
      gates.passMs(10_000)
      await gates.work()
      expect(gates.waits.comments.length).toBe(Math.min(change + 1, 8))
      gates.passMs(60_000)
      await gates.work()
    }
    expect(gates.waits.comments).toHaveLength(8)
  })

  it('whose answer the code host refuses says so, and one that is gone expires', async () => {
    await gates.addGate([people()])
    await gates.tell()
    gates.waits.failure = 'notFound'
    await gates.work()
    expect((await gates.decisions())[0]?.state).toBe('expired')
    gates.waits.failure = 'forbidden'
    await gates.tell({ runId: '902', environment: 'staging' })
    await expect(gates.work()).rejects.toThrow('forbidden')
    const [decision] = await gates.decisions()
    expect(decision).toMatchObject({
      state: 'passed',
      answer: { state: 'waiting', detail: expect.stringContaining('did not take the answer') },
    })
    gates.waits.failure = 'rejected'
    await answerHost(gates.deps, { orgId: gates.app.orgId, id: decision.id })
    expect((await gates.decisions())[0]?.answer.state).toBe('given_up')
  })

  it('expires with its deployment, which a person let go on at the code host', async () => {
    await gates.addGate([people()])
    await gates.tell()
    await gates.addDeployment({
      sha,
      environmentId: gates.production,
      state: 'failure',
      externalId: '7001',
    })
    gates.passMs(4_000)
    await gates.work()
    expect((await gates.decisions())[0]?.state).toBe('expired')
  })
})

describe('people and gates', () => {
  it('lets those approve who may write values there, and counts each of them once', async () => {
    await gates.person('ada', 'developer')
    await gates.person('ben', 'developer')
    await gates.person('vic', 'viewer')
    await gates.addGate([people(2)])
    const { body } = await gates.ask({}, {})
    const path = `POST /gate-decisions/${body.id}/approve`
    const approve = (as: string) => gates.app.call(as, path, { body: {} })
    expect((await gates.app.call('ada', `GET /gate-decisions/${body.id}`)).body.may).toEqual({
      approve: true,
      override: false,
      refuse: false,
    })
    expect((await approve('vic')).status).toBe(403)
    expect((await approve('ada')).body.state).toBe('waiting')
    expect((await approve('ada')).body).toMatchObject({ state: 'waiting', approvals: [{}] })
    const last = await approve('ben')
    expect(last.body.state).toBe('passed')
    expect((await approve('ben')).body.code).toBe('conflict')
  })

  it('leaves out the approval of a member who has left or may no longer write', async () => {
    const ada = await gates.person('ada', 'developer')
    await gates.person('ben', 'developer')
    await gates.addGate([people(2)])
    const { body } = await gates.ask({}, {})
    const path = `POST /gate-decisions/${body.id}/approve`
    await gates.app.ok('ada', path, { body: { comment: 'Fine' } })
    await gates.app.test.asOwner(`update members set role = 'viewer' where user_id = $1`, [ada])
    expect((await gates.app.ok('ben', path, { body: {} })).body.state).toBe('waiting')
    await gates.app.test.asOwner(`update members set role = 'admin' where user_id = $1`, [ada])
    gates.passMs(4_000)
    await judgeDecisions(gates.deps)
    expect((await gates.ask({}, {})).body.state).toBe('passed')
  })

  it('lets those alone approve whom a gate names', async () => {
    const ada = await gates.person('ada', 'developer')
    await gates.person('ben', 'developer')
    await gates.addGate([people(1, [ada])])
    const { body } = await gates.ask({}, {})
    const path = `POST /gate-decisions/${body.id}/approve`
    expect((await gates.app.call('ben', path, { body: {} })).body.code).toBe('role_forbidden')
    expect((await gates.app.ok('ada', path, { body: {} })).body.state).toBe('passed')
  })

  it('lets an admin let a deployment go on with a comment, which is answered and recorded', async () => {
    await gates.person('ada', 'developer')
    await gates.person('dan', 'admin')
    await gates.addGate([testsRule()])
    await gates.tell()
    const [{ id }] = (await gates.decisions()) as [{ id: string }]
    const path = `POST /gate-decisions/${id}/override`
    const body = { comment: 'The shop is down' }
    expect((await gates.app.call('ada', path, { body })).status).toBe(403)
    expect((await gates.app.call('dan', path, { body: {} })).status).toBe(422)
    expect((await gates.app.ok('dan', path, { body })).body).toMatchObject({
      state: 'overridden',
      decidedBy: { name: 'dan' },
      comment: 'The shop is down',
    })
    await gates.work()
    expect(gates.waits.answers).toMatchObject([
      { state: 'approved', text: expect.stringContaining('dan let the deployment go on') },
    ])
    const events = await gates.app.test.asOwner(
      `select action, detail from audit_events where action like 'gate_decision.%'`,
      [],
    )
    expect(events).toMatchObject([
      { action: 'gate_decision.overridden', detail: { comment: 'The shop is down' } },
    ])
  })

  it('refuses a deployment at the word of an admin', async () => {
    await gates.person('dan', 'admin')
    await gates.addGate([people()])
    await gates.tell()
    const [{ id }] = (await gates.decisions()) as [{ id: string }]
    await gates.app.ok('dan', `POST /gate-decisions/${id}/refuse`, {
      body: { comment: 'Not today' },
    })
    await gates.work()
    expect(gates.waits.answers).toMatchObject([{ state: 'rejected' }])
  })
})

describe('a freeze', () => {
  it('holds deployments up until its time, whatever the gates say, and ends by itself', async () => {
    const until = new Date(gates.now().getTime() + 3_600_000).toISOString()
    const path = `/environments/${gates.production}/freeze`
    await gates.app.ok('admin', `PUT ${path}`, { body: { until, reason: 'Sale' } })
    expect((await gates.ask({}, {})).body).toMatchObject({
      state: 'waiting',
      reasons: [{ code: 'frozen', gateId: null }],
    })
    expect((await gates.app.ok('admin', 'GET /freezes')).body.items).toMatchObject([
      { reason: 'Sale', until },
    ])
    gates.passMs(3_590_000)
    await gates.work()
    expect((await gates.ask({}, {})).body.state).toBe('waiting')
    gates.passMs(11_000)
    await gates.work()
    expect((await gates.ask({}, {})).body.state).toBe('passed')
    expect((await gates.app.ok('admin', 'GET /freezes')).body.items).toEqual([])
  })

  it('ends when an admin ends it, and cannot lie behind', async () => {
    const path = `/environments/${gates.production}/freeze`
    const body = { until: '2020-01-01T00:00:00Z', reason: 'Sale' }
    expect((await gates.app.call('admin', `PUT ${path}`, { body })).status).toBe(422)
    const until = new Date(gates.now().getTime() + 3_600_000).toISOString()
    await gates.app.ok('admin', `PUT ${path}`, { body: { until, reason: 'Sale' } })
    await gates.app.ok('admin', `DELETE ${path}`)
    expect((await gates.ask({}, {})).body.state).toBe('passed')
  })
})

describe('gates', () => {
  it('are created, changed and deleted, and what waits for them is judged again', async () => {
    const id = await gates.addGate([people()], { name: 'People' })
    const { body } = await gates.ask({}, {})
    expect(body.state).toBe('waiting')
    const [gate] = (await gates.app.ok('m2m', 'GET /gates')).body.items
    expect(gate).toMatchObject({ id, name: 'People', revision: 1 })
    const { name, environmentIds, repositories, rules } = gate
    const changed = { name, environmentIds, repositories, rules, revision: 1, mode: 'watch' }
    await gates.app.ok('admin', `PUT /gates/${id}`, { body: changed })
    expect((await gates.app.call('admin', `PUT /gates/${id}`, { body: changed })).body.code).toBe(
      'revision_mismatch',
    )
    gates.passMs(4_000)
    await gates.work()
    expect((await gates.ask({}, {})).body).toMatchObject({
      state: 'passed',
      reasons: [{ code: 'approvals', state: 'waiting', isWatched: true }],
    })
    await gates.app.ok('admin', `DELETE /gates/${id}`)
    expect((await gates.app.call('admin', `DELETE /gates/${id}`)).status).toBe(404)
  })

  it('are refused what could never be met', async () => {
    const codes = []
    const window = { days: ['mon'], from: '18:00', to: '08:00', zone: 'Nowhere/None' }
    const wrong: object[] = [
      { ...testsRule(), environmentId: `env_${'0'.repeat(26)}` },
      { rule: 'freeze', windows: [window], exceptHotfix: false },
      people(1, [`usr_${'0'.repeat(26)}`]),
    ]
    for (const rule of wrong) {
      const body = {
        name: 'Wrong',
        environmentIds: [gates.production],
        repositories: [],
        mode: 'enforce',
        rules: [rule],
      }
      codes.push((await gates.app.call('admin', 'POST /gates', { body })).body.code)
    }
    expect(codes).toEqual(['validation_failed', 'validation_failed', 'validation_failed'])
    await gates.addGate([people()], { name: 'People' })
    const body = {
      name: 'people',
      environmentIds: [gates.production],
      repositories: [],
      mode: 'watch',
      rules: [people()],
    }
    expect((await gates.app.call('admin', 'POST /gates', { body })).body.code).toBe(
      'already_exists',
    )
  })
})

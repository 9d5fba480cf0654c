import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBuckets, countBuckets } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import { checkProofs } from '../proofs/watch-proofs.ts'
import { makeProtected, type Protected } from '../requests/testing/protected-app.ts'
import { openConfigApp, type Answer, type ConfigApp } from '../testing/open-config-app.ts'
import { advancePlans } from './advance-plans.ts'

let shared: ConfigApp
let app: ConfigApp
let world: Protected
let clock = 0

const minute = 60_000
const steps = [5, 25, 50, 100].map((percent) => ({ percent, holdMinutes: 60 }))

beforeAll(async () => {
  shared = await openConfigApp({ now: () => new Date(Date.now() + clock) })
})
afterAll(() => shared.close())
beforeEach(async () => {
  app = await shared.another()
  clock = 0
  world = await makeProtected(app)
})

/** Lets so many minutes pass, and whatever is due happen once. */
async function pass(minutes: number): Promise<void> {
  clock += minutes * minute
  await checkProofs(app.deps, app.orgId)
  await advancePlans(app.deps)
}

const create = (more: object = {}, as = 'ada', headers = {}): Promise<Answer> =>
  app.call(as, 'POST /rollout-plans', {
    headers,
    body: {
      schemaId: world.schemaId,
      environmentId: world.staging,
      flag: 'banner',
      steps,
      ...more,
    },
  })
const press = (id: string, button: string, as = 'ada'): Promise<Answer> =>
  app.call(as, `POST /rollout-plans/${id}/${button}`)
const read = async (id: string) => (await app.ok('viewer', `GET /rollout-plans/${id}`)).body

async function share(environmentId = world.staging): Promise<number | undefined> {
  const query = `schemaId=${world.schemaId}&environmentId=${environmentId}`
  const { values } = (await app.ok('m2m', `GET /config-values?${query}`)).body
  return values.banner.rules?.find(({ serve }: { serve: object }) => 'percent' in serve)?.serve
    .percent
}

const newest = async (environmentId = world.staging) =>
  (
    await app.ok(
      'viewer',
      `GET /config-versions?schemaId=${world.schemaId}&environmentId=${environmentId}`,
    )
  ).body.items[0]

async function addSignal() {
  const id = newId('sig', new Date())
  await app.test.asOwner(
    `insert into signals (org_id, id, name, kind, spec, created_at, updated_at, created_by)
      values ($1, $2, $2, 'http', '{"kind":"http","url":"https://x.example","expect":"2xx"}', now(), now(), '{}')`,
    [app.orgId, id],
  )
  return id
}

describe('a rollout plan', () => {
  it('begins its first step, and each next one after its hold, as versions by its name', async () => {
    const { body: plan } = await create()
    expect(plan).toMatchObject({ state: 'running', position: 0, startPercent: null })
    expect(await share()).toBe(5)
    expect(await newest()).toMatchObject({
      author: { type: 'system', name: 'Plan of ada' },
      comment: 'Step 1 of 4 of the rollout of banner: 5%',
    })
    await pass(59)
    expect(await share()).toBe(5)
    await pass(2)
    expect(await share()).toBe(25)
    await pass(61)
    await pass(61)
    expect(await share()).toBe(100)
    expect(await read(plan.id)).toMatchObject({ state: 'running', position: 3 })
    await pass(61)
    expect(await read(plan.id)).toMatchObject({ state: 'finished', nextAt: null })
  })

  it('takes one step after an outage, and holds for its whole time', async () => {
    const { body: plan } = await create()
    await pass(24 * 60)
    expect(await share()).toBe(25)
    await pass(59)
    expect(await share()).toBe(25)
    expect(await read(plan.id)).toMatchObject({ position: 1 })
  })

  it('takes a step once, however many nodes look', async () => {
    await create()
    clock += 61 * minute
    await Promise.all([1, 2, 3, 4].map(() => advancePlans(app.deps)))
    expect(await share()).toBe(25)
  })

  it('pauses when a person changes the flag, and resumes with its step', async () => {
    const { body: plan } = await create()
    const { rules } = (
      await app.ok(
        'm2m',
        `GET /config-values?schemaId=${world.schemaId}&environmentId=${world.staging}`,
      )
    ).body.values.banner
    const edited = rules.map((rule: object) => ({ ...rule, serve: { percent: 7 } }))
    await app.ok('ben', 'PUT /config-values', {
      body: {
        schemaId: world.schemaId,
        environmentId: world.staging,
        values: {},
        rules: { banner: edited },
      },
    })
    await pass(120)
    expect(await share()).toBe(7)
    expect(await read(plan.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'edited', detail: 'ben has changed the flag.' },
    })
    expect(await press(plan.id, 'resume')).toMatchObject({
      status: 200,
      body: { state: 'running' },
    })
    expect(await share()).toBe(5)
  })

  it('waits for somebody who approves where a step needs it, and its author does not', async () => {
    const waiting = [steps[0], { ...steps[1], approve: true }]
    const { body: plan } = await create({ steps: waiting })
    await pass(61)
    expect(await read(plan.id)).toMatchObject({ state: 'waiting', position: 0 })
    expect(await press(plan.id, 'next')).toMatchObject({ body: { code: 'own_request' } })
    expect(await press(plan.id, 'next', 'm2m')).toMatchObject({
      body: { code: 'session_required' },
    })
    expect(await press(plan.id, 'next', 'cleo')).toMatchObject({ status: 200 })
    expect(await share()).toBe(25)
  })

  it('goes back, stops and returns to the share from before', async () => {
    const { body: plan } = await create()
    await press(plan.id, 'next')
    expect(await share()).toBe(25)
    expect(await press(plan.id, 'back')).toMatchObject({ body: { state: 'paused', position: 0 } })
    expect(await share()).toBe(5)
    expect(await press(plan.id, 'restore')).toMatchObject({ body: { state: 'restored' } })
    expect(await share()).toBeUndefined()
    expect(await press(plan.id, 'next')).toMatchObject({ status: 409 })
    const { body: other } = await create()
    expect(await press(other.id, 'stop')).toMatchObject({ body: { state: 'stopped' } })
    expect(await share()).toBe(5)
  })

  it('is of a flag that no kill switch has turned off', async () => {
    const turn = (to: 'on' | 'off') =>
      app.ok('ada', 'POST /config-changes', {
        body: {
          schemaId: world.schemaId,
          changes: [{ environmentId: world.staging, turn: { banner: to } }],
        },
      })
    await turn('off')
    const refused = await create()
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject([{ pointer: '/flag' }])
    expect((await app.ok('viewer', 'GET /rollout-plans')).body.items).toEqual([])
    await turn('on')
    const { body: plan } = await create()
    await turn('off')
    for (const button of ['resume', 'next']) expect((await press(plan.id, button)).status).toBe(409)
    expect(await read(plan.id)).toMatchObject({ state: 'paused', position: 0 })
    await turn('on')
    expect((await press(plan.id, 'resume')).body.state).toBe('running')
  })

  it('is one at a time of a flag, of a flag that is on or off', async () => {
    await create()
    expect(await create()).toMatchObject({ status: 409, body: { code: 'already_exists' } })
    expect(await create({ flag: 'title' })).toMatchObject({ body: { code: 'type_mismatch' } })
    expect(await create({ flag: 'nothing' })).toMatchObject({ body: { code: 'unknown_key' } })
    expect(await create({ flag: 'checkout', steps: [steps[1], steps[0]] })).toMatchObject({
      status: 422,
    })
  })
})

describe('the steps of a plan are watched', () => {
  it('the next begins when the proof of the one before is proven', async () => {
    const signal = await addSignal()
    app.watched.readings.set(signal, { verdict: 'none', value: null, detail: null })
    const prove = {
      signals: [signal],
      minutes: 5,
      failures: '1 of 1',
      noData: 'hold',
      onFailure: 'restore',
    }
    const { body: plan } = await create({ prove })
    app.watched.readings.set(signal, { verdict: 'good', value: 1, detail: null })
    for (let at = 0; at < 68; at += 1) await pass(0.9)
    expect(await read(plan.id)).toMatchObject({
      position: 1,
      steps: [{ proof: { state: 'proven' } }, {}, {}, {}],
    })
    app.watched.readings.set(signal, { verdict: 'bad', value: 9, detail: 'was 9, above 2' })
    await pass(1)
    expect(await share()).toBe(5)
    await pass(1)
    expect(await read(plan.id)).toMatchObject({ state: 'restored', reason: { code: 'failed' } })
  })

  it('and the plan pauses where a step has no result', async () => {
    const signal = await addSignal()
    const prove = {
      signals: [signal],
      minutes: 5,
      failures: '1 of 1',
      noData: 'hold',
      onFailure: 'restore',
    }
    const { body: plan } = await create({ prove })
    for (let at = 0; at < 24; at += 1) await pass(0.25)
    expect(await read(plan.id)).toMatchObject({ state: 'paused', reason: { code: 'undecided' } })
  })
})

describe('a plan in an environment that needs approvals', () => {
  const protectedPlan = (as = 'ada', more = {}) => ({
    environmentId: world.production,
    ...more,
    as,
  })

  it('waits for them as a whole, also where its first step changes nothing', async () => {
    const { as, ...plan } = protectedPlan()
    expect(await create(plan, as)).toMatchObject({
      status: 409,
      body: { code: 'approval_required' },
    })
    const asked = await create(plan, as, { prefer: 'respond-async' })
    expect(asked).toMatchObject({ status: 202, body: { kind: 'plan' } })
    expect(await share(world.production)).toBeUndefined()
    await world.review('cleo', asked.body.id)
    await app.ok('ada', `POST /change-requests/${asked.body.id}/apply`)
    expect(await share(world.production)).toBe(5)
    await pass(61)
    expect(await share(world.production)).toBe(25)
    const [running] = (await app.ok('viewer', 'GET /rollout-plans?state=active')).body.items
    await press(running.id, 'stop')
    const same = {
      ...plan,
      steps: [
        { percent: 25, holdMinutes: 0 },
        { percent: 100, holdMinutes: 0 },
      ],
    }
    expect(await create(same, as)).toMatchObject({
      status: 409,
      body: { code: 'approval_required' },
    })
  })

  it('does not reach an environment that inherits the flag only since it was made', async () => {
    const { body: plan } = await create()
    await app.ok(
      'developer',
      `DELETE /config-values?schemaId=${world.schemaId}&environmentId=${world.staging}&key=title`,
    )
    const parent = {
      kind: 'environment',
      environmentId: world.production,
      body: { parentId: world.staging },
    }
    await world.carryOut({ title: 'Inherit', operation: parent })
    await world.carryOut({
      title: 'Inherit the banner',
      operation: {
        kind: 'values',
        body: {
          schemaId: world.schemaId,
          changes: [{ environmentId: world.production, unset: ['banner'] }],
        },
      },
    })
    expect(await share(world.production)).toBe(5)
    await pass(61)
    expect(await share(world.production)).toBe(5)
    expect(await read(plan.id)).toMatchObject({ state: 'paused', reason: { code: 'policy' } })
    expect(await press(plan.id, 'resume')).toMatchObject({ status: 200 })
    expect(await press(plan.id, 'next')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await share(world.production)).toBe(5)
  })

  it('does not go on past a policy that asks for more than it has', async () => {
    const { body: plan } = await create()
    await app.ok('admin', `PATCH /environments/${world.staging}`, {
      body: { protection: { approvals: 1 } },
    })
    expect(await press(plan.id, 'next')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await pass(61)
    expect(await share()).toBe(5)
    expect(await read(plan.id)).toMatchObject({ state: 'paused', reason: { code: 'policy' } })
  })
})

it('whoever is in at a step stays in at the next: 100,000 users and 20 plans', () => {
  const out: string[] = []
  for (let flag = 0; flag < 20; flag += 1) {
    const bucketOf = createBuckets('sch_01', `flag${flag}`)
    const shares = [1 + flag / 10, 10 + flag, 50, 100].map(countBuckets)
    for (let user = 0; user < 100_000; user += 1) {
      const bucket = bucketOf(`user-${user}`)
      const isIn = shares.map((below) => bucket < below)
      if (isIn.some((is, at) => !is && (isIn[at - 1] ?? false))) out.push(`user-${user}`)
    }
  }
  expect(out).toEqual([])
})

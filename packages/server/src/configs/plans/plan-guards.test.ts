import { Problem } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Statement, Tx } from '../../store/store.ts'
import { newId } from '../../crypto/ids.ts'
import { buildKey, openConfigApp, type Answer, type ConfigApp } from '../testing/open-config-app.ts'
import { checkProofs } from '../proofs/watch-proofs.ts'
import { makeProtected, type Protected } from '../requests/testing/protected-app.ts'
import { advancePlans, type PlanDeps } from './advance-plans.ts'
import { nextMove } from './plan.ts'

let shared: ConfigApp
let app: ConfigApp
let world: Protected
let clock = 0

const minute = 60_000
const toSteps = (...percents: number[]) => percents.map((percent) => ({ percent, holdMinutes: 60 }))
const steps = toSteps(5, 25, 50, 100)

beforeAll(async () => {
  shared = await openConfigApp({ now: () => new Date(Date.now() + clock) })
})
afterAll(() => shared.close())
beforeEach(async () => {
  app = await shared.another()
  clock = 0
  world = await makeProtected(app)
})

async function pass(minutes: number): Promise<void> {
  clock += minutes * minute
  await checkProofs(app.deps, app.orgId)
  await advancePlans(app.deps)
}

const bodyOf = (more: object) => ({
  schemaId: world.schemaId,
  environmentId: world.staging,
  flag: 'banner',
  steps,
  ...more,
})
const create = (more: object = {}, as = 'ada'): Promise<Answer> =>
  app.call(as, 'POST /rollout-plans', { body: bodyOf(more) })
const press = (id: string, button: string, as = 'ada'): Promise<Answer> =>
  app.call(as, `POST /rollout-plans/${id}/${button}`)
const read = async (id: string) => (await app.ok('viewer', `GET /rollout-plans/${id}`)).body
const buttons = ['pause', 'resume', 'next', 'back', 'stop', 'restore']

async function rulesIn(environmentId: string) {
  const query = `schemaId=${world.schemaId}&environmentId=${environmentId}`
  const { values } = (await app.ok('m2m', `GET /config-values?${query}`)).body
  return values.banner?.rules ?? []
}
const share = async (environmentId = world.staging): Promise<number | undefined> =>
  (await rulesIn(environmentId)).find(({ serve }: { serve: object }) => 'percent' in serve)?.serve
    .percent

const putRules = (environmentId: string, rules: object[] | null, as = 'ben', headers = {}) =>
  app.call(as, 'PUT /config-values', {
    headers,
    body: { schemaId: world.schemaId, environmentId, values: {}, rules: { banner: rules } },
  })

/** Changes the flag of production as people have approved it. */
async function putApproved(rules: object[]): Promise<void> {
  const { body } = await putRules(world.production, rules, 'ben', { prefer: 'respond-async' })
  await world.review('cleo', body.id)
  await app.ok('ben', `POST /change-requests/${body.id}/apply`)
}

/** Makes a plan of production that people have approved. */
async function approvePlan(more: object = {}): Promise<string> {
  const body = bodyOf({ environmentId: world.production, ...more })
  await world.carryOut({ title: 'roll out', operation: { kind: 'plan', body } })
  return (await app.ok('viewer', 'GET /rollout-plans?state=active')).body.items[0].id
}

const prove = (signal: string) => ({
  signals: [signal],
  minutes: 5,
  failures: '1 of 1',
  noData: 'hold',
  onFailure: 'restore',
})

async function addSignal() {
  const id = newId('sig', new Date())
  await app.test.asOwner(
    `insert into signals (org_id, id, name, kind, spec, created_at, updated_at, created_by)
      values ($1, $2, $2, 'http', '{"kind":"http","url":"https://x.example","expect":"2xx"}', now(), now(), '{}')`,
    [app.orgId, id],
  )
  app.watched.readings.set(id, { verdict: 'good', value: 1, detail: null })
  return id
}

describe('nobody moves what readers of a protected environment get', () => {
  it('by resuming a plan that was paused when the flag was changed', async () => {
    const id = await approvePlan()
    await press(id, 'pause')
    const rules = await rulesIn(world.production)
    await putApproved(rules.map((rule: object) => ({ ...rule, serve: { percent: 0 } })))
    for (const button of ['resume', 'next', 'back', 'restore'])
      expect([button, (await press(id, button)).status]).toEqual([button, 409])
    await pass(120)
    expect(await share(world.production)).toBe(0)
    expect(await read(id)).toMatchObject({ state: 'paused', reason: { code: 'edited' } })
  })

  it('by a plan of the environment that it inherits from, made before it needed approvals', async () => {
    const child = await app.addEnvironment('below', world.staging)
    const { body: plan } = await create()
    expect(await share(child)).toBe(5)
    await app.ok('admin', `PATCH /environments/${child}`, {
      body: { protection: { approvals: 1 } },
    })
    for (const button of ['next', 'restore'])
      expect([button, (await press(plan.id, button)).status]).toEqual([button, 409])
    await pass(61)
    expect(await share(child)).toBe(5)
    expect(await read(plan.id)).toMatchObject({ state: 'paused', reason: { code: 'policy' } })
    await press(plan.id, 'stop')
    expect((await create({ steps: toSteps(5, 6) })).body.code).toBe('approval_required')
  })

  it('by a plan that changes nothing when it is made, and something once the flag is another', async () => {
    await putApproved([{ when: [], serve: { percent: 100 } }])
    const same = { environmentId: world.production, steps: toSteps(100) }
    expect((await create(same)).body.code).toBe('approval_required')
  })

  it('by a plan whose step its proof has taken back, paused before or not', async () => {
    const signal = await addSignal()
    const id = await approvePlan({ prove: prove(signal) })
    await press(id, 'pause')
    app.watched.readings.set(signal, { verdict: 'bad', value: 9, detail: 'was 9, above 2' })
    clock += minute
    await checkProofs(app.deps, app.orgId)
    expect(await share(world.production)).toBeUndefined()
    for (const button of ['resume', 'next', 'back'])
      expect([button, (await press(id, button)).status]).toEqual([button, 409])
    await advancePlans(app.deps)
    expect(await read(id)).toMatchObject({ state: 'restored', reason: { code: 'failed' } })
    expect(await share(world.production)).toBeUndefined()
  })

  it('by approving the steps of a plan that they have written a part of', async () => {
    const body = bodyOf({
      environmentId: world.production,
      steps: [steps[0], { ...steps[1], approve: true }],
    })
    const operation = { kind: 'plan', body }
    const { body: asked } = await app.ok('ada', 'POST /change-requests', {
      body: { title: 'roll out', operation },
    })
    await app.ok('dan', `PUT /change-requests/${asked.id}`, {
      headers: { 'if-match': '"1"' },
      body: { title: 'roll out', operation },
    })
    await world.review('cleo', asked.id, 'approve', 2)
    await app.ok('ada', `POST /change-requests/${asked.id}/apply`)
    const { id } = (await app.ok('viewer', 'GET /rollout-plans?state=active')).body.items[0]
    await pass(61)
    for (const as of ['ada', 'dan'])
      expect([as, (await press(id, 'next', as)).body.code]).toEqual([as, 'own_request'])
    expect(await press(id, 'next', 'cleo')).toMatchObject({ status: 200 })
  })

  it('by a plan whose author has left, unless others have approved it or somebody goes on with it', async () => {
    const approved = await approvePlan()
    const { body: plan } = await create()
    await app.test.asOwner('delete from members where org_id = $1 and user_id = $2', [
      app.orgId,
      world.ids.ada,
    ])
    await pass(61)
    expect(await share()).toBe(5)
    expect(await read(plan.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'author_left' },
    })
    expect(await share(world.production)).toBe(25)
    expect(await read(approved)).toMatchObject({ state: 'running' })
    const resumed = await press(plan.id, 'resume', 'ben')
    expect(resumed).toMatchObject({ status: 200, body: { author: { name: 'ben' } } })
    await pass(61)
    expect(await share()).toBe(25)
  })

  it('by a first step that waits for nobody, by templates, or by applying the request again', async () => {
    expect(await create({ steps: [{ percent: 5, holdMinutes: 0, approve: true }] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/steps/0/approve' }] },
    })
    const template = { name: 'Careful', steps }
    await app.ok('ada', 'POST /release-templates', { body: template })
    expect(await app.call('ada', 'POST /release-templates', { body: template })).toMatchObject({
      body: { code: 'already_exists' },
    })
    const id = await approvePlan()
    await press(id, 'stop')
    const [request] = (await app.ok('viewer', 'GET /change-requests')).body.items
    expect((await app.call('ada', `POST /change-requests/${request.id}/apply`)).status).toBe(409)
    expect(await share(world.production)).toBe(5)
    expect((await app.ok('viewer', 'GET /rollout-plans?state=active')).body.items).toEqual([])
  })

  it('by a plan in steps that lower, and whoever has approved one sees its last step', async () => {
    await putApproved([{ when: [], serve: { percent: 50 } }])
    const lowered = { environmentId: world.production, steps: toSteps(10, 50) }
    expect((await create(lowered)).body.code).toBe('approval_required')
    const body = bodyOf({ environmentId: world.production, steps: toSteps(60, 70) })
    const asked = await app.ok('ada', 'POST /change-requests', {
      body: { title: 'more', operation: { kind: 'plan', body } },
    })
    expect(JSON.stringify(asked.body.effects)).toContain('{"percent":70}')
  })
})

describe('who may', () => {
  it('write with a plan is whoever may write there: no viewer, no key of another environment, no other organization', async () => {
    const { body: plan } = await create()
    app.setActor('elsewhere', buildKey(app.orgId, 'm2m', { environmentIds: [world.production] }))
    const other = await shared.another()
    for (const button of buttons) {
      expect([button, (await press(plan.id, button, 'viewer')).status]).toEqual([button, 403])
      expect([button, (await press(plan.id, button, 'elsewhere')).status]).toEqual([button, 404])
      const across = await other.call('owner', `POST /rollout-plans/${plan.id}/${button}`)
      expect([button, across.status]).toEqual([button, 404])
    }
    expect((await create({}, 'viewer')).status).toBe(403)
    expect((await create({}, 'elsewhere')).status).toBe(403)
    expect((await app.ok('elsewhere', 'GET /rollout-plans')).body.items).toEqual([])
    expect((await other.call('owner', 'GET /rollout-plans')).body.items).toEqual([])
    expect((await read(plan.id)).may).toEqual(Object.fromEntries(buttons.map((b) => [b, false])))
    expect(await share()).toBe(5)
    expect(await read(plan.id)).toMatchObject({ state: 'running', position: 0 })
  })
})

/** Returns dependencies whose transactions end before their n-th statement. */
function endingBefore(deps: PlanDeps, n: number): PlanDeps {
  let count = 0
  const counted = (statement: Statement) => {
    count += 1
    if (count === n) throw new Error('The process has ended')
    return statement
  }
  const wrap = (tx: Tx): Tx => ({
    ...tx,
    query: async (statement) => tx.query(counted(statement)),
    send: (statement) => {
      tx.send(counted(statement))
    },
    atCommit: (statement) => {
      tx.atCommit(counted(statement))
    },
  })
  const store: PlanDeps['store'] = {
    ...deps.store,
    announce: () => undefined,
    maintenance: (work) => deps.store.maintenance(work),
    transaction: (scope, work) => deps.store.transaction(scope, (tx) => work(wrap(tx))),
  }
  return { ...deps, store }
}

describe('a step', () => {
  it('is begun whole or not at all, before whichever of its statements the process ends', async () => {
    const signal = await addSignal()
    const { body: plan } = await create({ prove: prove(signal) })
    for (let at = 0; at < 8; at += 1) {
      clock += 0.9 * minute
      await checkProofs(app.deps, app.orgId)
    }
    clock += 60 * minute
    // Only its statements are counted.
    await app.test.asOwner(`update rollout_plans set state = 'stopped' where id <> $1`, [plan.id])
    let ended = 0
    for (let n = 1; ; n += 1) {
      const isDone = await advancePlans(endingBefore(app.deps, n)).then(
        () => true,
        () => false,
      )
      const { position, steps: now } = await read(plan.id)
      expect([n, position, await share(), now[1].proof?.state]).toEqual(
        isDone ? [n, 1, 25, 'watching'] : [n, 0, 5, undefined],
      )
      if (isDone) break
      ended += 1
    }
    expect(ended).toBeGreaterThan(10)
  })

  it('begins once, whoever presses and however many nodes look at the same time', async () => {
    const { body: plan } = await create({ steps: toSteps(5, 25, 50) })
    clock += 61 * minute
    const nodes = Promise.all([1, 2, 3].map(() => advancePlans(app.deps)))
    const presses = ['ada', 'ben', 'cleo'].map((as) => press(plan.id, 'pause', as))
    await Promise.all([nodes, ...presses])
    const { state, position } = await read(plan.id)
    expect(state).toBe('paused')
    expect(await share()).toBe(position === 0 ? 5 : 25)
    const query = `schemaId=${world.schemaId}&environmentId=${world.staging}`
    const { items } = (await app.ok('viewer', `GET /config-versions?${query}`)).body
    const made = items.filter(({ author }: { author: { id: string } }) => author.id === plan.id)
    expect(made).toHaveLength(position + 1)
  })

  it('begins no sooner for a clock that jumps back and forth, one at a time', async () => {
    const { body: plan } = await create()
    const positions: number[] = []
    for (const minutes of [59, -200, 100, 43_200, 1, -30, 59, -20_000, 19_000, 59]) {
      const before = (await read(plan.id)).position
      await pass(minutes)
      const { position } = await read(plan.id)
      positions.push(position)
      expect(position - before).toBeLessThanOrEqual(1)
    }
    // Neither the jump over thirty days nor the way back takes more than the step that was due.
    expect(positions).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
  })

  it('does not begin while the proof of the step before goes on, however long its hold is over', () => {
    const plan = { steps: toSteps(5, 25), position: 0, nextAt: new Date(0) }
    const named = plan.steps.map((step) => ({ ...step, at: null, versionId: null }))
    const proof = { state: 'watching', isRestored: false, detail: '' } as const
    const after = (state: 'watching' | 'proven') =>
      nextMove({ ...plan, steps: named }, { ...proof, state }, new Date())
    expect(after('watching')).toBeUndefined()
    expect(after('proven')).toEqual({ kind: 'step', position: 1 })
  })

  it('control: without its whole hold after an outage, the steps would be made up for', () => {
    const start = new Date('2026-01-01T00:00:00Z')
    const outage = new Date(start.getTime() + 24 * 60 * minute)
    const take = (holdFrom: (due: Date) => Date) => {
      let position = 0
      let nextAt = new Date(start.getTime() + 60 * minute)
      const rows = steps.map((step) => ({ ...step, at: null, versionId: null }))
      for (let looks = 0; looks < 10; looks += 1) {
        const move = nextMove({ steps: rows, position, nextAt }, undefined, outage)
        if (move?.kind !== 'step') break
        position = move.position
        nextAt = new Date(holdFrom(nextAt).getTime() + 60 * minute)
      }
      return position
    }
    expect(take(() => outage)).toBe(1)
    expect(take((due) => due)).toBe(3)
  })
})

describe('a plan whose flag changes beneath it', () => {
  it('stops where its rule is gone, and no button brings the rule back', async () => {
    const { body: plan } = await create()
    await putRules(world.staging, null)
    for (const button of ['back', 'restore'])
      expect([button, (await press(plan.id, button)).status]).toEqual([button, 409])
    expect(await press(plan.id, 'resume')).toMatchObject({
      body: { state: 'stopped', reason: { code: 'gone' } },
    })
    expect(await share()).toBeUndefined()
  })

  it('stops where the flag is gone, and goes with its schema or environment', async () => {
    const { body: plan } = await create()
    const { banner: _banner, ...schema } = world.schema
    const put = (keys: object) =>
      world.carryOut({
        title: 'declare',
        operation: {
          kind: 'schema',
          schemaId: world.schemaId,
          body: { schema: keys, force: true },
        },
      })
    await put(schema)
    await pass(61)
    expect((await read(plan.id)).state).not.toBe('running')
    await press(plan.id, 'resume')
    expect(await read(plan.id)).toMatchObject({ state: 'stopped', reason: { code: 'gone' } })

    const other = await app.addEnvironment('short-lived')
    await world.set('m2m', { title: 'x', stripeKey: 'y', checkout: true }, other)
    const lived = await create({ environmentId: other, flag: 'checkout' })
    expect(lived.status).toBe(201)
    await app.ok('admin', `DELETE /environments/${other}?force=true`)
    await pass(61)
    expect((await app.call('viewer', `GET /rollout-plans/${lived.body.id}`)).status).toBe(404)
  })

  it('pauses where a step is refused', async () => {
    const { body: plan } = await create()
    await app.test.asOwner(`update rollout_plans set state = 'stopped' where id <> $1`, [plan.id])
    clock += 61 * minute
    const signer = () => {
      throw new Problem('quota_exceeded', 'It is full.')
    }
    await advancePlans({ ...app.deps, publisherKeys: { ...app.deps.publisherKeys, signer } })
    expect(await read(plan.id)).toMatchObject({
      state: 'paused',
      position: 0,
      reason: { code: 'refused' },
    })
  })

  it('fails alone where the service itself is at fault', async () => {
    const { body: broken } = await create()
    const { body: fine } = await create({ flag: 'checkout' })
    await app.test.asOwner(`update rollout_plans set steps = '[7, null]' where id = $1`, [
      broken.id,
    ])
    clock += 61 * minute
    await expect(advancePlans(app.deps)).rejects.toThrow('Some plans could not go on')
    expect(await read(fine.id)).toMatchObject({ position: 1 })
  })
})

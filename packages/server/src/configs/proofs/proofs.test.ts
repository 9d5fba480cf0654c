import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProofTerms } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import { makeProtected, type Protected } from '../requests/testing/protected-app.ts'
import type { Reading } from '../signals/signal.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import { checkProofs } from './watch-proofs.ts'

let shared: ConfigApp
let app: ConfigApp
let world: Protected
let clock = 0
let signalId = ''

const minute = 60_000

/** Looks at the proofs so many milliseconds after the last look. */
async function look(afterMs = 15_000): Promise<void> {
  clock += afterMs
  await checkProofs(app.deps, app.orgId)
}

const says = (verdict: 'good' | 'bad' | 'none', id = signalId) =>
  app.watched.readings.set(id, { verdict, value: 4.2, detail: 'was 4.2, above 2' })

const termsOf = (more: Partial<ProofTerms> = {}): ProofTerms => ({
  signals: [signalId],
  minutes: 5,
  failures: '2 of 3',
  noData: 'hold',
  onFailure: 'restore',
  ...more,
})

async function addSignal(spec: object = { kind: 'http', url: 'https://x.example', expect: '2xx' }) {
  const id = newId('sig', new Date())
  await app.test.asOwner(
    `insert into signals (org_id, id, name, kind, spec, created_at, updated_at, created_by)
      values ($1, $2, $2, $3, $4, now(), now(), '{}')`,
    [app.orgId, id, Reflect.get(spec, 'kind'), JSON.stringify(spec)],
  )
  return id
}

const write = (values: object, prove: object | null = termsOf(), environmentId = world.staging) =>
  app.call('developer', 'PUT /config-values', {
    body: { schemaId: world.schemaId, environmentId, values, ...(prove && { prove }) },
  })

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
async function proofs(query = ''): Promise<any[]> {
  return (await app.ok('viewer', `GET /proofs?${query}`)).body.items
}

const newest = async () => (await proofs())[0]

beforeAll(async () => {
  shared = await openConfigApp({ now: () => new Date(Date.now() + clock) })
})
afterAll(() => shared.close())
beforeEach(async () => {
  app = await shared.another()
  app.watched.deployed.length = 0
  app.watched.tests.length = 0
  clock = 0
  world = await makeProtected(app)
  signalId = await addSignal()
})

describe('a watched change', () => {
  it('is proven when its time is over and its signals were good', async () => {
    await write({ title: 'Two' })
    says('good')
    await look()
    expect(await newest()).toMatchObject({ state: 'watching', keys: ['title'] })
    for (let at = 0; at < 21; at += 1) await look()
    expect(await newest()).toMatchObject({ state: 'proven', restoredVersions: [] })
    expect((await world.read(world.staging)).title).toBe('Two')
  })

  it('goes back where enough of the last readings are bad, and says why', async () => {
    await write({ title: 'Two', subtitle: 'New' })
    says('bad')
    await look()
    expect((await world.read(world.staging)).title).toBe('Two')
    says('good')
    await look()
    says('bad')
    await look()
    expect(await world.read(world.staging)).toMatchObject({ title: 'One', subtitle: 'Sub' })
    const ended = await newest()
    expect(ended).toMatchObject({
      state: 'failed',
      reason: { code: 'signal', signal: signalId, detail: `${signalId} was 4.2, above 2` },
      restoredVersions: [{ environment: 'staging', version: 4, keys: ['subtitle', 'title'] }],
      notRestored: null,
    })
    const [version] = (
      await app.ok(
        'viewer',
        `GET /config-versions?schemaId=${world.schemaId}&environmentId=${world.staging}`,
      )
    ).body.items
    expect(version).toMatchObject({
      kind: 'restore',
      author: { type: 'system' },
      comment: `Taken back by its proof: ${signalId} was 4.2, above 2`,
    })
    expect(await proofs('state=watching')).toEqual([])
  })

  it('is never taken back by missing data, and is undecided with it', async () => {
    await write({ title: 'Two' })
    says('none')
    for (let at = 0; at < 25; at += 1) await look()
    expect(await newest()).toMatchObject({ state: 'inconclusive', reason: { code: 'no_data' } })
    expect((await world.read(world.staging)).title).toBe('Two')
  })

  it('is proven without a silent signal where its terms let that pass, and never by nothing at all', async () => {
    const other = await addSignal()
    says('good', other)
    await write({ title: 'Two' }, termsOf({ noData: 'pass', signals: [signalId, other] }))
    for (let at = 0; at < 25; at += 1) await look()
    expect(await newest()).toMatchObject({ state: 'proven' })
    await write({ title: 'Three' }, termsOf({ noData: 'pass' }))
    for (let at = 0; at < 25; at += 1) await look()
    expect(await newest()).toMatchObject({ state: 'inconclusive' })
  })

  it('is watched for its whole time, however long nobody could look', async () => {
    await write({ title: 'Two' })
    says('good')
    await look()
    await look(60 * minute)
    expect(await newest()).toMatchObject({ state: 'watching' })
    for (let at = 0; at < 21; at += 1) await look()
    expect(await newest()).toMatchObject({ state: 'proven' })
  })

  it('is only told where its terms say so', async () => {
    await write({ title: 'Two' }, termsOf({ onFailure: 'tell' }))
    says('bad')
    for (let at = 0; at < 3; at += 1) await look()
    expect(await newest()).toMatchObject({ state: 'failed', notRestored: { code: 'tell' } })
    expect((await world.read(world.staging)).title).toBe('Two')
  })

  it('is undecided once something is deployed there', async () => {
    await write({ title: 'Two' })
    says('bad')
    await look()
    app.watched.deployed.push({ environmentId: world.staging, at: new Date(Date.now() + clock) })
    await look()
    expect(await newest()).toMatchObject({ state: 'inconclusive', reason: { code: 'deployment' } })
    expect((await world.read(world.staging)).title).toBe('Two')
  })

  it('asks few signals at the same time, each once', async () => {
    const answers: (() => void)[] = []
    const read = () =>
      new Promise<Reading>((resolve) => {
        answers.push(() => resolve({ verdict: 'good', value: 1, detail: 'was 1' }))
      })
    for (const name of ['first', 'second', 'third']) {
      const { body } = await app.ok('admin', 'POST /environments', { body: { name } })
      const mine = await Promise.all(Array.from({ length: 5 }, () => addSignal()))
      await write({ title: name }, termsOf({ signals: mine }), body.id)
    }
    const looking = checkProofs({ ...app.deps, signalReader: { read } }, app.orgId)
    await expect.poll(() => answers.length).toBe(10)
    // Nothing more is asked before one has answered.
    await app.ok('viewer', 'GET /proofs')
    expect(answers).toHaveLength(10)
    for (let at = 0; at < 15; at += 1) {
      await expect.poll(() => answers.length).toBeGreaterThan(at)
      answers[at]?.()
    }
    await looking
    expect(answers).toHaveLength(15)
    expect(
      (await proofs()).flatMap((each) =>
        each.signals.map((signal: { good: number }) => signal.good),
      ),
    ).toEqual(Array.from({ length: 15 }, () => 1))
  })

  it('needs a signal that is there', async () => {
    const answer = await write({ title: 'Two' }, termsOf({ signals: [newId('sig', new Date())] }))
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/prove/signals/0' }] },
    })
    expect((await world.read(world.staging)).title).toBe('One')
  })
})

describe('a failed change', () => {
  const fail = async () => {
    says('bad')
    await look()
    await look()
  }

  it('leaves the keys of others, and what a person has decided since', async () => {
    await write({ title: 'Two', subtitle: 'New' })
    await write({ subtitle: 'Newer', banner: false }, null)
    await fail()
    expect(await world.read(world.staging)).toMatchObject({
      title: 'One',
      subtitle: 'Newer',
      banner: false,
    })
    expect(await newest()).toMatchObject({
      state: 'failed',
      notRestored: { code: 'touched', keys: ['subtitle'] },
      restoredVersions: [{ keys: ['title'] }],
    })
  })

  it('is not taken back twice in an hour, and again after it', async () => {
    await write({ title: 'Two' })
    await fail()
    await write({ title: 'Three' })
    await fail()
    expect(await newest()).toMatchObject({ state: 'failed', notRestored: { code: 'hour' } })
    expect((await world.read(world.staging)).title).toBe('Three')
    says('good')
    await look(61 * minute)
    await write({ title: 'Four' })
    await fail()
    expect((await world.read(world.staging)).title).toBe('Three')
  })

  it('never turns a flag on again that a kill switch turned off', async () => {
    await app.ok('developer', 'POST /config-changes', {
      body: {
        schemaId: world.schemaId,
        changes: [
          { environmentId: world.staging, set: { title: 'Two' }, turn: { checkout: 'off' } },
        ],
        prove: termsOf(),
      },
    })
    await fail()
    expect(await world.read(world.staging)).toMatchObject({ title: 'One' })
    expect(await newest()).toMatchObject({
      notRestored: { code: 'kill_switch', keys: ['checkout'] },
    })
  })

  it('goes back where it was made, with what inherits from there', async () => {
    const eu = await app.addEnvironment('eu', world.staging)
    await write({ title: 'Base', subtitle: 'Own' }, null, eu)
    await app.ok(
      'developer',
      `DELETE /config-values?schemaId=${world.schemaId}&environmentId=${eu}&key=title`,
    )
    await write({ title: 'Two' })
    const watching = await proofs('state=watching')
    expect(new Set(watching.map(({ subject }) => subject.environment))).toEqual(
      new Set(['eu', 'staging']),
    )
    await fail()
    expect((await world.read(eu)).title).toBe('One')
    const codes = (await proofs()).map(({ state, reason }) => `${state} ${reason.code}`)
    expect(new Set(codes)).toEqual(new Set(['failed origin', 'failed signal']))
    // The child holds nothing of its own.
    const own = (
      await app.ok('m2m', `GET /config-values?schemaId=${world.schemaId}&environmentId=${eu}`)
    ).body
    expect(own.values.title).toMatchObject({ source: 'inherited' })
  })

  it('stays where an environment inherits it only since then, and needs its people', async () => {
    await write({ title: 'Two' })
    const parent = {
      kind: 'environment',
      environmentId: world.production,
      body: { parentId: world.staging },
    }
    await world.carryOut({ title: 'Inherit', operation: parent })
    await world.carryOut({
      title: 'Inherit the title',
      operation: {
        kind: 'values',
        body: {
          schemaId: world.schemaId,
          changes: [{ environmentId: world.production, unset: ['title'] }],
        },
      },
    })
    await fail()
    expect((await world.read()).title).toBe('Two')
    expect(await newest()).toMatchObject({ state: 'failed', notRestored: { code: 'refused' } })
  })

  it('is only told where a person has gone back to an earlier version', async () => {
    await write({ title: 'Two' }, null)
    const of = `schemaId=${world.schemaId}&environmentId=${world.staging}`
    const [, before] = (await app.ok('viewer', `GET /config-versions?${of}`)).body.items
    await app.ok('developer', `POST /config-versions/${before.id}/restore`, {
      body: { prove: termsOf() },
    })
    await fail()
    expect((await world.read(world.staging)).title).toBe('One')
    expect(await newest()).toMatchObject({ state: 'failed', notRestored: { code: 'tell' } })
  })

  it('is only told where a schema made it', async () => {
    await app.ok('admin', `PATCH /environments/${world.staging}`, {
      body: { protection: { prove: termsOf() } },
    })
    await app.ok('developer', `PUT /config-schemas/${world.schemaId}`, {
      body: {
        schema: { ...world.schema, footer: { type: 'string', tier: 'public', default: 'F' } },
      },
    })
    await app.ok('developer', `PUT /config-schemas/${world.schemaId}`, {
      body: {
        schema: { ...world.schema, footer: { type: 'string', tier: 'public', default: 'G' } },
      },
      headers: { prefer: 'respond-async' },
    })
    await fail()
    const [first] = await proofs('state=failed')
    expect(first).toMatchObject({ notRestored: { code: 'not_values' } })
  })
})

describe('a later change', () => {
  it('is judged first, and the earlier one goes on for its remaining time when it went back', async () => {
    await write({ title: 'Two' })
    says('good')
    for (let at = 0; at < 12; at += 1) await look()
    await write({ subtitle: 'New' })
    const [later, earlier] = await proofs()
    expect(earlier).toMatchObject({ state: 'watching', waitsFor: later.id })
    says('bad')
    await look()
    await look()
    expect((await proofs())[0]).toMatchObject({ id: later.id, state: 'failed' })
    says('good')
    for (let at = 0; at < 7; at += 1) await look()
    expect((await proofs())[1]).toMatchObject({ state: 'watching', waitsFor: null })
    for (let at = 0; at < 3; at += 1) await look()
    expect((await proofs())[1]).toMatchObject({ state: 'proven' })
    expect(await world.read(world.staging)).toMatchObject({ title: 'Two', subtitle: 'Sub' })
  })

  it('proves the earlier one with it', async () => {
    await write({ title: 'Two' })
    await write({ subtitle: 'New' })
    says('good')
    for (let at = 0; at < 25; at += 1) await look()
    expect((await proofs()).map(({ state }) => state)).toEqual(['proven', 'proven'])
  })

  it('leaves the earlier one undecided where it failed and stays', async () => {
    await write({ title: 'Two' })
    await write({ subtitle: 'New' }, termsOf({ onFailure: 'tell' }))
    says('bad')
    for (let at = 0; at < 3; at += 1) await look()
    expect((await proofs()).map(({ state }) => state)).toEqual(['failed', 'inconclusive'])
  })
})

describe('tests as a signal', () => {
  let ruleKey = ''
  beforeEach(async () => {
    signalId = await addSignal({
      kind: 'tests',
      repository: 'acme/shop',
      workflow: 'e2e.yml',
      deadlineMinutes: 9,
    })
    await write({ title: 'Two' })
    ruleKey = `proof:${(await newest()).id}:${signalId}:0`
  })
  const run = (outcome: 'passed' | 'failed' | 'none' | 'pending') => {
    app.watched.tests.splice(0, 1, {
      ruleKey,
      runId: newId('run', new Date()),
      outcome,
      detail: null,
    })
  }

  it('fail the change alone', async () => {
    run('failed')
    await look()
    expect(await newest()).toMatchObject({ state: 'failed', reason: { code: 'tests' } })
    expect((await world.read(world.staging)).title).toBe('One')
  })

  it('are waited for, past the end of the time', async () => {
    run('pending')
    for (let at = 0; at < 30; at += 1) await look()
    expect(await newest()).toMatchObject({ state: 'watching' })
    run('passed')
    await look()
    expect(await newest()).toMatchObject({ state: 'proven' })
  })

  it('say nothing where they say nothing', async () => {
    run('none')
    for (let at = 0; at < 25; at += 1) await look()
    expect(await newest()).toMatchObject({ state: 'inconclusive' })
  })
})

describe('the policy of an environment', () => {
  const ask = (prove: object | null, as = 'admin') =>
    app.call(as, `PATCH /environments/${world.staging}`, { body: { protection: { prove } } })

  it('watches every change, by the stricter of both terms', async () => {
    expect(await ask(termsOf({ onFailure: 'tell', minutes: 10 }))).toMatchObject({ status: 200 })
    await write({ title: 'Two' }, null)
    expect(await newest()).toMatchObject({ terms: { minutes: 10, onFailure: 'tell' } })
    await write({ title: 'Three' }, termsOf({ minutes: 2, failures: '1 of 2' }))
    expect(await newest()).toMatchObject({
      terms: { minutes: 10, onFailure: 'restore', failures: '1 of 3' },
    })
  })

  it('is weakened with the approvals from before alone', async () => {
    await ask(termsOf())
    await app.ok('admin', `PATCH /environments/${world.staging}`, {
      body: { protection: { approvals: 1 } },
    })
    for (const weaker of [null, termsOf({ minutes: 4 }), termsOf({ failures: '3 of 3' })])
      expect(await ask(weaker)).toMatchObject({ status: 409, body: { code: 'approval_required' } })
    expect(await ask(termsOf({ minutes: 6 }))).toMatchObject({ status: 200 })
  })

  it('lets an admin stop a proof, and not the author where others have to approve', async () => {
    await ask(termsOf())
    await write({ title: 'Two' }, null)
    const { id } = await newest()
    const stop = (as: string, how = 'tell') =>
      app.call(as, `POST /proofs/${id}/stop`, { body: { as: how } })
    expect(await stop('m2m')).toMatchObject({ status: 403 })
    expect(await stop('admin')).toMatchObject({ status: 403, body: { code: 'session_required' } })
    expect(await stop('ada')).toMatchObject({ status: 403, body: { code: 'role_forbidden' } })
    expect(await stop('dan')).toMatchObject({ status: 200, body: { state: 'stopped' } })
    expect(await stop('dan')).toMatchObject({ status: 409 })
  })
})

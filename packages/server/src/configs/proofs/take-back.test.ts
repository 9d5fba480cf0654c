import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProofTerms } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { newId } from '../../crypto/ids.ts'
import { asService } from '../requests/as-service.ts'
import { makeProtected, type Protected } from '../requests/testing/protected-app.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import { setValues } from '../values/set-values.ts'
import { endingAt } from './testing/ending-process.ts'
import { checkProofs } from './watch-proofs.ts'

let shared: ConfigApp
let app: ConfigApp
let world: Protected
let clock = 0
let signalId = ''

beforeAll(async () => {
  shared = await openConfigApp({ now: () => new Date(Date.now() + clock) })
})
afterAll(() => shared.close())
beforeEach(async () => {
  app = await shared.another()
  app.watched.deployed.length = 0
  clock = 0
  world = await makeProtected(app)
  signalId = newId('sig', new Date())
  await app.test.asOwner(
    `insert into signals (org_id, id, name, kind, spec, created_at, updated_at, created_by)
      values ($1, $2, 'errors', 'http', '{"kind":"http","url":"https://x.example","expect":"2xx"}', now(), now(), '{}')`,
    [app.orgId, signalId],
  )
  says('bad')
})

const says = (verdict: 'good' | 'bad') =>
  app.watched.readings.set(signalId, { verdict, value: 4.2, detail: 'was 4.2, above 2' })

const terms = (more: Partial<ProofTerms> = {}): ProofTerms => ({
  signals: [signalId],
  minutes: 5,
  failures: '1 of 1',
  noData: 'hold',
  onFailure: 'restore',
  ...more,
})

const write = (values: object, prove: object | null = terms(), environmentId = world.staging) =>
  app.ok('developer', 'PUT /config-values', {
    body: { schemaId: world.schemaId, environmentId, values, ...(prove && { prove }) },
  })

/** Sets a title that is watched, by the use case itself. */
const save = (deps: ConfigDeps) =>
  setValues(deps, asService({ author: { type: 'user', id: null, name: 'Ada' } }, app.orgId), {
    schemaId: world.schemaId,
    environmentId: world.staging,
    values: { title: 'Two' },
    rules: {},
    replace: false,
    allowPlain: [],
    confirmation: { confirm: [], comment: undefined, prove: terms(), from: 'body' },
    dryRun: false,
    ifMatch: undefined,
  })

/** Looks a moment later. */
function look(deps = app.deps): Promise<boolean> {
  clock += 1000
  return checkProofs(deps, app.orgId)
}

const valueOf = async (key = 'title', environmentId = world.staging) =>
  (await world.read(environmentId))[key]

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
async function proofs(): Promise<any[]> {
  return (await app.ok('viewer', 'GET /proofs')).body.items
}

async function countVersions(environmentId = world.staging): Promise<number> {
  const query = `schemaId=${world.schemaId}&environmentId=${environmentId}`
  return (await app.ok('viewer', `GET /config-versions?${query}`)).body.items.length
}

const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

const rounds = [0, 1, 2]
const people = [0, 1, 2, 3, 4, 5, 6, 7]

describe('where the process ends', () => {
  it('takes a change back whole, once, with the end of its proof, whenever that happens', async () => {
    await write({ title: 'Two', subtitle: 'New' })
    const versions = await countVersions()
    const met = new Set<string>()
    for (let n = 1; ; n += 1) {
      const isWhole = await isDone(look(endingAt(app.deps, n).deps))
      const [proof] = await proofs()
      const { title, subtitle } = await world.read(world.staging)
      const isBack = proof.state === 'failed'
      expect([n, title, subtitle]).toEqual(isBack ? [n, 'One', 'Sub'] : [n, 'Two', 'New'])
      expect(await countVersions()).toBe(isBack ? versions + 1 : versions)
      expect(proof.restoredVersions).toHaveLength(isBack ? 1 : 0)
      met.add(`${proof.signals[0].bad > 0} ${isBack}`)
      if (isWhole) break
    }
    // It ended before the reading was stored, before the change was taken back, and after it.
    expect([...met]).toEqual(['false false', 'true false', 'true true'])
  })

  it('still takes back what has failed, although the signal is good by then', async () => {
    await write({ title: 'Two' })
    for (let n = 1; (await proofs())[0].signals[0].bad === 0; n += 1)
      await isDone(look(endingAt(app.deps, n).deps))
    says('good')
    await look()
    expect(await valueOf()).toBe('One')
  })

  it('stores a change and its proof, or neither, and lets the earlier proof wait with it', async () => {
    await write({ subtitle: 'New' })
    let ended = 0
    for (let n = 1; ; n += 1) {
      const written = save(endingAt(app.deps, n).deps)
      await isDone(written)
      const isWritten = (await valueOf()) === 'Two'
      const all = await proofs()
      const waiting = all.filter(({ waitsFor }) => waitsFor !== null)
      expect([n, all.length, waiting.length]).toEqual(isWritten ? [n, 2, 1] : [n, 1, 0])
      if (isWritten) break
      ended += 1
    }
    expect(ended).toBeGreaterThan(10)
  })
})

describe('beside each other', () => {
  it('takes a change back once, however many look', async () => {
    await write({ title: 'Two' })
    const versions = await countVersions()
    await Promise.all(people.map(() => look()))
    expect(await valueOf()).toBe('One')
    expect(await countVersions()).toBe(versions + 1)
    const sql = `select from audit_events where org_id = $1 and action = 'change.restored'`
    expect(await app.test.asOwner(sql, [app.orgId])).toHaveLength(1)
  })

  it('counts two looks at the same time as one', async () => {
    await write({ title: 'Two' }, terms({ failures: '2 of 2' }))
    await Promise.all(people.map(() => checkProofs(app.deps, app.orgId)))
    expect((await proofs())[0].signals[0].bad).toBe(1)
  })

  it('keeps what somebody saves at the moment at which the change goes back', async () => {
    for (const round of rounds) {
      await write({ title: `Try ${round}` })
      await Promise.all([
        look(),
        write({ title: `Mine ${round}` }, round % 2 === 0 ? null : terms()),
      ])
      expect(await valueOf()).toBe(`Mine ${round}`)
      await forget()
    }
  })

  it('takes nothing back that a person has stopped at that moment', async () => {
    const statuses = new Set<number>()
    for (const round of rounds) {
      await write({ title: `Try ${round}` })
      const before = await valueOf()
      const [{ id }] = await proofs()
      const stop = () => app.call('dan', `POST /proofs/${id}/stop`, { body: { as: 'tell' } })
      const both = round % 2 === 0 ? [look(), stop()] : [stop(), look()]
      const answers = await Promise.all(both)
      const status =
        answers.flatMap((each) => (typeof each === 'boolean' ? [] : [each.status]))[0] ?? 0
      statuses.add(status)
      const isStopped = (await proofs())[0].state === 'stopped'
      expect([round, status, (await valueOf()) === before]).toEqual([
        round,
        isStopped ? 200 : 409,
        isStopped,
      ])
      await forget()
    }
    expect(statuses.has(200)).toBe(true)
  })

  it('applies a request to what it was approved for, or not at all', async () => {
    for (const round of rounds) {
      const body = {
        schemaId: world.schemaId,
        changes: [{ environmentId: world.production, set: { title: `Try ${round}` } }],
      }
      const operation = { kind: 'values', body: { ...body, prove: terms() } }
      await world.carryOut({ title: 'Try', operation })
      const next = await app.ok('ada', 'POST /change-requests', {
        body: {
          title: 'Next',
          operation: {
            kind: 'values',
            body: {
              ...body,
              changes: [{ environmentId: world.production, set: { title: `Next ${round}` } }],
            },
          },
        },
      })
      await world.review('ben', next.body.id)
      const [, applied] = await Promise.all([
        look(),
        app.call('ada', `POST /change-requests/${next.body.id}/apply`),
      ])
      const isApplied = applied.status === 200
      expect([round, applied.status]).toEqual([round, isApplied ? 200 : 409])
      expect(await valueOf('title', world.production)).toBe(isApplied ? `Next ${round}` : 'One')
      await forget()
      await app.test.asOwner('update environments set approvals = 0 where org_id = $1', [app.orgId])
      await write({ title: 'One' }, null, world.production)
      await app.test.asOwner('update environments set approvals = 1 where id = $1', [
        world.production,
      ])
    }
  })

  it('holds up no other write between the operations of a request', async () => {
    const other = await app.addSchema('app', { title: world.text })
    const body = { schemaId: other, environmentId: world.staging, values: { title: 'Beside' } }
    await app.test.store.transaction({ orgId: app.orgId }, async (tx) => {
      const store = {
        ...app.deps.store,
        transaction: <T>(_: unknown, work: (of: Tx) => Promise<T>) => work(tx),
      }
      await save({ ...app.deps, store })
      await app.ok('developer', 'PUT /config-values', { body: { ...body, prove: terms() } })
    })
    const [later, earlier] = (await proofs()).toSorted((one) => (one.waitsFor === null ? -1 : 1))
    expect([later.waitsFor, earlier.waitsFor]).toEqual([null, later.id])
  })

  it('lets eight people write with proofs, over two schemas and as one, while others look and stop', async () => {
    const other = await app.addSchema('app', { title: world.text })
    const both = [world.schemaId, other]
    await app.test.asOwner('update environments set approvals = 0 where org_id = $1', [app.orgId])
    const environments = [world.staging, world.production]
    const statuses = new Set<number>()
    const note = ({ status }: { readonly status: number }) => statuses.add(status)
    const saveAll = async (person: number) => {
      for (const round of rounds) {
        // The operations of a request keep their order, and each of them begins proofs.
        const values = both.map((schemaId) => {
          const changes = environments.map((environmentId) => {
            return { environmentId, set: { title: `${person} ${round}` } }
          })
          return { kind: 'values', body: { schemaId, changes, prove: terms() } }
        })
        const request = { title: 'Both', operation: { kind: 'apply', operations: values } }
        const { body } = await app.call('ada', 'POST /change-requests', { body: request })
        note(await app.call('ada', `POST /change-requests/${body.id}/apply`))
        note(await app.call('developer', 'POST /config-changes', { body: values[round % 2]?.body }))
      }
    }
    const others = { areOver: false }
    const saving = Promise.all(people.map((person) => saveAll(person))).finally(() => {
      others.areOver = true
    })
    const watch = async () => {
      while (!others.areOver) {
        await look()
        const [proof] = await proofs()
        const body = { as: 'tell' }
        if (proof !== undefined)
          note(await app.call('dan', `POST /proofs/${proof.id}/stop`, { body }))
      }
    }
    await Promise.all([saving, watch(), watch()])
    // 503: a busy machine had no time for one.
    expect([200, 404, 409, 503]).toEqual(expect.arrayContaining([...statuses]))
    // Of what is watched in an environment all but the versions of one write wait.
    const judged = (await proofs()).filter(
      ({ state, waitsFor }) => state === 'watching' && waitsFor === null,
    )
    const where = judged.map(({ subject }) => subject.environment)
    expect(where).toHaveLength(new Set(where).size)
  })
})

/** Lets a change be taken back again within the hour, and waits for nothing. */
async function forget(): Promise<void> {
  await app.test.asOwner('delete from proofs where org_id = $1', [app.orgId])
}

describe('a failed change', () => {
  /** Looks, and does something between the judging and the taking back. */
  async function lookWith(work: () => Promise<unknown>): Promise<void> {
    let count = 0
    const transaction: typeof app.deps.store.transaction = async (scope, inner) => {
      const result = await app.deps.store.transaction(scope, inner)
      count += 1
      if (count === 2) await work()
      return result
    }
    const { maintenance, announce } = app.deps.store
    await look({ ...app.deps, store: { ...app.deps.store, maintenance, announce, transaction } })
  }

  it('stays where something was deployed after it was judged', async () => {
    await write({ title: 'Two' })
    await lookWith(async () =>
      app.watched.deployed.push({ environmentId: world.staging, at: new Date(Date.now() + clock) }),
    )
    expect(await valueOf()).toBe('Two')
    await look()
    expect((await proofs())[0].reason.code).toBe('deployment')
  })

  it('stays where it was watched anew after it was judged', async () => {
    await write({ title: 'Two' })
    await lookWith(async () => {
      await write({ subtitle: 'New' })
      const [{ id }] = await proofs()
      await app.ok('dan', `POST /proofs/${id}/stop`, { body: { as: 'tell' } })
    })
    expect(await valueOf()).toBe('Two')
    await look()
    expect(await valueOf()).toBe('One')
  })

  it('goes back without another proof, although the environment asks for one', async () => {
    await app.ok('admin', `PATCH /environments/${world.staging}`, {
      body: { protection: { prove: terms() } },
    })
    await write({ title: 'Two' }, null)
    await look()
    expect(await valueOf()).toBe('One')
    expect(await proofs()).toHaveLength(1)
  })

  it('uses the hour of the environment that judged it, and of the one in which it was made', async () => {
    const eu = await app.addEnvironment('eu', world.staging)
    await app.ok('admin', `PATCH /environments/${eu}`, { body: { protection: { prove: terms() } } })
    await write({ title: 'Two' }, null)
    await look()
    expect(await valueOf()).toBe('One')
    for (const environmentId of [eu, world.staging]) {
      await write({ title: 'Three' }, terms(), environmentId)
      await look()
      expect(await valueOf('title', environmentId)).toBe('Three')
      expect((await proofs()).map(({ notRestored }) => notRestored?.code)).toContain('hour')
      await write({ title: 'Mine' }, null, eu)
    }
  })

  it('loses nothing but its own keys, although another one has become a secret since', async () => {
    await write({ title: 'Two' })
    await app.test.asOwner('update environments set approvals = 0 where org_id = $1', [app.orgId])
    await app.ok('developer', `PUT /config-schemas/${world.schemaId}`, {
      body: { schema: { ...world.schema, subtitle: { type: 'string', tier: 'secret' } } },
    })
    await look()
    expect((await proofs())[0]).toMatchObject({
      notRestored: null,
      restoredVersions: [{ keys: ['title'] }],
    })
  })

  it('is judged by its readings in their order, although the clock jumps', async () => {
    await write({ title: 'Two' }, terms({ failures: '2 of 2' }))
    await look()
    clock += 600_000
    says('good')
    await look()
    clock -= 600_000
    says('bad')
    await look()
    expect((await proofs())[0].state).toBe('watching')
  })

  it('is watched for its whole time, although nobody looked before a later one began', async () => {
    says('good')
    await write({ title: 'Two' })
    clock += 3_600_000
    await write({ subtitle: 'New' })
    const [{ id }] = await proofs()
    await app.ok('dan', `POST /proofs/${id}/stop`, { body: { as: 'tell' } })
    for (let at = 0; at < 4; at += 1) {
      clock += 40_000
      await look()
    }
    expect((await proofs())[1]).toMatchObject({ state: 'watching', waitsFor: null })
  })

  it('stays where the values from before are refused today', async () => {
    await write({ title: 'Two' })
    await app.ok('developer', `PUT /config-schemas/${world.schemaId}`, {
      body: {
        schema: {
          ...world.schema,
          title: { ...world.text, constraints: { pattern: '^T' } },
        },
        force: true,
      },
    })
    await look()
    expect(await valueOf()).toBe('Two')
    expect((await proofs())[0]).toMatchObject({ state: 'failed', notRestored: { code: 'refused' } })
  })
})

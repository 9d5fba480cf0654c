import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import { newId } from '../../../crypto/ids.ts'
import type { ConfigApp } from '../../testing/open-config-app.ts'
import type { ProofDeps } from '../proof-deps.ts'
import { testRuleKey } from '../proof.ts'
import { checkProofs } from '../watch-proofs.ts'
import { endingAt } from './ending-process.ts'
import type { Step } from './proof-steps.ts'
import {
  createOracle,
  environments,
  finishTests,
  look,
  push,
  readValues,
  schemas,
  stop,
  watching,
  ways,
  write,
  type Environment,
  type Oracle,
  type Outcome,
  type Schema,
  type Verdict,
  type Write,
} from './proof-oracle.ts'

const clocks = new AsyncLocalStorage<{ readonly oracle: Oracle }>()

/** Tells the time of the world in which something happens. */
export const worldTime = () => new Date(clocks.getStore()?.oracle.now ?? Date.now())

const minute = 60_000
type Of<K extends Step['kind']> = Extract<Step, { readonly kind: K }>

interface World {
  readonly app: ConfigApp
  readonly deps: ProofDeps
  readonly ids: Record<Schema | Environment | 'a' | 'b' | 'tests', string>
  readonly tests: Map<string, Outcome>
  /** Holds what the rules say of this world. */
  oracle: Oracle
}

/** Lists what may have become of a world. Some steps end in the midst, or at the same time as others. */
type Outcomes = readonly (() => void)[]

async function createWorld(app: ConfigApp, oracle: Oracle): Promise<World> {
  const base = await app.addEnvironment('base')
  const eu = await app.addEnvironment('eu', base)
  const text = { type: 'string', tier: 'public' } as const
  const web = await app.addSchema('web', schemaOf(0))
  const app2 = await app.addSchema('app', { title: text, subtitle: text })
  app.setActor(
    'dan',
    { ...app.person('dan'), via: 'session', authenticatedAt: new Date() },
    'admin',
  )
  const names = ['a', 'b', 'tests'] as const
  const signals = names.map(() => newId('sig', new Date()))
  const specs = names.map((name) =>
    name === 'tests'
      ? { kind: 'tests', repository: 'acme/shop', workflow: 'e2e.yml', deadlineMinutes: 9 }
      : { kind: 'http', url: `https://${name}.example`, expect: '2xx' },
  )
  await app.test.asOwner(
    `insert into signals (org_id, id, name, kind, spec, created_at, updated_at, created_by)
      select $1, id, id, spec ->> 'kind', spec, now(), now(), '{}' from unnest($2::text[], $3::jsonb[]) s (id, spec)`,
    [app.orgId, signals, specs.map((spec) => JSON.stringify(spec))],
  )
  const [a = '', b = '', tests = ''] = signals
  const ids = { base, eu, web, app: app2, a, b, tests }
  const results = new Map<string, Outcome>()
  const world: World = { app, deps: app.deps, ids, tests: results, oracle }
  const deps: ProofDeps = {
    ...app.deps,
    proofPorts: {
      proofTests: (_tx, _orgId, ruleKeys) =>
        Promise.resolve(
          ruleKeys.flatMap((ruleKey) => {
            const outcome = results.get(ruleKey)
            return outcome === undefined ? [] : [{ ruleKey, runId: 'run', outcome, detail: null }]
          }),
        ),
      listDeployed: () =>
        Promise.resolve(
          world.oracle.deployed.map((each) => {
            return { environmentId: ids[each.environment], at: new Date(each.at) }
          }),
        ),
    },
    signalReader: {
      read: ({ id }) => {
        const verdict: Verdict = world.oracle.says[id === a ? 'a' : 'b']
        return Promise.resolve({ verdict, value: null, detail: verdict })
      },
    },
  }
  return Object.assign(world, { deps })
}

function schemaOf(footer: number) {
  const text = { type: 'string', tier: 'public' } as const
  return {
    title: text,
    subtitle: text,
    footer: { ...text, default: String(footer) },
    checkout: { type: 'boolean', tier: 'featureFlags', killSwitch: true },
  } as const
}

function toTerms({ ids }: World, at: number) {
  const of = ways[at] ?? null
  if (of === null) return null
  const { signals, minutes, bad, of: many, noData, onFailure } = of
  return {
    signals: signals.map((signal) => ids[signal]),
    minutes,
    failures: `${bad} of ${many}`,
    noData,
    onFailure,
  }
}

/** Writes through the front door, and tells the oracle. */
async function change(world: World, of: Omit<Write, 'prove'> & { prove: number; turn?: string }) {
  const { app, ids, oracle } = world
  const watched = toTerms(world, of.prove)
  const changes = Object.entries(of.edits).map(([name, edit]) => {
    const isSet = (key: string) => key !== 'checkout' || of.turn === undefined
    const entries = Object.entries(edit).filter(([key]) => isSet(key))
    const set = entries.flatMap(([key, each]) =>
      each === null ? [] : [[key, key === 'checkout' ? true : each] as const],
    )
    return {
      environmentId: Reflect.get(ids, name),
      set: Object.fromEntries(set),
      unset: entries.filter(([, each]) => each === null).map(([key]) => key),
      ...(of.turn !== undefined && { turn: { checkout: of.turn } }),
    }
  })
  const answer = await app.call('developer', 'POST /config-changes', {
    body: { schemaId: ids[of.schema], changes, ...(watched && { prove: watched }) },
  })
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  write(oracle, { ...of, prove: ways[of.prove] ?? null })
}

const ownOf = ({ oracle }: World, schema: Schema, of: Environment) =>
  oracle.own[`${schema}/${of}`] ?? {}

const plays: {
  readonly [K in Step['kind']]: (world: World, step: Of<K>) => Promise<Outcomes | void>
} = {
  save: (world, { schema, environment: of, key, ...step }) =>
    change(world, { schema, edits: { [of]: { [key]: step.value } }, prove: step.prove }),
  both: (world, step) =>
    change(world, {
      schema: 'web',
      edits: { base: { title: step.value }, eu: { title: step.other } },
      prove: step.prove,
    }),
  async turn(world, { environment: of, to, ...step }) {
    const own = ownOf(world, 'web', of)['checkout']
    const isOff = own?.startsWith('off:') ?? false
    if (to === 'on' && !isOff) return
    const kept = own?.slice('off:'.length)
    const on = kept === 'none' ? null : (kept ?? null)
    const checkout = to === 'on' ? on : isOff ? own : `off:${own ?? 'none'}`
    const edits = { [of]: { title: step.value, checkout } }
    await change(world, { schema: 'web', edits, turn: to, prove: step.prove })
  },
  async return(world, { environment: of, ...step }) {
    const { app, ids, oracle } = world
    const versions = oracle.versions[`web/${of}`] ?? []
    const [row] = await app.test.asOwner<{ id: string }>(
      'select id from config_versions where schema_id = $1 and environment_id = $2 and version = $3',
      [ids.web, ids[of], versions.length - 1],
    )
    if (row === undefined) return
    const watched = toTerms(world, step.prove)
    await app.ok('developer', 'POST /config-versions/restore', {
      body: {
        restores: [{ versionId: row.id, keys: ['title'] }],
        ...(watched && { prove: watched }),
      },
    })
    const title = versions.at(-2)?.own['title'] ?? null
    const given = { isRestore: true, prove: ways[step.prove] ?? null }
    write(oracle, { schema: 'web', edits: { [of]: { title } }, ...given })
  },
  says: async ({ oracle }, { signal, verdict }) => void (oracle.says[signal] = verdict),
  async result({ app, ids, tests, oracle }, { outcome }) {
    const rows = await app.test.asOwner<{ id: string; fence: number }>(
      `select id, fence from proofs where org_id = $1 and state = 'watching' and waits_for is null`,
      [app.orgId],
    )
    for (const row of rows) tests.set(testRuleKey(row, ids.tests), outcome)
    finishTests(oracle, outcome)
  },
  deploy: async ({ oracle }, { environment: of }) =>
    void oracle.deployed.push({ environment: of, at: oracle.now }),
  async stop({ app, oracle }, { at, as }) {
    const all = oracle.watches
    const watch = all[all.length - 1 - (at % Math.max(1, all.length))]
    if (watch === undefined) return
    const answer = await app.call('dan', `POST /proofs/${watch.id}/stop`, { body: { as } })
    const isDone = watch.state === 'watching'
    if (answer.status !== (isDone ? 200 : 409)) throw new Error(answer.text)
    if (isDone) stop(oracle, watch, as)
  },
  async policy(world, { environment: of, prove: at }) {
    const { app, ids, oracle } = world
    await app.ok('admin', `PATCH /environments/${ids[of]}`, {
      body: { protection: { prove: toTerms(world, at) } },
    })
    oracle.policy[of] = ways[at] ?? null
  },
  async push({ app, ids, oracle }) {
    const body = { schema: schemaOf(oracle.footer + 1) }
    await app.ok('developer', `PUT /config-schemas/${ids.web}`, { body })
    push(oracle)
  },
  jump: async ({ oracle }, { minutes }) => void (oracle.now += minutes * minute),
  async look({ app, deps, oracle }, { seconds }) {
    oracle.now += seconds * 1000
    await checkProofs(deps, app.orgId)
    look(oracle)
  },
  async twice(world) {
    const { app, oracle } = world
    oracle.now += 15_000
    const meet = createMeeting(2)
    const beside = () => checkProofs(afterListing(world.deps, meet), app.orgId)
    await Promise.all([beside(), beside()])
    // The other one may judge after the first, with some taken back by then. It has read nothing more.
    const before = [0, 1, Infinity].map((takesBack) => () => {
      look(world.oracle, { takesBack })
      look(world.oracle, { hasRead: false })
    })
    const judge = () => {
      look(world.oracle)
    }
    return [judge, ...before]
  },
  async kill({ app, deps, oracle }, { before }) {
    oracle.now += 15_000
    const ending = endingAt(deps, before)
    const isDone = await checkProofs(ending.deps, app.orgId).then(
      () => true,
      () => false,
    )
    // One transaction lists, the next judges, and each of the others takes a change back.
    const takesBack = isDone ? Infinity : ending.committed() - 2
    if (takesBack >= 0) look(oracle, { takesBack })
  },
}

/** Lists what is only seen at the next look. */
const changesNothing: ReadonlySet<Step['kind']> = new Set(['says', 'result', 'deploy', 'jump'])

/** Returns a function that waits until so many have called it. */
function createMeeting(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = count
  return () => {
    left -= 1
    if (left === 0) resolve()
    return promise
  }
}

/** Returns dependencies of a look that waits for others once it has listed what it reads. */
function afterListing(deps: ProofDeps, meet: () => Promise<void>): ProofDeps {
  let count = 0
  const { store } = deps
  const waiting: ProofDeps['store'] = {
    announce: (topic) => {
      store.announce(topic)
    },
    maintenance: (work) => store.maintenance(work),
    transaction: async (scope, work) => {
      const result = await store.transaction(scope, work)
      count += 1
      if (count === 1) await meet()
      return result
    },
  }
  return { ...deps, store: waiting }
}

interface HeadRow {
  readonly schema_id: string
  readonly environment_id: string
  readonly version: number
  readonly open_values: { readonly keys?: Record<string, [unknown, number, number, string?]> }
  readonly body: string
}

interface ProofRow {
  readonly id: string
  readonly schema_id: string
  readonly environment_id: string
  readonly version: number
  readonly state: string
  readonly reason: string | null
  readonly kept: string | null
  readonly restored: { readonly environmentId: string; readonly keys: string[] }[] | null
  readonly waits_for: string | null
}

/** Reads what readers get, what is stored, and how the proofs stand. */
async function observe({ app, ids, oracle }: World) {
  const nameOf = (id: string) => Object.entries(ids).find(([, each]) => each === id)?.[0] ?? ''
  const heads = await app.test.asOwner<HeadRow & object>(
    `select h.schema_id, h.environment_id, h.version, h.open_values, s.body from current_values h
      join server_snapshots s using (org_id, schema_id, environment_id, version) where h.org_id = $1`,
    [app.orgId],
  )
  const rows = await app.test.asOwner<ProofRow & object>(
    `select id, schema_id, environment_id, version, state, reason ->> 'code' as reason, not_restored ->> 'code' as kept, restored,
      waits_for from proofs where org_id = $1`,
    [app.orgId],
  )
  const named = new Map(
    rows.map((row) => [
      row.id,
      `${nameOf(row.schema_id)}/${nameOf(row.environment_id)}/${row.version}`,
    ]),
  )
  for (const watch of oracle.watches)
    watch.id = rows.find(({ id }) => named.get(id) === watch.name)?.id ?? ''
  return {
    values: Object.fromEntries(
      heads.map((head) => {
        const { public: open, featureFlags } = JSON.parse(head.body)
        const seen = Object.entries({ ...open, ...featureFlags }).map(([key, each]) => [
          key,
          String(each),
        ])
        const own = Object.entries(head.open_values.keys ?? {}).map(([key, [each, , , rules]]) => {
          const aside: string | undefined = JSON.parse(rules ?? '[]')[0]?.aside
          const kept = { on: 'off:true', off: 'off:false', none: 'off:none' }[aside ?? '']
          return [key, kept ?? String(each)]
        })
        const name = `${nameOf(head.schema_id)}/${nameOf(head.environment_id)}`
        const { version } = head
        return [name, { version, seen: Object.fromEntries(seen), own: Object.fromEntries(own) }]
      }),
    ),
    proofs: Object.fromEntries(
      rows.map(({ id, state, reason, kept, restored, waits_for: waitsFor }) => [
        named.get(id),
        {
          state,
          reason,
          kept,
          restored: (restored ?? [])
            .map((each) => `${nameOf(each.environmentId)} ${each.keys.join()}`)
            .toSorted(),
          waitsFor: waitsFor === null ? null : named.get(waitsFor),
        },
      ]),
    ),
  }
}

function expected(oracle: Oracle) {
  const places = schemas.flatMap((schema) => environments.map((of) => ({ schema, of })))
  return {
    values: Object.fromEntries(
      places.map(({ schema, of }) => {
        const name = `${schema}/${of}`
        const version = oracle.versions[name]?.length
        return [name, { version, seen: readValues(oracle, schema, of), own: oracle.own[name] }]
      }),
    ),
    proofs: Object.fromEntries(
      oracle.watches.map(({ name, state, reason, kept, restored, waitsFor }) => [
        name,
        { state, reason, kept, restored: restored.toSorted(), waitsFor },
      ]),
    ),
  }
}

/** Throws unless a world is as one of the outcomes says. */
async function settle(world: World, what: object, outcomes: Outcomes): Promise<void> {
  const is = await observe(world)
  const before = world.oracle
  for (const outcome of outcomes) {
    world.oracle = structuredClone(before)
    outcome()
    if (isDeepStrictEqual(is, expected(world.oracle))) return
  }
  world.oracle = structuredClone(before)
  outcomes[0]?.()
  throw new Error(
    `${JSON.stringify(what)}\nis ${JSON.stringify(is)}\nnot ${JSON.stringify(expected(world.oracle))}`,
  )
}

/** Plays steps in an organization of its own, until every proof has ended. Throws where something is not as the rules say. */
export async function playProofs(opened: ConfigApp, steps: readonly Step[]): Promise<void> {
  const oracle = createOracle(Date.now())
  const clock: { oracle: Oracle } = { oracle }
  return clocks.run(clock, async () => {
    const world = await createWorld(await opened.another(), oracle)
    const base = { title: 'One', subtitle: 'Sub' }
    const edits = { base: { ...base, checkout: 'true' }, eu: { subtitle: 'Own' } }
    await change(world, { schema: 'web', edits, prove: 5 })
    await change(world, { schema: 'app', edits: { base }, prove: 5 })
    const take = async (next: Step) => {
      world.oracle.now += 1000
      const play: (of: World, step: never) => Promise<Outcomes | void> = plays[next.kind]
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has each kind's own function
      const outcomes = (await play(world, next as never)) ?? [() => undefined]
      if (!changesNothing.has(next.kind)) await settle(world, next, outcomes)
      clock.oracle = world.oracle
    }
    for (const next of steps) await take(next)
    for (const signal of ['a', 'b'] as const) await take({ kind: 'says', signal, verdict: 'good' })
    for (let left = 200; watching(world.oracle).length > 0; left -= 1) {
      if (left === 0) throw new Error('A proof does not end')
      await take({ kind: 'result', outcome: 'passed' })
      await take({ kind: 'look', seconds: 55 })
    }
  })
}

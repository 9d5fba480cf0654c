import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endProof } from './end-proof.ts'
import { judgeProof, type SignalReport } from './judge-proof.ts'
import { listOwnKeys, planReturn } from './plan-return.ts'
import { noteCheck, type Ending, type ProofRow } from './proof.ts'
import {
  createOracle,
  environments,
  finishTests,
  look,
  push,
  schemas,
  stop,
  ways,
  write,
  type Environment,
  type Oracle,
  type Outcome,
  type Terms,
  type Watch,
  type Write,
} from './testing/proof-oracle.ts'

const minute = 60_000

/** Holds the same world twice: as the oracle has it, and as the rules of the service have it. */
interface World {
  readonly oracle: Oracle
  /** Holds values and versions alone. */
  readonly values: Oracle
  readonly rows: Map<string, ProofRow>
  /** Holds readings and test runs by proof, time of watching and signal. */
  readonly heard: Map<string, ('good' | 'bad' | 'none')[]>
  readonly tests: Map<string, Outcome>
}

function toRow(watch: Watch, changed: readonly string[]): ProofRow {
  const { name, schema, environment, version, terms } = watch
  const startedAt = new Date(watch.startedAt)
  const { signals, minutes, bad, of, noData, onFailure } = terms
  return {
    id: name,
    schemaId: schema,
    environmentId: environment,
    version,
    versionId: name,
    writeId: String(watch.write),
    origins: watch.origins.map((each) => ({ ...each, environmentId: each.environment })),
    keys: [...changed],
    reached: {},
    killedKeys: [...watch.killed],
    terms: { signals: [...signals], minutes, failures: `${bad} of ${of}`, noData, onFailure },
    authorId: null,
    state: 'watching',
    fence: 0,
    startedAt,
    watchedAt: startedAt,
    until: new Date(startedAt.getTime() + minutes * minute),
    waitsFor: null,
    endedAt: null,
    reason: null,
    restored: null,
    notRestored: null,
    stopped: null,
  }
}

const isActive = ({ state, waitsFor }: ProofRow) => state === 'watching' && waitsFor === null
const nameOf = ({ id, fence }: ProofRow, signal: string) => `${id} ${fence} ${signal}`

/** Carries out what makes versions, and begins the proofs that the oracle says begin. */
function change({ oracle, values, rows }: World, work: (of: Oracle) => void, of?: Write): void {
  const before = oracle.watches.length
  work(oracle)
  if (of === undefined) push(values)
  else write(values, { ...of, prove: 'never' })
  for (const watch of oracle.watches.slice(before)) {
    watch.id = watch.name
    const changed = oracle.versions[`${watch.schema}/${watch.environment}`]?.at(-1)?.changed ?? []
    const row = toRow(watch, changed)
    for (const older of rows.values()) {
      const isBehind = older.environmentId === row.environmentId && older.writeId !== row.writeId
      if (isActive(older) && isBehind)
        rows.set(older.id, { ...noteCheck(older, row.startedAt), waitsFor: row.id })
    }
    rows.set(row.id, row)
  }
}

function reportsOf({ heard, tests }: World, row: ProofRow): SignalReport[] {
  return row.terms.signals.map((id) => {
    const latest = (heard.get(nameOf(row, id)) ?? []).slice(-20).toReversed()
    const isHeard = latest.includes('good')
    const report = {
      id,
      name: id,
      latest: latest.map((verdict) => ({ verdict, detail: null })),
      isHeard,
    }
    if (id !== 'tests') return { ...report, kind: 'http' }
    const outcome = tests.get(nameOf(row, id)) ?? 'none'
    return { ...report, kind: 'tests', tests: { outcome, detail: null } }
  })
}

function lookByRules(world: World): void {
  const { oracle, rows, heard } = world
  const judged = [...rows.values()].filter(isActive)
  for (const row of judged)
    for (const id of ['a', 'b'] as const) {
      const name = nameOf(row, id)
      heard.set(name, [...(heard.get(name) ?? []), oracle.says[id]])
    }
  const isStill = ({ id, fence }: ProofRow) => {
    const row = rows.get(id)
    return row !== undefined && isActive(row) && row.fence === fence
  }
  const failed = judged
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .flatMap((row) => (isStill(row) ? endOrFail(world, row) : []))
  for (const { row, ending } of failed)
    if (isStill(row))
      endProof(rows, row, { ...ending, ...takeBackByRules(world, row) }, new Date(oracle.now))
}

interface Failed {
  readonly row: ProofRow
  readonly ending: Ending
}

function endOrFail(world: World, row: ProofRow): Failed[] {
  const { oracle, rows } = world
  const now = new Date(oracle.now)
  const looked = noteCheck(row, now)
  rows.set(row.id, looked)
  const isDeployed = oracle.deployed.some(
    (each) => each.environment === row.environmentId && each.at > row.startedAt.getTime(),
  )
  const { terms, until } = looked
  const ending = judgeProof({ terms, until, now, isDeployed, signals: reportsOf(world, looked) })
  if (ending === undefined) return []
  if (ending.state === 'failed' && terms.onFailure === 'restore') return [{ row: looked, ending }]
  const notRestored = { code: 'tell', keys: [], detail: '' } as const
  endProof(rows, looked, { ...ending, ...(ending.state === 'failed' && { notRestored }) }, now)
  return []
}

function takeBackByRules({ values, rows, oracle }: World, row: ProofRow) {
  const changes = row.origins.map(({ environmentId, version }) => {
    const versions = values.versions[`${row.schemaId}/${environmentId}`] ?? []
    const was = versions[version - 2]?.own ?? {}
    const is = versions[version - 1]?.own ?? {}
    const content = (open: Record<string, string>) => ({ open, rules: {}, secret: {} })
    const touched = new Set(versions.slice(version).flatMap(({ changed }) => changed))
    const keys = listOwnKeys(content(was), content(is))
    return { environmentId, version, versionId: `${version}`, keys, touched }
  })
  const { restores, notRestored } = planReturn(row, changes)
  if (restores.length === 0) return notRestored && { notRestored }
  const used = new Set([row.environmentId, ...restores.map((each) => each.environmentId)])
  const isUsed = [...rows.values()].some(
    ({ restored, reason, endedAt, environmentId }) =>
      restored !== null &&
      restored.length > 0 &&
      reason?.code !== 'origin' &&
      (endedAt?.getTime() ?? 0) > oracle.now - 60 * minute &&
      [environmentId, ...restored.map((each) => each.environmentId)].some((id) => used.has(id)),
  )
  if (isUsed) return { notRestored: { code: 'hour', keys: [], detail: '' } as const }
  const edits = Object.fromEntries(
    restores.map(({ environmentId, versionId, keys }) => {
      const was = values.versions[`${row.schemaId}/${environmentId}`]?.[Number(versionId) - 2]?.own
      return [environmentId, Object.fromEntries(keys.map((key) => [key, was?.[key] ?? null]))]
    }),
  )
  const schema = schemas.find((each) => each === row.schemaId) ?? 'web'
  write(values, { schema, edits, isRestore: true, prove: 'never' })
  const restored = restores.map((each) => ({ ...each, version: 0 }))
  return { restored, ...(notRestored && { notRestored }) }
}

/** Takes a step that a number stands for. */
function take(world: World, number: number): void {
  const { oracle, rows } = world
  let rest = Math.floor(number / 16)
  const pick = <const T>(values: readonly [T, ...T[]]): T => {
    const value = values[rest % values.length] ?? values[0]
    rest = Math.floor(rest / values.length)
    return value
  }
  const save = (schema: (typeof schemas)[number], edits: Write['edits']) => {
    const written = { schema, edits, prove: pick([0, 1, 2, 3, 4, 5]) }
    const whole = { ...written, prove: ways[written.prove] ?? null }
    change(
      world,
      (of) => {
        write(of, whole)
      },
      whole,
    )
  }
  const value = () => pick(['One', 'Two', null])
  const play: readonly (() => void)[] = [
    () => {
      save(pick(schemas), { [pick(environments)]: { [pick(['title', 'subtitle'])]: value() } })
    },
    () => {
      save('web', { base: { title: value() }, eu: { title: value() } })
    },
    () => {
      save('web', { [pick(environments)]: { title: value(), flag: pick(['off:true', 'true']) } })
    },
    () => {
      oracle.says[pick(['a', 'b'])] = pick(['good', 'bad', 'none'])
    },
    () => {
      const outcome = pick(['passed', 'failed', 'none', 'pending'])
      finishTests(oracle, outcome)
      for (const row of rows.values())
        if (isActive(row)) world.tests.set(nameOf(row, 'tests'), outcome)
    },
    () => {
      oracle.deployed.push({ environment: pick(environments), at: oracle.now })
    },
    () => {
      const watch = oracle.watches.at(-1 - pick([0, 1, 2]))
      const row = rows.get(watch?.name ?? '')
      if (watch === undefined || row?.state !== 'watching') return
      const as = pick(['proven', 'tell'])
      const state = as === 'proven' ? 'proven' : 'stopped'
      const stopped = { member: { id: null, name: 'Ada' }, as } as const
      const reason = { code: 'stopped', signal: null, detail: '' } as const
      endProof(rows, row, { state, reason, stopped }, new Date(oracle.now))
      stop(oracle, watch, as)
    },
    () => {
      oracle.policy[pick(environments)] = pick([ways[0] ?? null, ways[3] ?? null, null])
    },
    () => {
      change(world, push)
    },
    () => {
      oracle.now += pick([5, 70, -3]) * minute
    },
  ]
  const which = [0, 0, 0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9][number % 16]
  oracle.now += 1000
  if (which === undefined) {
    oracle.now += pick([15, 30, 60]) * 1000
    lookByRules(world)
    look(oracle)
  } else play[which]?.()
}

const environmentOf = (id: string): Environment => (id === 'eu' ? 'eu' : 'base')

function requireSame({ oracle, values, rows }: World): void {
  const byRules = [...rows.values()].map((row) => [
    row.id,
    row.state,
    row.reason?.code ?? null,
    row.notRestored?.code ?? null,
    (row.restored ?? [])
      .map((each) => `${environmentOf(each.environmentId)} ${each.keys.join()}`)
      .toSorted(),
    row.waitsFor,
    Math.max(0, row.until.getTime() - row.watchedAt.getTime()),
  ])
  const byOracle = oracle.watches.map((watch) => [
    watch.name,
    watch.state,
    watch.reason,
    watch.kept,
    watch.restored.toSorted(),
    watch.waitsFor,
    Math.max(0, watch.terms.minutes * minute - watch.watchedMs),
  ])
  if (!isDeepStrictEqual([byRules, values.own], [byOracle, oracle.own]))
    throw new Error(`${JSON.stringify(byRules)} not ${JSON.stringify(byOracle)}`)
}

describe('the rules of proofs', () => {
  it('say what the contract says in 10,000 random orders', () => {
    const play = (numbers: readonly number[]) => {
      const now = Date.UTC(2026, 10, 30)
      const [oracle, values] = [createOracle(now), createOracle(now)]
      const world = { oracle, values, rows: new Map(), heard: new Map(), tests: new Map() }
      for (const number of numbers) take(world, number)
      requireSame(world)
    }
    const orders = fc.array(fc.nat(2 ** 24), { minLength: 6, maxLength: 16 })
    expect(() => {
      fc.assert(fc.property(orders, play), { numRuns: 10_000 })
    }).not.toThrow()
  })

  it('count the failures among readings that follow each other', () => {
    const way = ways.find((each) => each?.of === 3)
    if (way === undefined || way === null) throw new Error('No way counts 2 of 3')
    const { terms, until } = rowOf(way, 'web/base/2')
    const judge = (latest: readonly ('good' | 'bad')[]) =>
      judgeProof({
        terms,
        until,
        now: new Date(until.getTime() - 1),
        isDeployed: false,
        signals: [
          {
            id: 'a',
            name: 'a',
            kind: 'http',
            isHeard: true,
            latest: latest.map((verdict) => ({ verdict, detail: null })),
          },
        ],
      })?.state
    expect(judge(['bad', 'good', 'good', 'bad'])).toBeUndefined()
    expect(judge(['bad', 'good', 'bad'])).toBe('failed')
    expect(judge(['good', 'good', 'good', 'bad', 'bad'])).toBe('failed')
  })

  it('prove no earlier change by a signal that it did not ask for', () => {
    const way = ways.find((each) => each?.noData === 'pass' && each.onFailure === 'restore')
    if (way === undefined || way === null) throw new Error('No way lets silence pass')
    const newer = rowOf(way, 'web/base/3')
    const rows = [{ ...rowOf({ ...way, signals: ['a'] }, 'web/base/2'), waitsFor: newer.id }, newer]
    const proofs = new Map(rows.map((row) => [row.id, row]))
    endProof(proofs, newer, { state: 'proven', reason: null }, newer.until)
    expect(proofs.get('web/base/2')).toMatchObject({ state: 'watching', waitsFor: null, fence: 1 })
  })
})

/** Makes a proof as it begins. */
function rowOf(terms: Terms, name: string): ProofRow {
  const oracle = createOracle(Date.UTC(2026, 10, 30))
  write(oracle, { schema: 'web', edits: { base: { title: 'Two' } }, prove: terms })
  const [watch] = oracle.watches
  if (watch === undefined) throw new Error('Nothing is watched')
  return toRow({ ...watch, name, write: Number(name.slice(-1)) }, ['title'])
}

/**
 * Says what becomes of changes that are watched, as the contract has it: plain lists, no database, nothing of the code that it judges.
 * The world has two environments, `eu` inherits from `base`, and two schemas.
 */
export const schemas = ['web', 'app'] as const
export const environments = ['base', 'eu'] as const
export type Schema = (typeof schemas)[number]
export type Environment = (typeof environments)[number]
export type Verdict = 'good' | 'bad' | 'none'
export type Outcome = 'passed' | 'failed' | 'none' | 'pending'
/** Two that are read, and the tests. */
type Signal = 'a' | 'b' | 'tests'

export interface Terms {
  readonly signals: readonly Signal[]
  readonly minutes: number
  readonly bad: number
  readonly of: number
  readonly noData: 'hold' | 'pass'
  readonly onFailure: 'restore' | 'tell'
}

const strict = { noData: 'hold', onFailure: 'restore' } as const
/** Lists how a write may be watched. The last: not at all. */
export const ways: readonly (Terms | null)[] = [
  { signals: ['a'], minutes: 1, bad: 1, of: 1, ...strict },
  { signals: ['a'], minutes: 2, bad: 2, of: 3, ...strict },
  { signals: ['a', 'b'], minutes: 2, bad: 1, of: 2, noData: 'pass', onFailure: 'restore' },
  { signals: ['b', 'tests'], minutes: 1, bad: 1, of: 1, ...strict },
  { signals: ['a'], minutes: 1, bad: 1, of: 1, noData: 'pass', onFailure: 'tell' },
  null,
]

/** Maps a key to its value. A flag that is off is `off:` and the value that waits. */
type Values = Record<string, string>

interface Version {
  readonly own: Values
  readonly changed: readonly string[]
}

interface Origin {
  readonly environment: Environment
  readonly version: number
}

export interface Watch extends Origin {
  readonly name: string
  readonly schema: Schema
  readonly write: number
  readonly origins: readonly Origin[]
  readonly killed: readonly string[]
  readonly terms: Terms
  readonly startedAt: number
  /** Orders those that are judged in one look. */
  id: string
  state: 'watching' | 'proven' | 'failed' | 'inconclusive' | 'stopped'
  reason: string | null
  kept: string | null
  restored: string[]
  waitsFor: string | null
  watchedMs: number
  lastLook: number
  readings: Record<'a' | 'b', Verdict[]>
  test: Outcome | undefined
  /** Counts how often it began to be watched. */
  times: number
}

/** Holds everything that the rules depend on. */
export interface Oracle {
  now: number
  readonly own: Record<string, Values>
  readonly versions: Record<string, Version[]>
  readonly policy: Record<Environment, Terms | null>
  readonly says: Record<'a' | 'b', Verdict>
  readonly deployed: { readonly environment: Environment; readonly at: number }[]
  readonly restores: { readonly environments: readonly Environment[]; readonly at: number }[]
  readonly watches: Watch[]
  footer: number
  writes: number
}

const minute = 60_000
const at = (schema: Schema, environment: Environment) => `${schema}/${environment}`
const chainOf = (environment: Environment): Environment[] =>
  environment === 'eu' ? ['eu', 'base'] : ['base']
const isOff = (value: string | undefined) => value?.startsWith('off:') === true
export const watching = ({ watches }: Oracle) => watches.filter(({ state }) => state === 'watching')
const active = (oracle: Oracle) => watching(oracle).filter(({ waitsFor }) => waitsFor === null)

export function createOracle(now: number): Oracle {
  const places = schemas.flatMap((schema) => environments.map((each) => at(schema, each)))
  return {
    now,
    own: Object.fromEntries(places.map((place) => [place, {}])),
    versions: Object.fromEntries(places.map((place) => [place, [{ own: {}, changed: [] }]])),
    policy: { base: null, eu: null },
    says: { a: 'none', b: 'none' },
    deployed: [],
    restores: [],
    watches: [],
    footer: 0,
    writes: 0,
  }
}

/** Returns what readers get: each value with where it comes from. */
function readAll({ own, footer }: Oracle, schema: Schema, environment: Environment): Values {
  const seen: Values = schema === 'web' ? { footer: `${footer} default` } : {}
  for (const each of chainOf(environment).toReversed())
    for (const [key, value] of Object.entries(own[at(schema, each)] ?? {}))
      seen[key] = `${value} ${each}`
  return seen
}

/** Returns what readers get, without where it comes from. */
export function readValues(oracle: Oracle, schema: Schema, environment: Environment): Values {
  const seen = Object.entries(readAll(oracle, schema, environment))
  return Object.fromEntries(
    seen.map(([key, text]) => {
      const value = text.slice(0, text.lastIndexOf(' '))
      return [key, isOff(value) ? 'false' : value]
    }),
  )
}

const differing = (was: Values, is: Values) =>
  [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((key) => was[key] !== is[key])

export interface Write {
  readonly schema: Schema
  /** Maps an environment to what it sets. `null` takes a value away. */
  readonly edits: Partial<Record<Environment, Readonly<Record<string, string | null>>>>
  readonly isRestore?: boolean
  readonly prove: Terms | null | 'never'
}

/** Carries a write out: its versions, and the watches that begin. */
export function write(oracle: Oracle, { schema, edits, isRestore = false, prove }: Write): void {
  change(oracle, schema, { prove, isRestore }, () => {
    const edited = new Set<Environment>()
    for (const environment of environments) {
      const edit = edits[environment]
      if (edit === undefined) continue
      const own = oracle.own[at(schema, environment)] ?? {}
      const was = { ...own }
      for (const [key, value] of Object.entries(edit))
        if (value === null) delete own[key]
        else own[key] = value
      if (isRestore || differing(was, own).length > 0) edited.add(environment)
    }
    return edited
  })
}

/** Changes the default of a key by its schema. */
export function push(oracle: Oracle): void {
  change(oracle, 'web', { prove: null }, () => {
    oracle.footer += 1
    return new Set()
  })
}

function change(
  oracle: Oracle,
  schema: Schema,
  { prove, isRestore = false }: Pick<Write, 'prove' | 'isRestore'>,
  work: () => ReadonlySet<Environment>,
): void {
  const before = environments.map((environment) => ({
    environment,
    own: { ...oracle.own[at(schema, environment)] },
    seen: readAll(oracle, schema, environment),
  }))
  const edited = work()
  oracle.writes += 1
  const killed: string[] = []
  const made: (Origin & Pick<Version, 'changed'>)[] = []
  for (const was of before) {
    const { environment } = was
    const own = { ...oracle.own[at(schema, environment)] }
    const seen = readAll(oracle, schema, environment)
    killed.push(...Object.keys(seen).filter((key) => isOff(seen[key]) && !isOff(was.seen[key])))
    const changed = [...new Set([...differing(was.own, own), ...differing(was.seen, seen)])]
    if (changed.length === 0 && !edited.has(environment)) continue
    const versions = oracle.versions[at(schema, environment)] ?? []
    versions.push({ own, changed })
    made.push({ environment, changed, version: versions.length })
  }
  if (prove === 'never') return
  for (const { environment, changed, version } of made) {
    const strict = join(oracle.policy[environment], prove)
    if (strict === null || changed.length === 0) continue
    // A person who goes back is never overruled.
    const terms = isRestore ? { ...strict, onFailure: 'tell' as const } : strict
    const origins = chainOf(environment).flatMap((each) =>
      edited.has(each) ? made.filter((one) => one.environment === each) : [],
    )
    begin(oracle, { schema, environment, version, origins, terms, killed })
  }
}

function begin(
  oracle: Oracle,
  of: Pick<Watch, 'schema' | 'environment' | 'version' | 'origins' | 'terms' | 'killed'>,
): void {
  const { now, writes, watches } = oracle
  const name = `${at(of.schema, of.environment)}/${of.version}`
  for (const older of active(oracle)) {
    if (older.environment !== of.environment || older.write === writes) continue
    countTime(older, now)
    older.waitsFor = name
  }
  watches.push({
    ...of,
    name,
    write: writes,
    startedAt: now,
    id: '',
    state: 'watching',
    reason: null,
    kept: null,
    restored: [],
    waitsFor: null,
    watchedMs: 0,
    lastLook: now,
    readings: { a: [], b: [] },
    test: undefined,
    times: 0,
  })
}

/** Of two, each member is that of the stricter one. */
function join(one: Terms | null, other: Terms | null): Terms | null {
  if (one === null || other === null) return one ?? other
  const strict = [one, other]
  return {
    signals: [...new Set(strict.flatMap(({ signals }) => signals))],
    minutes: Math.max(...strict.map(({ minutes }) => minutes)),
    bad: Math.min(...strict.map(({ bad }) => bad)),
    of: Math.max(...strict.map((each) => each.of)),
    noData: strict.some(({ noData }) => noData === 'hold') ? 'hold' : 'pass',
    onFailure: strict.some(({ onFailure }) => onFailure === 'restore') ? 'restore' : 'tell',
  }
}

/** Time counts as watched up to a minute between two looks, and 15 seconds beyond. What the clock goes back is watched again. */
function countTime(watch: Watch, now: number): void {
  const gap = now - watch.lastLook
  watch.watchedMs += gap <= minute ? gap : 15_000
  watch.lastLook = now
}

/**
 * Looks at the signals, and ends what is to end. `hasRead`: false where another look has read at the same time. `takesBack` counts
 * how many of the failed ones it comes to before the process ends.
 */
export function look(oracle: Oracle, { hasRead = true, takesBack = Infinity } = {}): void {
  const failed: Failed[] = []
  for (const watch of active(oracle).toSorted((one, other) => (one.id < other.id ? 1 : -1))) {
    if (hasRead) readAllFor(watch, oracle.says)
    const isJudged = watch.state === 'watching' && watch.waitsFor === null
    if (isJudged) failed.push(...endOrFail(oracle, watch))
  }
  for (const { watch, reason, times } of failed.slice(0, takesBack)) {
    const isOurs = watch.state === 'watching' && watch.waitsFor === null && watch.times === times
    if (isOurs) takeBack(oracle, watch, reason)
  }
}

interface Failed {
  readonly watch: Watch
  readonly reason: string
  readonly times: number
}

/** Ends a watch whose time has come. Returns one that is to be taken back. */
function endOrFail(oracle: Oracle, watch: Watch): Failed[] {
  countTime(watch, oracle.now)
  const result = judge(oracle, watch)
  if (result === undefined) return []
  const [state, reason] = result
  if (state === 'failed' && watch.terms.onFailure === 'restore')
    return [{ watch, reason, times: watch.times }]
  end(oracle, watch, { state, reason, kept: state === 'failed' ? 'tell' : null })
  return []
}

function readAllFor({ terms, readings }: Watch, says: Oracle['says']): void {
  for (const signal of ['a', 'b'] as const)
    if (terms.signals.includes(signal)) readings[signal].push(says[signal])
}

type Result =
  | readonly [state: 'failed', reason: string]
  | readonly [state: 'proven' | 'inconclusive', reason: string | null]

function judge({ deployed }: Oracle, watch: Watch): Result | undefined {
  const { terms, readings, test, environment, startedAt } = watch
  if (deployed.some((each) => each.environment === environment && each.at > startedAt))
    return ['inconclusive', 'deployment']
  const hasTests = terms.signals.includes('tests')
  if (hasTests && test === 'failed') return ['failed', 'tests']
  // Once enough of some readings in a row were bad, it has failed, whatever came in between.
  const isBad = (all: readonly Verdict[]) =>
    all.some((_, from) => {
      const row = all.slice(Math.max(0, from + 1 - terms.of), from + 1)
      return row.filter((verdict) => verdict === 'bad').length >= terms.bad
    })
  if (isBad(readings.a) || isBad(readings.b)) return ['failed', 'signal']
  if (watch.watchedMs < terms.minutes * minute || (hasTests && test === 'pending')) return undefined
  const good = terms.signals.filter((signal) =>
    signal === 'tests' ? test === 'passed' : readings[signal].includes('good'),
  )
  const isProven = terms.noData === 'hold' ? good.length === terms.signals.length : good.length > 0
  return isProven ? ['proven', null] : ['inconclusive', 'no_data']
}

type End = Partial<Pick<Watch, 'kept' | 'restored'>> & Pick<Watch, 'state' | 'reason'>

/** Ends a watch, with those that it ends or lets go on. */
function end(oracle: Oracle, watch: Watch, how: End): void {
  const { restored = [] } = how
  const isRestored = ({ environment }: Origin) =>
    restored.some((text) => text.startsWith(`${environment} `))
  const gone = watching(oracle).filter(
    (other) =>
      other !== watch &&
      other.write === watch.write &&
      other.origins.length > 0 &&
      other.origins.every(isRestored),
  )
  Object.assign(watch, how)
  for (const other of gone) Object.assign(other, { state: 'failed', reason: 'origin', restored })
  for (const ended of [watch, ...gone]) release(oracle, ended)
}

function release(oracle: Oracle, ended: Watch): void {
  const next =
    watching(oracle).find(({ name }) => name === ended.waitsFor) ??
    active(oracle).find(
      ({ write: number, environment }) =>
        number === ended.write && environment === ended.environment,
    )
  for (const older of watching(oracle).filter(({ waitsFor }) => waitsFor === ended.name)) {
    const isStillLive = ended.state === 'failed' && ended.restored.length === 0
    if (isStillLive || ended.reason === 'superseded') {
      Object.assign(older, { state: 'inconclusive', reason: 'superseded' })
      release(oracle, older)
    } else if (next !== undefined) older.waitsFor = next.name
    else if (
      ended.state === 'proven' &&
      ended.reason === null &&
      covers(ended.terms, older.terms)
    ) {
      older.state = 'proven'
      release(oracle, older)
    } else goOn(oracle, older)
  }
  ended.waitsFor = null
}

/** Says whether what proved the newer change says as much about the older one. */
function covers(newer: Terms, older: Terms): boolean {
  return (
    older.signals.every((signal) => newer.signals.includes(signal)) &&
    newer.minutes >= older.minutes &&
    newer.bad <= older.bad &&
    newer.of >= older.of &&
    (newer.onFailure === 'restore' || older.onFailure === 'tell') &&
    // Each signal of the older one had something good to say, or both had the same.
    (newer.noData === 'hold' ||
      (older.noData === 'pass' && newer.signals.length === older.signals.length))
  )
}

function goOn({ now }: Oracle, watch: Watch): void {
  watch.watchedMs += Math.min(0, now - watch.lastLook)
  // Its tests need a moment to start again.
  watch.watchedMs = Math.min(watch.watchedMs, (watch.terms.minutes - 1) * minute)
  watch.lastLook = now
  watch.waitsFor = null
  watch.readings = { a: [], b: [] }
  watch.test = undefined
  watch.times += 1
}

/** Takes a change back where it was made: what nobody has changed since, once an hour. */
function takeBack(oracle: Oracle, watch: Watch, reason: string): void {
  const { schema, origins, killed } = watch
  const edits: Partial<Record<Environment, Record<string, string | null>>> = {}
  const kept = { touched: false, kill_switch: false, not_values: true }
  for (const { environment, version } of origins) {
    const versions = oracle.versions[at(schema, environment)] ?? []
    const [was, is] = [versions[version - 2], versions[version - 1]]
    if (was === undefined || is === undefined) continue
    for (const key of differing(was.own, is.own)) {
      kept.not_values = false
      if (killed.includes(key)) kept.kill_switch = true
      else if (versions.slice(version).some(({ changed }) => changed.includes(key)))
        kept.touched = true
      else edits[environment] = { ...edits[environment], [key]: was.own[key] ?? null }
    }
  }
  const why = (['not_values', 'touched', 'kill_switch'] as const).find((each) => kept[each]) ?? null
  const where = environments.filter((environment) => edits[environment] !== undefined)
  if (where.length === 0) return end(oracle, watch, { state: 'failed', reason, kept: why })
  const used = [...new Set([watch.environment, ...where])]
  const isUsed = oracle.restores.some(
    (each) =>
      each.at > oracle.now - 60 * minute && each.environments.some((one) => used.includes(one)),
  )
  if (isUsed) return end(oracle, watch, { state: 'failed', reason, kept: 'hour' })
  write(oracle, { schema, edits, isRestore: true, prove: 'never' })
  oracle.restores.push({ environments: used, at: oracle.now })
  const restored = where.map(
    (each) =>
      `${each} ${Object.keys(edits[each] ?? {})
        .toSorted()
        .join()}`,
  )
  end(oracle, watch, { state: 'failed', reason, kept: why, restored })
}

/** Ends a watch by the word of a person. Nothing goes back, and what waited goes on. */
export function stop(oracle: Oracle, watch: Watch, as: 'proven' | 'tell'): void {
  end(oracle, watch, { state: as === 'proven' ? 'proven' : 'stopped', reason: 'stopped' })
}

/** Tells the tests of everything that is judged now how they stand. */
export function finishTests(oracle: Oracle, outcome: Outcome): void {
  for (const watch of active(oracle)) watch.test = outcome
}

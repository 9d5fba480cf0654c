import {
  createFlagEvaluator,
  limits,
  parseTargeting,
  type ConfigValue,
  type EvaluateFlag,
  type EvaluationContext,
  type Targeting,
  type WrittenRule,
} from '@signalbox/contract/client'
import type { ConfigError } from '../config-error.ts'
import { AdvisedError } from '../advised-error.ts'
import type { LimitRange } from '../config-types.ts'
import type { FetchLike, ResponseLike } from './client-types.ts'
import type { Core, CoreSnapshot } from './core.ts'

/** Describes the part of a server's snapshot that is read here. */
interface RuledDocument {
  readonly featureFlags: object
  readonly secret?: object
  readonly flagRules?: Readonly<Record<string, readonly WrittenRule[]>>
  readonly targeting?: Readonly<Record<string, Targeting>>
}

/** Describes a snapshot that decides by rules. */
export interface DecidingSnapshot extends CoreSnapshot {
  value(key: string, context?: EvaluationContext): unknown
  variant(key: string, context?: EvaluationContext): string | undefined
}

/**
 * Returns the name of a key's rules among the secrets: they are stored and restored with them, and never appear in
 * the JSON of a snapshot. It consists of characters that no key has, so it neither equals nor resembles one.
 */
function nameOf(flag: string): string {
  return Array.from(flag, (character) =>
    String.fromCharCode(0xe000 + character.charCodeAt(0)),
  ).join('')
}

/** Returns a `fetch` that moves the rules of flags among the secrets of the snapshot, as JSON texts. */
export function hideRules(request: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await request(url, init)
    return response.ok
      ? { ...pick(response), json: async () => hide(await response.json()) }
      : response
  }
}

/** Copies the members of a response except for its JSON. They may be getters, which a spread would not copy. */
function pick({ ok, status, headers, body }: ResponseLike): Omit<ResponseLike, 'json'> {
  return { ok, status, headers, body }
}

function hide(document: unknown): unknown {
  if (!isDocument(document)) return document
  const { flagRules = {}, targeting = {}, ...rest } = document
  // A flag without rules has a text as well: a name that is missing is an error, which looks for similar names among all.
  const none = Object.fromEntries(Object.keys({ ...rest.featureFlags }).map((flag) => [flag, []]))
  const hidden = Object.entries({ ...none, ...flagRules, ...targeting }).map(([key, rules]) => [
    nameOf(key),
    JSON.stringify(rules),
  ])
  return { ...rest, secret: { ...rest.secret, ...Object.fromEntries(hidden) } }
}

function isDocument(value: unknown): value is RuledDocument {
  return typeof value === 'object' && value !== null && 'featureFlags' in value
}

/** Returns the keys that a subscriber to `keys` observes: the rules of a flag as well as its value. */
export function withRuleNames(keys: readonly string[] | undefined): string[] | undefined {
  return keys?.flatMap((key) => [key, nameOf(key)])
}

/** Limits the unknown flags that a client remembers: their names may come from its users. */
const unknownFlagsMax = 100

/** Limits the keys whose rules are kept prepared: as many as a schema has. */
const evaluationsMax = limits.keysPerSchema

type Ranges = Readonly<Record<string, LimitRange | undefined>>

interface DecidingOptions {
  readonly limits: Ranges | undefined
  readonly report: (error: ConfigError) => void
  readonly Failure: typeof ConfigError
}

/** Describes a core whose snapshots decide by rules. */
export interface DecidingCore extends Core {
  snapshot(): DecidingSnapshot
}

/**
 * Returns a core whose snapshots evaluate rules. Its `fetch` must come from `hideRules`. `report` receives
 * each key that is asked for as a flag and is none, and each one with a value outside of `ranges`, once.
 */
export function decideFlags(
  core: Core,
  { limits: ranges = {}, report, Failure }: DecidingOptions,
): DecidingCore {
  const known = new WeakMap<CoreSnapshot, DecidingSnapshot>()
  const reported = new Set<string>()
  const check = (snapshot: CoreSnapshot, key: string) => {
    if (reported.has(key) || reported.size === unknownFlagsMax) return
    const error = findFlagError(snapshot, key)
    if (error === undefined) return
    reported.add(key)
    reportLater(report, error)
  }
  const clamp = createClamp(ranges, (message) =>
    reportLater(report, new Failure('out_of_range', message)),
  )
  const decide = (snapshot: CoreSnapshot) => {
    const made =
      known.get(snapshot) ??
      Object.freeze({ ...snapshot, ...createReads(snapshot, clamp, (key) => check(snapshot, key)) })
    known.set(snapshot, made)
    return made
  }
  return {
    ...core,
    snapshot: () => decide(core.snapshot()),
    // The spread has copied the status of this moment.
    get status() {
      return core.status
    },
  }
}

/** Reports an error after the read, which answers whatever the program does with its errors. */
function reportLater(report: DecidingOptions['report'], error: ConfigError): void {
  Promise.reject(error)
    .catch(report)
    .catch(() => {})
}

/** Returns the reads of a snapshot that rules decide. Calls `prepared` with each key that is asked for as a flag for the first time. */
function createReads(
  snapshot: CoreSnapshot,
  clamp: Clamp,
  prepared: (key: string) => void,
): Pick<DecidingSnapshot, 'get' | 'flag' | 'value' | 'variant'> {
  const flags = createEvaluations((key) => {
    prepared(key)
    return prepareFlag(snapshot, key)
  })
  const values = createEvaluations((key) => prepareValue(snapshot, key))
  return {
    get: (key) => freezeDeep(clamp(key, snapshot.get(key))),
    flag: (key, context = {}) => flags(key)(context).value,
    variant: (key, context = {}) => flags(key)(context).variant,
    value: (key, context = {}) => freezeDeep(clamp(key, values(key)(context).value)),
  }
}

/** Freezes an object or a list with all of its parts: every reader of the program gets the same one. */
function freezeDeep(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(Object.freeze(value)).forEach(freezeDeep)
  }
  return value
}

type Clamp = (key: string, value: unknown) => unknown

/** Returns a function that moves a number into the range of its key, and tells once of each key with a value outside. */
function createClamp(ranges: Ranges, report: (message: string) => void): Clamp {
  const reported = new Set<string>()
  return (key, value) => {
    const range = Object.hasOwn(ranges, key) ? ranges[key] : undefined
    if (range === undefined || typeof value !== 'number') return value
    const { min, max } = range
    if (value >= min && value <= max) return value
    if (!reported.has(key)) {
      reported.add(key)
      report(`${key} is outside of ${min} to ${max}, so the client returns the nearest number`)
    }
    return value < min ? min : max
  }
}

/** Keeps what `prepare` returns for each key as long as the snapshot lives. */
function createEvaluations<T>(prepare: (key: string) => T): (key: string) => T {
  const prepared = new Map<string, T>()
  return (key) => {
    const known = prepared.get(key)
    if (known !== undefined) return known
    const made = prepare(key)
    // The names of unknown flags may come from users of the program. The first one gives way, so that flags find a place again.
    const [first] = prepared.size < evaluationsMax ? [] : prepared.keys()
    if (first !== undefined) prepared.delete(first)
    prepared.set(key, made)
    return made
  }
}

/** Returns why a key is no flag; `undefined` if it is one, or if nothing was fetched yet. */
function findFlagError(snapshot: CoreSnapshot, key: string): ConfigError | undefined {
  if (snapshot.version === 0) return undefined
  try {
    if (typeof snapshot.get(key) === 'boolean') return undefined
    return new AdvisedError(
      'unknown_key',
      `${key} is not a flag`,
      'Its value is neither true nor false, so flag() returns false. Read it with get(), or declare a flag.',
    )
  } catch (error) {
    return error instanceof AdvisedError ? error : undefined
  }
}

function prepareFlag(snapshot: CoreSnapshot, key: string): EvaluateFlag {
  const { schemaId = '' } = snapshot
  return createFlagEvaluator({
    schemaId,
    key,
    value: snapshot.flag(key),
    ...readTargeting(snapshot, key),
  })
}

function prepareValue(snapshot: CoreSnapshot, key: string): EvaluateFlag<ConfigValue> {
  const { schemaId = '' } = snapshot
  // A key without a value has no rules either, and its reader gets the error that says so.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const value = snapshot.get(key) as ConfigValue
  return createFlagEvaluator<ConfigValue>({
    schemaId,
    key,
    value,
    ...readTargeting(snapshot, key),
  })
}

function readTargeting(snapshot: CoreSnapshot, key: string): Targeting {
  try {
    const text = snapshot.get(nameOf(key))
    return typeof text === 'string' ? parseTargeting(text) : { rules: [] }
  } catch {
    // The key has no rules.
    return { rules: [] }
  }
}

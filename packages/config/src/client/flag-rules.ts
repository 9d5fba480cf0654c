import {
  createFlagEvaluator,
  type EvaluateFlag,
  type WrittenRule,
} from '@signalbox/contract/client'
import type { ConfigError } from '../config-error.ts'
import { AdvisedError } from '../advised-error.ts'
import type { FetchLike, ResponseLike } from './client-types.ts'
import type { Core, CoreSnapshot } from './core.ts'

/** Describes the part of a server's snapshot that is read here. */
interface RuledDocument {
  readonly featureFlags: object
  readonly secret?: object
  readonly flagRules?: Readonly<Record<string, readonly WrittenRule[]>>
}

/**
 * Returns the name of a flag's rules among the secrets: they are stored and restored with them, and never appear in
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
  const { flagRules = {}, ...rest } = document
  // A flag without rules has a text as well: a name that is missing is an error, which looks for similar names among all.
  const none = Object.fromEntries(Object.keys({ ...rest.featureFlags }).map((flag) => [flag, []]))
  const hidden = Object.entries({ ...none, ...flagRules }).map(([flag, rules]) => [
    nameOf(flag),
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

/**
 * Returns a core whose snapshots evaluate the rules of flags. Its `fetch` must come from `hideRules`. `report` receives
 * each key that is asked for as a flag and is none, once.
 */
export function decideFlags(core: Core, report: (error: ConfigError) => void): Core {
  const known = new WeakMap<CoreSnapshot, CoreSnapshot>()
  const reported = new Set<string>()
  const check = (snapshot: CoreSnapshot, key: string) => {
    if (reported.has(key) || reported.size === unknownFlagsMax) return
    const error = findFlagError(snapshot, key)
    if (error === undefined) return
    reported.add(key)
    // A read answers whatever the program does with its errors.
    Promise.reject(error)
      .catch(report)
      .catch(() => {})
  }
  const decide = (snapshot: CoreSnapshot) => {
    const made =
      known.get(snapshot) ??
      Object.freeze({ ...snapshot, flag: createFlag(snapshot, (key) => check(snapshot, key)) })
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

/** Returns `flag` of a snapshot. It calls `prepared` with each key that is asked for the first time. */
function createFlag(snapshot: CoreSnapshot, prepared: (key: string) => void): CoreSnapshot['flag'] {
  const evaluators = new Map<string, EvaluateFlag>()
  return (key, context = {}) => {
    let evaluate = evaluators.get(key)
    if (evaluate === undefined) {
      evaluate = prepare(snapshot, key)
      evaluators.set(key, evaluate)
      prepared(key)
    }
    return evaluate(context).value
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
      'Its value is a string or a number, so flag() returns false. Read it with get(), or declare a flag.',
    )
  } catch (error) {
    return error instanceof AdvisedError ? error : undefined
  }
}

function prepare(snapshot: CoreSnapshot, key: string): EvaluateFlag {
  const { schemaId = '' } = snapshot
  const rules = readRules(snapshot, key)
  return createFlagEvaluator({ schemaId, key, value: snapshot.flag(key), rules })
}

function readRules(snapshot: CoreSnapshot, key: string): readonly WrittenRule[] {
  try {
    const text = snapshot.get(nameOf(key))
    const rules: readonly WrittenRule[] = typeof text === 'string' ? JSON.parse(text) : []
    return rules
  } catch {
    // The flag has no rules.
    return []
  }
}

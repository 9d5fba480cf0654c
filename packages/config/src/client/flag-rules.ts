import { createFlagEvaluator, type EvaluateFlag, type FlagRule } from '@signalbox/contract'
import type { FetchLike, ResponseLike } from './client-types.ts'
import type { Core, CoreSnapshot } from './core.ts'

/** Describes the part of a server's snapshot that is read here. */
interface RuledDocument {
  readonly secret?: object
  readonly flagRules?: Readonly<Record<string, readonly FlagRule[]>>
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
  const hidden = Object.entries(flagRules).map(([flag, rules]) => [
    nameOf(flag),
    JSON.stringify(rules),
  ])
  return { ...rest, secret: { ...rest.secret, ...Object.fromEntries(hidden) } }
}

function isDocument(value: unknown): value is RuledDocument {
  return typeof value === 'object' && value !== null && 'flagRules' in value
}

/** Returns the keys that a subscriber to `keys` observes: the rules of a flag as well as its value. */
export function withRuleNames(keys: readonly string[] | undefined): string[] | undefined {
  return keys?.flatMap((key) => [key, nameOf(key)])
}

/** Returns a core whose snapshots evaluate the rules of flags. Its `fetch` must come from `hideRules`. */
export function decideFlags(core: Core): Core {
  const known = new WeakMap<CoreSnapshot, CoreSnapshot>()
  const decide = (snapshot: CoreSnapshot) => {
    const made = known.get(snapshot) ?? Object.freeze({ ...snapshot, flag: createFlag(snapshot) })
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

function createFlag(snapshot: CoreSnapshot): CoreSnapshot['flag'] {
  const evaluators = new Map<string, EvaluateFlag>()
  return (key, context = {}) => {
    const evaluate = evaluators.get(key) ?? prepare(snapshot, key)
    evaluators.set(key, evaluate)
    return evaluate(context).value
  }
}

function prepare(snapshot: CoreSnapshot, key: string): EvaluateFlag {
  const { schemaId = '' } = snapshot
  const rules = readRules(snapshot, key)
  return createFlagEvaluator({ schemaId, key, value: snapshot.flag(key), rules })
}

function readRules(snapshot: CoreSnapshot, key: string): readonly FlagRule[] {
  try {
    const text = snapshot.get(nameOf(key))
    const rules: readonly FlagRule[] = typeof text === 'string' ? JSON.parse(text) : []
    return rules
  } catch {
    // The flag has no rules.
    return []
  }
}

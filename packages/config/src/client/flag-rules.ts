import {
  createFlagEvaluator,
  type EvaluateFlag,
  type EvaluationContext,
  type FlagRule,
} from '@signalbox/contract'
import type { FetchLike, ResponseLike } from './client-types.ts'

/** A snapshot as far as flags are decided from it. */
interface RuledSnapshot {
  readonly schemaId?: string
  readonly featureFlags: object
  get(key: string): unknown
  flag(key: string, context?: EvaluationContext): boolean
}

type Listener<S> = { call(snapshot: S): void }['call']

/** A client of no configuration in particular, as far as it decides flags. */
interface RuledClient<S extends RuledSnapshot> {
  flag(key: string, context?: EvaluationContext): Promise<boolean>
  ready(): Promise<void>
  snapshot(): S
  subscribe(fn: Listener<S> | undefined, keys?: readonly string[]): () => void
}

/** The part of a server's snapshot that is looked at here. */
interface RuledDocument {
  readonly secret?: object
  readonly flagRules?: Readonly<Record<string, readonly FlagRule[]>>
}

/**
 * The name that the rules of a flag travel under among the secrets: kept and restored with them, never in the JSON of a
 * snapshot. Made of characters that no key has, so that none is called so and none is taken for a near one.
 */
function nameOf(flag: string): string {
  return Array.from(flag, (character) => String.fromCharCode(0xe000 + character.charCodeAt(0))).join('')
}

/** A `fetch` whose snapshots have the rules of flags among their secrets, as JSON texts. */
export function hideRules(request: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await request(url, init)
    return response.ok ? { ...pick(response), json: async () => hide(await response.json()) } : response
  }
}

/** What a response says besides its JSON; its members may be getters, which a spread would not copy. */
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

/** Decides the flags of a client whose `fetch` went through `hideRules`, for whatever context is given. */
export interface FlagRules<S extends RuledSnapshot> {
  /** The snapshot with its flags decided by their rules; the same object for the same snapshot. */
  withRules(snapshot: S): S
  /** The client with its flags decided by their rules, whose subscribers hear of changes of rules too. */
  decide<C extends RuledClient<S>>(client: C): Pick<C, keyof RuledClient<S>>
}

export function createFlagRules<S extends RuledSnapshot>(): FlagRules<S> {
  const ruled = new WeakMap<S, S>()
  const withRules = (snapshot: S) => {
    const known = ruled.get(snapshot) ?? Object.freeze({ ...snapshot, flag: createFlag(snapshot) })
    ruled.set(snapshot, known)
    return known
  }
  return {
    withRules,
    decide: (client) => ({
      ready: () => client.ready(),
      snapshot: () => withRules(client.snapshot()),
      async flag(key, context) {
        await client.ready()
        return withRules(client.snapshot()).flag(key, context)
      },
      subscribe: (fn, keys) =>
        client.subscribe(
          (snapshot) => fn?.(withRules(snapshot)),
          keys?.flatMap((key) => [key, nameOf(key)]),
        ),
    }),
  }
}

function createFlag(snapshot: RuledSnapshot): RuledSnapshot['flag'] {
  const evaluators = new Map<string, EvaluateFlag>()
  return (key, context = {}) => {
    const evaluate = evaluators.get(key) ?? prepare(snapshot, key)
    evaluators.set(key, evaluate)
    return evaluate(context).value
  }
}

function prepare(snapshot: RuledSnapshot, key: string): EvaluateFlag {
  const { schemaId = '' } = snapshot
  const rules = readRules(snapshot, key)
  return createFlagEvaluator({ schemaId, key, value: snapshot.flag(key), rules })
}

function readRules(snapshot: RuledSnapshot, key: string): readonly FlagRule[] {
  try {
    const text = snapshot.get(nameOf(key))
    const rules: readonly FlagRule[] = typeof text === 'string' ? JSON.parse(text) : []
    return rules
  } catch {
    // The flag has none.
    return []
  }
}

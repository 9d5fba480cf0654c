import {
  takesRules,
  typeOfValue,
  type ConfigValue,
  type Segments,
  type ValueSource,
} from '@signalbox/contract'
import {
  listEdited,
  type CurrentValues,
  type CurrentValuesByEnvironment,
  type OpenEntry,
  type SecretEntry,
} from './current-values.ts'
import { servesTypes } from './constraints/served-values.ts'
import type { Definition, KeyRule } from './definition.ts'
import {
  chainOf,
  inheritsSecret,
  type EnvironmentNode,
  type EnvironmentTree,
} from './environment-tree.ts'

/** Describes a schema as far as values depend on it. */
export interface SchemaState {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly definition: Definition
  /** Key name to sealed default, base64. */
  readonly secretDefaults: Readonly<Record<string, string>>
}

/** Holds everything that the values of a schema depend on. */
export interface ConfigState {
  readonly schema: SchemaState
  readonly tree: EnvironmentTree
  /** At least those of the environments to resolve and of all they inherit from. */
  readonly currentValues: CurrentValuesByEnvironment
}

/** Holds everything that is published of a schema: its values, and the segments that their rules refer to. */
export interface PublishableState extends ConfigState {
  readonly segments: Segments
}

/** Describes a key in an environment. Has exactly one of `value` and `sealed`, or neither when it is missing. */
export interface ResolvedValue {
  readonly source: ValueSource
  readonly value?: ConfigValue
  /** The text of the rules of a flag that has some; they come from where its value comes from. */
  readonly rules?: string
  /** A secret as base64, opened with its `valueAddress` or `defaultAddress`. */
  readonly sealed?: string
  /** The environment that sets it: this one, or one that it inherits from. */
  readonly environmentId?: string
  readonly entry?: OpenEntry | SecretEntry
}

/** Maps every key of a schema to its value in an environment. */
export type ResolvedValues = ReadonlyMap<string, ResolvedValue>

const missing: ResolvedValue = { source: 'missing' }

/**
 * Returns the value of every key of the schema in an environment: its own, else the nearest inherited one, else the
 * default.
 *
 * Skips a stored value that is not of the key's type or not stored as its tier demands: a client never receives a text
 * where its types promise a number, and a secret is never published by a change of the schema alone.
 */
export function resolveValues(state: ConfigState, environmentId: string): ResolvedValues {
  return resolveKeys(state, environmentId, state.schema.definition.keys(), new Map())
}

/**
 * Returns what `resolveValues` does after a change. Resolves only the keys that the change edits, and keeps the objects of all
 * others, unless it changes the schema or what the environment inherits from.
 */
export function resolveChanged(
  before: ConfigState,
  was: ResolvedValues,
  after: ConfigState,
  environmentId: string,
): ResolvedValues {
  const [old, now] = [before, after].map((state) => chainOf(state.tree, environmentId))
  const isSameChain = nameChain(old) === nameChain(now)
  if (before.schema !== after.schema || !isSameChain) return resolveValues(after, environmentId)
  const edited = new Set(
    now?.flatMap(({ id }) => listEdited(before.currentValues.get(id), after.currentValues.get(id))),
  )
  return edited.size === 0 ? was : resolveKeys(after, environmentId, edited, was)
}

/** Names what is inherited from, and which secrets are. */
function nameChain(chain: readonly EnvironmentNode[] = []): string {
  return JSON.stringify(chain.map(({ id, inheritedSecrets }) => [id, inheritedSecrets]))
}

/** Resolves `keys` again, those that the schema has. The others are as in `known`. */
function resolveKeys(
  state: ConfigState,
  environmentId: string,
  keys: Iterable<string>,
  known: ResolvedValues,
): ResolvedValues {
  const { definition, secretDefaults } = state.schema
  const chain = chainOf(state.tree, environmentId)
  const valuesOf = (nodes: readonly EnvironmentNode[]) =>
    nodes.flatMap(({ id }) => state.currentValues.get(id) ?? [])
  const currentValues = valuesOf(chain)
  const resolved = new Map(known)
  for (const key of keys) {
    const rule = definition.get(key)
    if (rule === undefined) continue
    // A secret comes from no further than the first environment that does not inherit it, and from no default.
    const end = rule.tier === 'secret' ? chain.findIndex((node) => !inheritsSecret(node, key)) : -1
    const isCut = end !== -1
    const value =
      findSet(
        key,
        rule,
        isCut ? valuesOf(chain.slice(0, end + 1)) : currentValues,
        environmentId,
      ) ??
      (isCut ? undefined : findDefault(rule, secretDefaults[key])) ??
      missing
    resolved.set(key, value)
  }
  return resolved
}

function findSet(
  key: string,
  rule: KeyRule,
  currentValues: readonly CurrentValues[],
  environmentId: string,
): ResolvedValue | undefined {
  for (const current of currentValues) {
    const own = findOwn(current, key, rule)
    if (own === undefined) continue
    const source = current.environmentId === environmentId ? 'set' : 'inherited'
    return { source, environmentId: current.environmentId, ...own }
  }
  return undefined
}

/** Returns what an environment itself sets for a key, as readers get it by a rule. `undefined`: nothing that they get. */
export function findOwn(
  current: CurrentValues,
  key: string,
  rule: KeyRule,
): Pick<ResolvedValue, 'value' | 'rules' | 'sealed' | 'entry'> | undefined {
  if (rule.tier === 'secret') {
    const entry = current.secretValues[key]
    return entry?.type === rule.type ? { sealed: entry.sealed, entry } : undefined
  }
  const entry = current.openValues[key]
  if (entry === undefined || typeOfValue(entry.value) !== rule.type) return undefined
  const { value, rules } = entry
  // Rules stay stored, and unused, while the key takes none, or none of theirs.
  return rules === undefined || !takesRules(rule) || !servesTypes(rule, rules)
    ? { value, entry }
    : { value, rules, entry }
}

function findDefault(rule: KeyRule, sealed: string | undefined): ResolvedValue | undefined {
  if (rule.tier === 'secret')
    return sealed === undefined ? undefined : { source: 'default', sealed }
  return rule.default === undefined ? undefined : { source: 'default', value: rule.default }
}

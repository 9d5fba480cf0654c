import {
  canonicalJson,
  type ConfigValue,
  type FlagVariant,
  type Tier,
  type ValueType,
} from '@signalbox/contract'

/** Describes a key of a schema as it is stored, with every default choice made explicit. */
export interface KeyRule {
  readonly type: ValueType
  readonly tier: Tier
  readonly required: boolean
  readonly hasDefault: boolean
  readonly description?: string
  /** Absent for a secret: its default is sealed and kept apart. */
  readonly default?: ConfigValue
  readonly constraints?: Readonly<Record<string, unknown>>
  readonly partial?: boolean
  /** Says that rules may serve other values of a public key. */
  readonly targeted?: true
  /** The variants of a flag, in the order of their declaration. */
  readonly variants?: FlagVariant[]
  /** Says that nobody should begin to use the key. */
  readonly deprecated?: true
  /** Names the place that declares the key, unless it is code. */
  readonly declaredIn?: 'dashboard'
  readonly owner?: string
  readonly tags?: string[]
  /** Holds the day on which a flag should be gone, or a secret ends. */
  readonly expires?: string
  readonly killSwitch?: true
  /** Counts the days between two values of a secret. */
  readonly rotateEvery?: number
  readonly runbook?: string
  /** Says that environments are meant to have different values. */
  readonly expectedToDiffer?: true
  /** Names the environment variable, where the definition does. */
  readonly variable?: string
}

/** Returns whether a key is a feature flag. `undefined`, a key that the schema does not have, is none. */
export function isFlag(rule: KeyRule | undefined): boolean {
  return rule?.tier === 'featureFlags'
}

/** Holds the keys of a schema in the order of their declaration. */
export type Definition = ReadonlyMap<string, KeyRule>

/** Maps the name of each key to its rule, as JSON stores it. The names were checked when it was written. */
export type StoredDefinition = Readonly<Record<string, KeyRule>>

/** Returns a definition as it is stored, its keys in the same order. */
export function toStoredDefinition(definition: Definition): StoredDefinition {
  return Object.fromEntries(definition)
}

/** Reads a stored definition, its keys in the same order. */
export function fromStoredDefinition(stored: StoredDefinition): Definition {
  return new Map(Object.entries(stored))
}

/**
 * Returns whether two definitions have equal rules for equal keys, in any order. Does not compare the defaults of
 * secrets.
 */
export function sameDefinition(one: Definition, other: Definition): boolean {
  if (one.size !== other.size) return false
  for (const [key, rule] of one) {
    const match = other.get(key)
    if (match === undefined || canonicalJson(rule) !== canonicalJson(match)) return false
  }
  return true
}

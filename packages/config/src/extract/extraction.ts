import type { SchemaDefinition, Tier } from '@signalbox/contract'

/**
 * Names how a fact was learned: from the validator's own JSON Schema, from a converter of its library, by trying
 * values, or from `typed`.
 */
export type FactSource = 'jsonSchema' | 'converter' | 'probe' | 'declared'

/** Describes one fact about a key. */
export interface Fact {
  /** Example: `type`, `default`, `constraints.minLength`. */
  readonly name: string
  readonly source: FactSource
  /** Says that the validator requires at least this and perhaps more, as effect does with lengths. */
  readonly atLeast?: true
}

/** Describes the facts that were learned about a key, and those that could not be. */
export interface KeyReport {
  readonly tier: Tier
  /** Names the library of the validator. Example: `zod`. */
  readonly vendor: string
  readonly facts: readonly Fact[]
  /** Lists warnings for the developer. They never repeat a value. */
  readonly warnings: readonly string[]
}

/** Describes why a key cannot be pushed. */
export interface ExtractionViolation {
  readonly key: string
  readonly tier: Tier
  readonly vendor: string
  /** Never repeats a value. */
  readonly detail: string
  /** Lists the fixes, of which one is enough. */
  readonly fixes: readonly string[]
}

/** Holds the schema of a definition, with the facts and violations of its keys. */
export interface Extraction {
  /** Holds the keys without a violation, as they are pushed. */
  readonly schema: SchemaDefinition
  readonly report: Readonly<Record<string, KeyReport>>
  readonly violations: readonly ExtractionViolation[]
}

/** Imports a package as the definition file would. Rejects when it is not installed. */
export type Resolve = (specifier: string) => Promise<unknown>

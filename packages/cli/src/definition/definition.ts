import type { ConfigValue, Tier } from '@signalbox/contract'
import type { FullKey } from '../schema/definition-change.ts'

/** Describes a definition file that has been read. */
export interface Definition {
  readonly path: string
  readonly keys: ReadonlyMap<string, DefinedKey>
  /** Holds what has to be put right before it can be pushed. */
  readonly faults: readonly DefinitionFault[]
  /** Holds what the author should know. */
  readonly warnings: readonly string[]
  /** Names the libraries of the validators. Example: `['zod']`. */
  readonly vendors: readonly string[]
}

/** Describes a key of the definition file, with its validator. */
export interface DefinedKey extends FullKey {
  /** Returns what the validator in the code says against a value; empty when it accepts it. */
  readonly check: (value: ConfigValue) => Promise<readonly string[]>
  /** How each fact was learned, in words. */
  readonly sources: readonly string[]
}

/** Describes a fault of the definition file, and ways to mend it. */
export interface DefinitionFault {
  readonly key: string
  readonly tier: Tier | undefined
  readonly line: number | undefined
  readonly detail: string
  /** Holds what to do: one of these. */
  readonly fixes: readonly string[]
}

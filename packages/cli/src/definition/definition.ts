import type { ConfigValue, Tier } from '@signalbox/contract'
import type { FullKey } from '../schema/definition-change.ts'

/** Describes a definition file that has been read. */
export interface Definition {
  readonly path: string
  readonly keys: ReadonlyMap<string, DefinedKey>
  /** Lists the violations that prevent a push. */
  readonly violations: readonly DefinitionViolation[]
  /** Lists warnings for the author. */
  readonly warnings: readonly string[]
  /** Names the libraries of the validators. Example: `['zod']`. */
  readonly vendors: readonly string[]
}

/** Describes a key of the definition file, with its validator. */
export interface DefinedKey extends FullKey {
  /** Returns why the validator refuses a value, or `undefined` when it accepts it. Never repeats a secret. */
  readonly check: (value: ConfigValue) => Promise<string | undefined>
  /** Explains how each fact was learned. */
  readonly sources: readonly string[]
}

/** Describes a violation of the definition file, and ways to mend it. */
export interface DefinitionViolation {
  readonly key: string
  readonly tier: Tier | undefined
  readonly line: number | undefined
  readonly detail: string
  /** Lists the fixes, of which one is enough. */
  readonly fixes: readonly string[]
}

import type { ConfigValue, Tier } from '@signalbox/contract'
import type { FullKey } from '../schema/definition-change.ts'

/** A definition file as it was read. */
export interface Definition {
  readonly path: string
  readonly keys: ReadonlyMap<string, DefinedKey>
  /** What has to be put right before it can be pushed. */
  readonly faults: readonly DefinitionFault[]
  /** What the author should know. */
  readonly warnings: readonly string[]
  /** The libraries the validators are of. Example: `['zod']`. */
  readonly vendors: readonly string[]
}

export interface DefinedKey extends FullKey {
  /** What the validator in the code says against a value; empty when it accepts it. */
  readonly check: (value: ConfigValue) => Promise<readonly string[]>
  /** How each fact was learned, in words. */
  readonly sources: readonly string[]
}

export interface DefinitionFault {
  readonly key: string
  readonly tier: Tier | undefined
  readonly line: number | undefined
  readonly detail: string
  /** What to do: one of these. */
  readonly fixes: readonly string[]
}

import { findNameCollisions, type ConfigValue, type Tier } from '@signalbox/contract'
import type { PresentedKey, StoredValue } from '../api/operations.ts'
import { CliError } from '../terminal/cli-error.ts'
import { toPrefixedName } from './env-name.ts'

/** Describes a variable of the env file. */
export interface CollectedEntry {
  readonly name: string
  readonly key: string
  readonly tier: Tier
  readonly value: ConfigValue
}

/** Holds the variables of an env file, and the keys that have none. */
export interface Collected {
  readonly entries: readonly CollectedEntry[]
  /** Lists the required keys without a value. */
  readonly missing: readonly string[]
  /** Lists the keys whose value this token may not read. */
  readonly hidden: readonly string[]
}

/** Describes the values to turn into variables. */
export interface EntriesRequest {
  readonly schema: Readonly<Record<string, PresentedKey>>
  readonly values: Readonly<Record<string, StoredValue>>
  /** Holds the prefix for public values and flags. */
  readonly prefix: string
}

/**
 * Collects the variables of an environment.
 *
 * @throws {CliError} when two keys become one variable
 */
export function collectEntries({ schema, values, prefix }: EntriesRequest): Collected {
  // Of every key, also one without a value: whoever sets it later should not be the first to hear of it.
  assertDistinctNames(Object.keys(schema), (key) =>
    toPrefixedName(key, schema[key] ?? { tier: 'secret' }, prefix),
  )
  const entries: CollectedEntry[] = []
  const missing: string[] = []
  const hidden: string[] = []
  for (const [key, stored] of Object.entries(values)) {
    const name = toPrefixedName(key, stored, prefix)
    if (stored.value !== undefined)
      entries.push({ name, key, tier: stored.tier, value: stored.value })
    else if (stored.source !== 'missing') hidden.push(key)
    else if (schema[key]?.required === true) missing.push(key)
  }
  return { entries, missing, hidden }
}

/**
 * Throws when two keys become the same variable. `toName` says how a key is named; default without a prefix.
 *
 * @throws {CliError} `name_collision` naming the keys
 */
export function assertDistinctNames(
  keys: Iterable<string>,
  toName?: (key: string) => string,
): void {
  const collisions = [...findNameCollisions(keys, toName)]
  if (collisions.length === 0) return
  throw new CliError('validation', 'name_collision', 'Two keys become the same variable.', {
    details: collisions.map(([name, names]) => `${name}: ${names.join(', ')}`),
    advice: 'Rename one of them in the definition.',
  })
}

import {
  controlsPrograms,
  findNameCollisions,
  Problem,
  publishingPrefix,
  toEnvName,
  type ConfigValue,
} from '@signalbox/contract'
import type { Query } from './query.ts'

/** Holds the values that become variables, by key. */
export interface VariableValues {
  readonly open: Readonly<Record<string, ConfigValue>>
  readonly secret: Readonly<Record<string, ConfigValue>>
}

/** Selects the variables of an answer. */
export type Variables = 'all' | 'secrets'

/**
 * Returns which variables a read asks for; `undefined` for a read of values by key.
 *
 * @throws {Problem} `invalid_query` for a word that is not known
 */
export function parseVariables({ names, only }: Query): Variables | undefined {
  if (names !== undefined && names !== 'keys' && names !== 'variables') {
    throw new Problem('invalid_query', 'The parameter "names" is "keys" or "variables".')
  }
  if (only !== undefined && only !== 'secrets') {
    throw new Problem('invalid_query', 'The parameter "only" is "secrets", or left out.')
  }
  if (names === 'variables') return only ?? 'all'
  if (only === undefined) return undefined
  throw new Problem('invalid_query', 'The parameter "only" needs names=variables beside it.')
}

/** Returns the ETag content of the variables of a snapshot, which differs from that of its values by key. */
export function variablesEtag(etag: string, variables: Variables): string {
  return `${etag}-variables${variables === 'all' ? '' : '-secrets'}`
}

/**
 * Renders values as one flat JSON object of strings, by the names of their environment variables.
 *
 * @throws {Problem} `unusable_variable` naming every key that has no variable of its own, and none of a value
 */
export function renderVariables({ open, secret }: VariableValues, variables: Variables): string {
  const all = { ...open, ...secret }
  const violations = [
    // Counts the keys that are left out too: a program may read both halves.
    ...[...findNameCollisions(Object.keys(all))].map(
      ([name, keys]) => `${keys.join(' and ')} become the same variable ${name}`,
    ),
    ...Object.entries(all).flatMap(([key, value]) => violationOf(key, value)),
    ...Object.keys(secret).flatMap(publishedViolation),
  ]
  if (violations.length > 0) {
    throw new Problem(
      'unusable_variable',
      `${violations.join('; ')}. Rename the keys in the definition, or read the values by key, without names=variables.`,
    )
  }
  const chosen = variables === 'secrets' ? secret : all
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(chosen).map(([key, value]) => [toEnvName(key), String(value)]),
    ),
  )
}

function violationOf(key: string, value: ConfigValue): string[] {
  const name = toEnvName(key)
  if (controlsPrograms(name)) {
    return [`${key} becomes ${name}, which could run code in the program that reads it`]
  }
  if (typeof value === 'string' && value.includes('\0')) {
    return [`the value of ${key} contains a NUL character, which no variable can hold`]
  }
  return []
}

function publishedViolation(key: string): string[] {
  const name = toEnvName(key)
  return publishingPrefix(name) === undefined
    ? []
    : [`${key} is a secret, but bundlers publish a variable called ${name} to browsers`]
}

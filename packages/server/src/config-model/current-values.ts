import type { ConfigValue, ValueType } from '@signalbox/contract'
import type { Author } from '../audit/audit-event.ts'
import { notFound } from '../http/answers/problem-response.ts'

interface EntryMade {
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  readonly updatedBy: Author
}

/** Holds a value that browsers may read, with its author and time. */
export interface OpenEntry extends EntryMade {
  readonly value: ConfigValue
  /** The JSON text of the rules of a flag, as `normalizeRules` writes them; left out when it has none. */
  readonly rules?: string
}

/** Holds the sealed value of a secret key, with its author and time. */
export interface SecretEntry extends EntryMade {
  /** The JSON text of the value, sealed, as base64. */
  readonly sealed: string
  readonly type: ValueType
}

/**
 * Holds what an environment sets itself for a schema. Values whose key the schema has lost stay until they are deleted.
 */
export interface CurrentValues {
  readonly environmentId: string
  /** Counts every change. */
  readonly version: number
  /** Counts the changes that a browser can see. */
  readonly browserVersion: number
  /** The highest number that a version may have had in a database that this one has replaced. */
  readonly lostVersion: number
  /** The same of versions that a browser can see. */
  readonly lostBrowserVersion: number
  readonly openValues: Readonly<Record<string, OpenEntry>>
  readonly secretValues: Readonly<Record<string, SecretEntry>>
}

/** Returns current values to which nothing was ever written. */
export function emptyCurrentValues(environmentId: string): CurrentValues {
  return {
    environmentId,
    version: 0,
    browserVersion: 0,
    lostVersion: 0,
    lostBrowserVersion: 0,
    openValues: {},
    secretValues: {},
  }
}

/** Holds the current values of a schema by environment. */
export type CurrentValuesByEnvironment = ReadonlyMap<string, CurrentValues>

/** Returns the current values of an environment; throws {Problem} `not_found` when there are none. */
export function getCurrentValues(
  { currentValues }: { readonly currentValues: CurrentValuesByEnvironment },
  environmentId: string,
): CurrentValues {
  const current = currentValues.get(environmentId)
  if (current === undefined) throw notFound()
  return current
}

/** Returns every key that an environment sets itself, those that the schema has lost included. */
export function ownKeys(current: CurrentValues): string[] {
  return [...Object.keys(current.openValues), ...Object.keys(current.secretValues)]
}

/** Returns whether an environment sets a key itself. */
export function isOwnKey(current: CurrentValues | undefined, key: string): boolean {
  if (current === undefined) return false
  return Object.hasOwn(current.openValues, key) || Object.hasOwn(current.secretValues, key)
}

/** Returns whether an environment sets any value itself. */
export function hasOwnValues(current: CurrentValues): boolean {
  return ownKeys(current).length > 0
}

/** Returns whether an environment sets anything else than before. Edits keep the objects that they do not change. */
export function isEdited(was: CurrentValues, is: CurrentValues): boolean {
  return was.openValues !== is.openValues || was.secretValues !== is.secretValues
}

/** Returns the keys that an environment sets otherwise than before. Edits keep the objects that they do not change. */
export function listEdited(
  was: CurrentValues | undefined,
  is: CurrentValues | undefined,
): readonly string[] {
  const keys = new Set([
    ...differingKeys(was?.openValues, is?.openValues),
    ...differingKeys(was?.secretValues, is?.secretValues),
  ])
  return [...keys]
}

function differingKeys<E>(
  one: Readonly<Record<string, E>> = {},
  other: Readonly<Record<string, E>> = {},
): readonly string[] {
  if (one === other) return []
  return [one, other].flatMap(Object.keys).filter((key) => one[key] !== other[key])
}

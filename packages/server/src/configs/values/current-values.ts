import type { ConfigValue, ValueType } from '@signalbox/contract'
import type { Author } from '../../audit/audit-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'

interface EntryMade {
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  readonly updatedBy: Author
}

/** A value of a key that browsers may read. */
export interface OpenEntry extends EntryMade {
  readonly value: ConfigValue
  /** The JSON text of the rules of a flag, as `normalizeRules` writes them; left out when it has none. */
  readonly rules?: string
}

/** A value of a secret key. */
export interface SecretEntry extends EntryMade {
  /** The JSON text of the value, sealed, as base64. */
  readonly sealed: string
  readonly type: ValueType
}

/** What an environment sets itself for a schema. Values whose key the schema has lost stay until they are deleted. */
export interface CurrentValues {
  readonly environmentId: string
  /** Counts every change. */
  readonly version: number
  /** Counts the changes that a browser can see. */
  readonly browserVersion: number
  readonly openValues: Readonly<Record<string, OpenEntry>>
  readonly secretValues: Readonly<Record<string, SecretEntry>>
}

/** The heads of a schema by environment. */
export type CurrentValuesByEnvironment = ReadonlyMap<string, CurrentValues>

/** Returns the head of an environment; throws {Problem} `not_found` when there is none. */
export function getCurrentValues(
  { currentValues }: { readonly currentValues: CurrentValuesByEnvironment },
  environmentId: string,
): CurrentValues {
  const current = currentValues.get(environmentId)
  if (current === undefined) throw notFound()
  return current
}

/** Every key an environment sets itself, whether or not the schema still has it. */
export function ownKeys(current: CurrentValues): string[] {
  return [...Object.keys(current.openValues), ...Object.keys(current.secretValues)]
}

export function hasOwnValues(current: CurrentValues): boolean {
  return ownKeys(current).length > 0
}

/** Returns whether an environment sets anything else than before. Edits keep the objects that they do not change. */
export function isEdited(was: CurrentValues, is: CurrentValues): boolean {
  return was.openValues !== is.openValues || was.secretValues !== is.secretValues
}

import type { Definition } from '../definition/definition.ts'
import { findValueViolations, type ValueViolations } from '../definition/validate-values.ts'
import type { SchemaTarget } from '../target.ts'
import { readValues } from '../values/read-values.ts'

/** Holds the violations of stored values, and the keys about which nothing is known. */
export interface StoredViolations extends ValueViolations {
  /** Lists the declared keys that have a value which this token may not read. */
  readonly unread: readonly string[]
}

/**
 * Runs the validators of the code on the values that a program would start with after a push. `only` names the keys to read;
 * by default all.
 */
export async function validateStored(
  definition: Pick<Definition, 'keys'>,
  target: SchemaTarget,
  only?: readonly string[],
): Promise<StoredViolations> {
  const { values: stored } = await readValues(target, only)
  const declared = [...definition.keys].flatMap(([key, defined]) => {
    const entry = Object.hasOwn(stored, key) ? stored[key] : undefined
    // A push replaces the stored default with the declared one.
    const isReplaced =
      entry?.source === 'default' && !(defined.hasDefault && defined.default === undefined)
    return entry === undefined || entry.source === 'missing' || isReplaced
      ? []
      : [{ key, ...entry }]
  })
  const unread = declared.filter(({ value }) => value === undefined).map(({ key }) => key)
  const known = declared.flatMap(({ key, value }) =>
    value === undefined ? [] : [[key, value] as const],
  )
  const { missing, invalid } = await findValueViolations(definition, Object.fromEntries(known))
  return { invalid, unread, missing: missing.filter((key) => !unread.includes(key)) }
}

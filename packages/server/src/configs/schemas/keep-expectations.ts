import type { SchemaDefinition } from '@signalbox/contract'
import type { ParsedDefinition } from './parse-definition.ts'
import type { SchemaRow } from './schema-rows.ts'

/**
 * Returns the definition with the stored `expectedToDiffer` of keys that say nothing about it. A push of code that does
 * not know it would take it away otherwise.
 */
export function keepExpectations(
  { definition: stored }: Pick<SchemaRow, 'definition'>,
  parsed: ParsedDefinition,
  declared: SchemaDefinition,
): ParsedDefinition {
  const definition = new Map(parsed.definition)
  for (const [key, rule] of parsed.definition) {
    const isKept =
      declared[key]?.expectedToDiffer === undefined && stored[key]?.expectedToDiffer === true
    if (isKept) definition.set(key, { ...rule, expectedToDiffer: true })
  }
  return { ...parsed, definition }
}

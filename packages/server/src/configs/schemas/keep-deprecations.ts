import type { ParsedDefinition } from './parse-definition.ts'
import type { SchemaRow } from './schema-rows.ts'

/**
 * Returns the definition with the stored deprecations of keys that say nothing about it. A push, which cannot say it,
 * would take them away otherwise.
 */
export function keepDeprecations(
  { definition: stored }: Pick<SchemaRow, 'definition'>,
  parsed: ParsedDefinition,
): ParsedDefinition {
  const definition = new Map(parsed.definition)
  for (const key of parsed.keptDeprecations) {
    const rule = definition.get(key)
    const isKept = rule !== undefined && stored[key]?.deprecated === true
    if (isKept) definition.set(key, { ...rule, deprecated: true })
  }
  return { ...parsed, definition }
}

import { fitsTier } from '@signalbox/contract'
import type { KeyRule } from '../../config-model/definition.ts'
import type { ParsedDefinition, UnsaidField } from '../../config-model/parse-definition.ts'
import type { SchemaRow } from './schema-rows.ts'

/**
 * Returns the definition with the stored deprecations, expected differences and notes of keys that say nothing about them. A push from code
 * that does not know them would take them away otherwise. A key that is no flag any more loses what only flags have.
 */
export function keepUnsaid(
  { definition: stored }: Pick<SchemaRow, 'definition'>,
  parsed: ParsedDefinition,
): ParsedDefinition {
  const definition = new Map(parsed.definition)
  for (const [key, fields] of parsed.unsaid) {
    const rule = definition.get(key)
    const before = stored[key]
    if (rule === undefined || before === undefined) continue
    const keptFields = fields.filter(
      (field) => field === 'deprecated' || fitsTier(field, rule.tier),
    )
    definition.set(key, { ...rule, ...pick(before, keptFields) })
  }
  return { ...parsed, definition }
}

function pick(rule: KeyRule, fields: readonly UnsaidField[]): Partial<KeyRule> {
  const entries = fields.map((field) => [field, rule[field]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

import { createFlagEvaluator, type EvaluationContext, type WrittenRule } from '@signalbox/contract'
import type { ImportedKey } from '../importer.ts'

/** Decides an imported flag as a client does. */
export interface PreparedFlag {
  readonly hasShare: boolean
  readonly decide: (context: EvaluationContext) => boolean
}

/**
 * Prepares a flag that is said to be exact. `harmless` lists the codes of issues about contexts that the caller does not have.
 * `undefined`: it is left out, or differs.
 */
export function prepareImported(
  key: ImportedKey | undefined,
  harmless: ReadonlySet<string> = new Set(),
): PreparedFlag | undefined {
  const isExact = key?.issues.every(
    ({ severity, code }) => severity === 'low' || harmless.has(code),
  )
  if (key === undefined || isExact !== true) return undefined
  const [{ value, rules = [] } = { value: false }] = key.values
  const decide = createFlagEvaluator({
    schemaId: 'sch_1',
    key: key.key,
    value: value === true,
    rules: rules as WrittenRule[],
  })
  return {
    hasShare: JSON.stringify(rules).includes('"share"'),
    decide: (context) => decide(context).value,
  }
}

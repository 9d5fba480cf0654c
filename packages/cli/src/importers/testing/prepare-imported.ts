import type { ConfigValue, EvaluationContext } from '@signalbox/contract'
import { prepareOwn } from '../compare/compare-flags.ts'
import type { ImportedKey } from '../importer.ts'

/** Decides an imported key as a client does. */
export interface PreparedFlag {
  readonly hasShare: boolean
  readonly decide: (context: EvaluationContext) => ConfigValue
}

/**
 * Prepares a key that is said to be exact. `harmless` lists the codes of issues about contexts that the caller does not have.
 * `undefined`: it is left out, or differs.
 */
export function prepareImported(
  key: ImportedKey | undefined,
  harmless: ReadonlySet<string> = new Set(),
): PreparedFlag | undefined {
  const isExact = key?.issues.every(
    ({ severity, code }) => severity === 'low' || harmless.has(code),
  )
  const [own] = key?.values ?? []
  if (key === undefined || own === undefined || isExact !== true) return undefined
  return {
    hasShare: JSON.stringify(own.rules ?? []).includes('"share"'),
    decide: prepareOwn(key, own),
  }
}

import type { ValueSource } from './config.ts'
import type { ConfigValue } from './values/value-types.ts'
import type { FlagRule } from './flags/flag-rules.ts'
import { canonicalJson } from './values/json-value.ts'

/** Lists the sources of a cell's value in the matrix. `missing`: there is none, and the schema requires one; `unset`: there is none. */
export const cellSources = ['set', 'inherited', 'default', 'missing', 'unset'] as const
export type CellSource = (typeof cellSources)[number]

/** Describes a key in one environment as `findDrift` compares it. */
export interface ComparedCell {
  readonly source: CellSource | ValueSource
  /** Holds the value. Absent for a secret. */
  readonly value?: ConfigValue | undefined
  readonly rules?: readonly FlagRule[] | undefined
  /** Represents a secret: equal marks of one key are equal values. Absent for callers who may not compare secrets. */
  readonly mark?: number | undefined
}

/**
 * Returns whether a key differs between environments: in its value, in the rules of a flag, or because only some have
 * a value. The source of a value makes no difference. `undefined`: they hold secrets that cannot be compared.
 */
export function findDrift(cells: readonly ComparedCell[]): boolean | undefined {
  const [first] = cells
  if (first === undefined) return false
  const has = hasValue(first)
  if (cells.some((cell) => hasValue(cell) !== has)) return true
  if (!has) return false
  if (cells.some(isIncomparable)) return undefined
  const text = canonicalCell(first)
  return cells.some((cell) => canonicalCell(cell) !== text)
}

/** Returns the JSON text of a cell's whole value. The texts of two cells of a key are equal exactly when their values are. */
export function canonicalCell({ value, rules, mark }: ComparedCell): string {
  return canonicalJson(
    rules === undefined || rules.length === 0 ? { value, mark } : { value, mark, rules },
  )
}

function hasValue({ source }: ComparedCell): boolean {
  return source !== 'missing' && source !== 'unset'
}

function isIncomparable({ value, mark }: ComparedCell): boolean {
  return value === undefined && mark === undefined
}

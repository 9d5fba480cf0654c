import {
  sameValue,
  typeNouns,
  typeOfValue,
  type ConfigValue,
  type KeyNotes,
  type ValueType,
} from '@signalbox/contract'
import { findPartViolation } from './find-part-violation.ts'
import type { Part } from './part.ts'
import { findPlainViolation, type PlainRules } from './plain-violation.ts'

/** Describes the keywords of JSON Schema 2020-12 that apply to one value, and the notes about a key. */
export interface Fragment extends KeyNotes, PlainRules {
  readonly type?: ValueType | 'integer' | undefined
  /** Holds the JSON Schema of an object or a list. */
  readonly schema?: Part | undefined
  readonly enum?: readonly ConfigValue[] | undefined
  readonly const?: ConfigValue | undefined
  readonly default?: ConfigValue | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
}

function typeViolation(type: Fragment['type'], value: unknown): string | undefined {
  if (type === undefined) return undefined
  if (type === 'integer') return Number.isInteger(value) ? undefined : 'must be an integer'
  if (typeOfValue(value) !== type) return `must be ${typeNouns[type]}`
  return typeof value === 'number' && !Number.isFinite(value) ? 'must be finite' : undefined
}

/** Returns what is wrong with `value`, without repeating it, or `undefined` when nothing is. */
export function violationOf(fragment: Fragment, value: unknown): string | undefined {
  const violation = typeViolation(fragment.type, value)
  if (violation !== undefined) return violation
  const options = fragment.const === undefined ? fragment.enum : [fragment.const]
  if (options && !options.some((option) => sameValue(option, value))) {
    return `must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}`
  }
  if (typeof value === 'string' || typeof value === 'number') {
    return findPlainViolation(fragment, value)
  }
  if (fragment.type === 'json') return findPartViolation(fragment.schema, value)
  return typeof value === 'boolean' ? undefined : 'must be a string, a number or a boolean'
}

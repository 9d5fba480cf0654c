import {
  findLimitViolation,
  keyNamePattern,
  nearestName,
  type ConfigValue,
  type ProblemLocation,
} from '@signalbox/contract'
import type { Definition, KeyRule } from '../definition.ts'
import { compileConstraints } from './compile-constraints.ts'
import { matchSteps, measureConstraints } from './constraint-work.ts'
import { isConfigValue } from './constraint-vocabulary.ts'

/** Describes what is wrong with a value and what to do. It never repeats the value, which may be a secret. */
export type ValueViolation = Omit<ProblemLocation, 'pointer'>

/** Returns what is wrong with `value` as the value of a key, or `undefined`. */
export function findValueViolation(rule: KeyRule, value: unknown): ValueViolation | undefined {
  if (!isConfigValue(value) || typeof value !== rule.type) {
    return { code: 'type_mismatch', detail: `Use a ${rule.type}.` }
  }
  return findLimitViolation(value) ?? findConstraintViolation(rule, value)
}

/** Returns the steps (of `CheckWork`) that checking a value costs. */
export function stepsOf(rule: KeyRule | undefined, value: unknown): number {
  return rule?.constraints === undefined
    ? 1
    : 1 + matchSteps(measureConstraints(rule.constraints), value)
}

function findConstraintViolation(rule: KeyRule, value: ConfigValue): ValueViolation | undefined {
  if (rule.constraints === undefined) return undefined
  const detail = compileConstraints(rule.type, rule.constraints)(value)
  return detail === undefined ? undefined : { code: 'schema_violation', detail }
}

/**
 * Returns the violation of a key that the schema does not have. It suggests the key of `definition` with the most similar
 * name.
 */
export function unknownKey(definition: Definition | undefined, key: string): ValueViolation {
  const similar = [...(definition?.keys() ?? [])].filter(
    (known) => Math.abs(known.length - key.length) <= 3,
  )
  const nearest = keyNamePattern.test(key) ? nearestName(key, similar) : undefined
  const advice =
    nearest === undefined ? 'Add it to the schema first.' : `Did you mean "${nearest}"?`
  return { code: 'unknown_key', detail: `The schema has no such key. ${advice}` }
}

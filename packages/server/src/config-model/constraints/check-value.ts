import {
  findLimitViolation,
  isConfigValue,
  keyNamePattern,
  nearestName,
  typeNouns,
  typeOfValue,
  type ConfigValue,
  type ProblemLocation,
} from '@signalbox/contract'
import type { Definition, KeyRule } from '../definition.ts'
import { compileConstraints } from './compile-constraints.ts'
import { matchSteps, measureConstraints } from './constraint-work.ts'
import { toJsonPointer } from '../../http/input/json-pointer.ts'

/** Describes what is wrong with a value and what to do. It never repeats the value, which may be a secret. */
export interface ValueViolation extends Omit<ProblemLocation, 'pointer'> {
  /** Leads to the part of an object or a list that is wrong. */
  readonly path?: readonly (string | number)[] | undefined
}

/** Returns a violation with the pointer to it, where `path` leads to the value. */
export function locateViolation(
  path: readonly (string | number)[],
  { path: within = [], ...violation }: ValueViolation,
): ProblemLocation {
  return { pointer: toJsonPointer([...path, ...within]), ...violation }
}

/** Returns what is wrong with `value` as the value of a key, or `undefined`. */
export function findValueViolation(rule: KeyRule, value: unknown): ValueViolation | undefined {
  if (!isConfigValue(value) || typeOfValue(value) !== rule.type) {
    return { code: 'type_mismatch', detail: `Use ${typeNouns[rule.type]}.` }
  }
  const violation: ValueViolation | undefined =
    findLimitViolation(value) ?? findConstraintViolation(rule, value)
  return violation?.path === undefined
    ? violation
    : { ...violation, path: showPath(rule, violation.path) }
}

/** Returns as much of a path as may be shown: a name in a secret is a part of the secret, unless its schema names it too. */
function showPath({ tier, constraints = {} }: KeyRule, path: readonly (string | number)[]) {
  if (tier !== 'secret') return path
  const { members } = measureConstraints(constraints)
  const hidden = path.findIndex((name) => typeof name === 'string' && !members.has(name))
  return hidden === -1 ? path : path.slice(0, hidden)
}

/** Returns the steps (of `CheckWork`) that checking a value costs. */
export function stepsOf(rule: KeyRule | undefined, value: unknown): number {
  return rule?.constraints === undefined
    ? 1
    : 1 + matchSteps(measureConstraints(rule.constraints), value)
}

function findConstraintViolation(rule: KeyRule, value: ConfigValue): ValueViolation | undefined {
  if (rule.constraints === undefined) return undefined
  const broken = compileConstraints(rule.type, rule.constraints)(value)
  return broken && { code: 'schema_violation', ...broken }
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

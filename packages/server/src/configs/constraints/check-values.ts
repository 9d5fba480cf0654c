import {
  keyNamePattern,
  limits,
  nearestName,
  type ConfigValue,
  type ProblemPlace,
} from '@signalbox/contract'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import { createCheckWork, type CheckWork } from './check-work.ts'
import { compileConstraints } from './compile-constraints.ts'
import { matchSteps, measureConstraints } from './constraint-work.ts'
import { isConfigValue } from './constraint-vocabulary.ts'
import type { Definition, KeyRule } from '../schemas/definition.ts'

/** What is wrong with a value; says what to do and never repeats the value, which may be a secret. */
export type ValueFault = Omit<ProblemPlace, 'pointer'>

/** What is wrong with `value` as the value of a key, or `undefined`. */
export function findValueFault(rule: KeyRule, value: unknown): ValueFault | undefined {
  if (!isConfigValue(value) || typeof value !== rule.type) {
    return { code: 'type_mismatch', detail: `Give a ${rule.type}.` }
  }
  return findTextFault(value) ?? findNumberFault(value) ?? findConstraintFault(rule, value)
}

/** What finding the fault of a value costs. */
export function stepsOf(rule: KeyRule | undefined, value: unknown): number {
  return rule?.constraints === undefined
    ? 1
    : 1 + matchSteps(measureConstraints(rule.constraints), value)
}

function findTextFault(value: ConfigValue): ValueFault | undefined {
  if (typeof value !== 'string') return undefined
  if (Buffer.byteLength(value) > limits.valueBytes) {
    const detail = `Shorten the value to ${limits.valueBytes} bytes of UTF-8.`
    return { code: 'value_too_large', detail }
  }
  if (value.includes('\0') || !value.isWellFormed()) {
    const detail = 'Give a text without NUL and without halves of surrogate pairs.'
    return { code: 'ill_formed_text', detail }
  }
  return undefined
}

function findNumberFault(value: ConfigValue): ValueFault | undefined {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return undefined
  const detail = 'Give a number between -9007199254740991 and 9007199254740991.'
  return { code: 'number_out_of_range', detail }
}

function findConstraintFault(rule: KeyRule, value: ConfigValue): ValueFault | undefined {
  if (rule.constraints === undefined) return undefined
  const detail = compileConstraints(rule.type, rule.constraints)(value)
  return detail === undefined ? undefined : { code: 'schema_violation', detail }
}

/** Values that may be stored, or every fault with its place. */
export type CheckedValues =
  | { readonly values: ReadonlyMap<string, ConfigValue> }
  | { readonly faults: readonly ProblemPlace[] }

/**
 * Checks given values key by key. `path` leads to them in the request.
 *
 * @throws {Problem} `validation_failed` when it is too much work
 */
export async function checkValues(
  definition: Definition,
  given: Readonly<Record<string, unknown>>,
  path: readonly string[] = ['values'],
  work: CheckWork = createCheckWork(),
): Promise<CheckedValues> {
  const values = new Map<string, ConfigValue>()
  const faults: ProblemPlace[] = []
  for (const [key, value] of Object.entries(given)) {
    const rule = definition.get(key)
    const turn = work.begin(stepsOf(rule, value))
    if (turn !== undefined) await turn
    const fault =
      rule === undefined
        ? unknownKey(faults.length < hintedFaults ? definition : undefined, key)
        : findValueFault(rule, value)
    if (fault !== undefined) faults.push({ pointer: toJsonPointer([...path, key]), ...fault })
    else if (isConfigValue(value)) values.set(key, value)
  }
  return faults.length > 0 ? { faults } : { values }
}

/** Comparing names costs time: a request full of unknown keys gets no more hints than a person would read. */
const hintedFaults = 3

/** That the schema has no such key, and which key of `definition` was probably meant. */
export function unknownKey(definition: Definition | undefined, key: string): ValueFault {
  const similar = [...(definition?.keys() ?? [])].filter(
    (known) => Math.abs(known.length - key.length) <= 3,
  )
  const nearest = keyNamePattern.test(key) ? nearestName(key, similar) : undefined
  const hint = nearest === undefined ? 'Add it to the schema first.' : `Did you mean "${nearest}"?`
  return { code: 'unknown_key', detail: `The schema has no such key. ${hint}` }
}

import {
  nearestName,
  takesRules,
  typeNouns,
  typeOfValue,
  type FlagRule,
  type Serve,
  type ServedValue,
  type ServedVariant,
} from '@signalbox/contract'
import { isFlag, type KeyRule } from '../definition.ts'
import { parseRules } from '../segment-texts.ts'
import { findValueViolation, stepsOf, type ValueViolation } from './check-value.ts'
import type { CheckWork } from './check-work.ts'

/** Describes what is wrong with something that a rule serves, and where it stands among the rules. */
export interface ServedViolation extends ValueViolation {
  /** Example: `['0', 'serve', 'value']`. */
  readonly at: readonly string[]
}

/**
 * Returns what is wrong with what rules serve, by the same checks as the value of their key.
 *
 * @throws {Problem} `validation_failed` when it is too much work
 */
export async function findServedViolations(
  rule: KeyRule,
  rules: readonly FlagRule[],
  work: CheckWork,
): Promise<readonly ServedViolation[]> {
  const violations: ServedViolation[] = []
  for (const [index, { serve }] of rules.entries()) {
    for (const { served, at } of listServed(serve)) {
      const isValue = typeof served === 'object' && 'value' in served
      const turn = work.begin(isValue ? stepsOf(rule, served.value) : 1)
      if (turn !== undefined) await turn
      const violation = findViolation(rule, served)
      if (violation === undefined) continue
      violations.push({ ...violation, at: [String(index), 'serve', ...at] })
    }
  }
  return violations
}

/**
 * Returns the first thing that is wrong with what the stored text of rules serves, as rules of `rule` now. `undefined`: nothing, or
 * the key takes no rules.
 *
 * @throws {Problem} `validation_failed` when it is too much work
 */
export async function findStoredViolation(
  rule: KeyRule | undefined,
  text: string | null | undefined,
  work: CheckWork,
): Promise<ValueViolation | undefined> {
  if (rule === undefined || !takesRules(rule) || text === null || text === undefined)
    return undefined
  if (servesOnAndOff(rule, text)) return undefined
  const [first] = await findServedViolations(rule, parseRules(text), work)
  return first && { code: first.code, detail: `Rule ${Number(first.at[0]) + 1}: ${first.detail}` }
}

/** Returns whether readers may get what the stored text of rules serves: values of the key's type, and variants that it declares. */
export function servesTypes(rule: KeyRule, text: string): boolean {
  const other = isFlag(rule) ? servesOther : servesOtherThan[rule.type]
  if (!other.test(text)) return true
  return parseRules(text).every(({ serve }) =>
    listServed(serve).every(({ served }) => hasServedType(rule, served)),
  )
}

/** Returns whether rules are those of a flag and serve on and off alone, as most do. They are not parsed. */
function servesOnAndOff(rule: KeyRule, text: string): boolean {
  return isFlag(rule) && !servesOther.test(text)
}

/** Matches stored rules that serve something else than on and off. A quotation mark within a value has a backslash before it. */
const servesOther = /"serve":\{"(?:value|variant|split)"/

/** Match stored rules that serve something else than one value of the type, such as a split: every write looks through all rules. */
const servesOtherThan: Readonly<Record<KeyRule['type'], RegExp>> = {
  string: /"serve":(?!\{"value":")/,
  number: /"serve":(?!\{"value":[-\d])/,
  boolean: /"serve":(?!\{"value":[tf])/,
  json: /"serve":(?!\{"value":[{[])/,
}

type Served = boolean | ServedValue | ServedVariant

/** Returns everything that a rule serves, each with its place in `serve`. */
function listServed(serve: Serve): readonly { served: Served; at: readonly string[] }[] {
  if (typeof serve === 'boolean' || 'percent' in serve) return [{ served: true, at: [] }]
  if (!('split' in serve)) return [{ served: serve, at: [nameOf(serve)] }]
  return serve.split.map((part, index) => ({
    served: part,
    at: ['split', String(index), nameOf(part)],
  }))
}

function nameOf(served: ServedValue | ServedVariant): 'value' | 'variant' {
  return 'variant' in served ? 'variant' : 'value'
}

function hasServedType(rule: KeyRule, served: Served): boolean {
  if (typeof served === 'boolean') return isFlag(rule)
  if ('variant' in served)
    return rule.variants?.some(({ name }) => name === served.variant) === true
  return !isFlag(rule) && typeOfValue(served.value) === rule.type
}

function findViolation(rule: KeyRule, served: Served): ValueViolation | undefined {
  if (isFlag(rule)) return findFlagViolation(rule, served)
  if (typeof served === 'object' && 'value' in served) return findValueViolation(rule, served.value)
  const detail = `Serve ${typeNouns[rule.type]}, such as { "value": … }, or a split of them.`
  return { code: 'type_mismatch', detail }
}

function findFlagViolation(rule: KeyRule, served: Served): ValueViolation | undefined {
  if (hasServedType(rule, served)) return undefined
  const names = rule.variants?.map(({ name }) => name) ?? []
  if (names.length === 0) {
    const detail =
      'A flag serves true, false or a share of true. For variants, declare them in the schema.'
    return { code: 'type_mismatch', detail }
  }
  if (typeof served === 'boolean' || !('variant' in served)) {
    const detail = 'A flag serves true, false, a share of true, or one of its variants.'
    return { code: 'type_mismatch', detail }
  }
  const nearest = nearestName(served.variant, names)
  const advice =
    nearest === undefined ? `Use one of ${names.join(', ')}.` : `Did you mean "${nearest}"?`
  return { code: 'validation_failed', detail: `The flag declares no such variant. ${advice}` }
}

import {
  boundRules,
  findContradictions,
  nearestName,
  numberFormats,
  textFormats,
  type ConfigValue,
  type ProblemCode,
  type ValueType,
} from '@signalbox/contract'
import { findWorkViolation, measureConstraints } from './constraint-work.ts'
import { parsePattern } from './linear-pattern.ts'

/** Describes what is wrong inside a constraints object, and where. */
export interface ConstraintViolation {
  /** The members and indexes that lead there. Example: `['anyOf', 0, 'pattern']`. */
  readonly path: readonly (string | number)[]
  readonly code: ProblemCode
  readonly detail: string
}

/** Returns what is wrong with a keyword's value, or `undefined`. */
type Rule = (value: unknown, type: ValueType) => string | undefined

const combinationDepthMax = 4
const branchesMax = 20

const isText: Rule = (value) => (typeof value === 'string' ? undefined : 'Use text.')
const isFlag: Rule = (value) => (typeof value === 'boolean' ? undefined : 'Use true or false.')
const isPattern: Rule = (value) => {
  if (typeof value !== 'string') return 'Use a regular expression as text.'
  const parsed = parsePattern(value)
  return 'violation' in parsed ? parsed.violation : undefined
}

const isFormat: Rule = (value, type) => {
  const known: readonly string[] = type === 'number' ? numberFormats : textFormats
  if (typeof value === 'string' && known.some((name) => name === value)) return undefined
  return `A ${type} has no such format. ${suggest(known, value)}`
}

const isOfType: Rule = (value, type) => (typeof value === type ? undefined : `Use a ${type}.`)

const isChoice: Rule = (value, type) => {
  if (!Array.isArray(value) || value.length === 0) return `Use an array of one ${type} or more.`
  if (value.some((item) => typeof item !== type)) return `Every item must be a ${type}.`
  return new Set(value).size === value.length ? undefined : 'Use each item once.'
}

const isTypeName: Rule = (value, type) => {
  if (value === type || (type === 'number' && value === 'integer')) return undefined
  return type === 'number'
    ? 'Use "number" or "integer", or leave it out.'
    : `Use "${type}", the type of the key, or leave it out.`
}

const everyType: Readonly<Record<string, Rule>> = {
  type: isTypeName,
  enum: isChoice,
  const: isOfType,
  title: isText,
  description: isText,
  $comment: isText,
  deprecated: isFlag,
  examples: isChoice,
}

const ofType: Readonly<Record<ValueType, Readonly<Record<string, Rule>>>> = {
  string: { ...boundRules.string, pattern: isPattern, format: isFormat },
  number: { ...boundRules.number, format: isFormat },
  boolean: {},
}

/** Keywords that hold further fragments about the same value. */
const combinations = new Set(['allOf', 'anyOf', 'oneOf', 'not'])

/**
 * Returns every violation of the constraints of a key: keywords that JSON Schema 2020-12 does not have, that do not fit the
 * type, or whose value makes no sense. Constraints without a violation can be compiled.
 */
export function findConstraintViolations(
  type: ValueType,
  constraints: Readonly<Record<string, unknown>>,
): ConstraintViolation[] {
  const detail = findWorkViolation(measureConstraints(constraints))
  if (detail !== undefined) return [{ path: [], code: 'validation_failed', detail }]
  return violationsOf({ type, depth: 0 }, constraints)
}

interface FragmentContext {
  readonly type: ValueType
  readonly depth: number
}

function violationsOf(
  context: FragmentContext,
  fragment: Readonly<Record<string, unknown>>,
): ConstraintViolation[] {
  const violations = Object.entries(fragment).flatMap(([keyword, value]) =>
    combinations.has(keyword)
      ? combinationViolations(context, keyword, value)
      : keywordViolations(context.type, keyword, value),
  )
  if (violations.length > 0) return violations
  return findContradictions(fragment).map(({ keyword, detail }) => ({
    path: [keyword],
    code: 'validation_failed',
    detail,
  }))
}

function keywordViolations(
  type: ValueType,
  keyword: string,
  value: unknown,
): ConstraintViolation[] {
  const rules = new Map(Object.entries({ ...everyType, ...ofType[type] }))
  const rule = rules.get(keyword)
  if (rule === undefined) {
    return [{ path: [keyword], code: 'unknown_field', detail: unknownKeyword(type, keyword) }]
  }
  const detail = rule(value, type)
  return detail === undefined ? [] : [{ path: [keyword], code: 'validation_failed', detail }]
}

function unknownKeyword(type: ValueType, keyword: string): string {
  const other = Object.entries(ofType).find(([, rules]) => Object.hasOwn(rules, keyword))
  if (other !== undefined) return `This keyword applies to a ${other[0]}, but the key is a ${type}.`
  const known = [...Object.keys(everyType), ...Object.keys(ofType[type]), ...combinations]
  return `A ${type} has no such keyword. ${suggest(known, keyword)}`
}

const comparedUnitsMax = 40

function suggest(known: readonly string[], name: unknown): string {
  const nearest =
    typeof name === 'string' && name.length <= comparedUnitsMax
      ? nearestName(name, known)
      : undefined
  return nearest === undefined ? `Choose one of ${known.join(', ')}.` : `Did you mean ${nearest}?`
}

function combinationViolations(
  context: FragmentContext,
  keyword: string,
  value: unknown,
): ConstraintViolation[] {
  const violation = (detail: string): ConstraintViolation[] => [
    { path: [keyword], code: 'validation_failed', detail },
  ]
  if (context.depth >= combinationDepthMax) {
    return violation(`Nest combinations at most ${combinationDepthMax} deep.`)
  }
  if (keyword === 'not')
    return isFragment(value) ? within(context, [keyword], value) : violation(objectNeeded)
  if (!Array.isArray(value) || value.length === 0 || value.length > branchesMax) {
    return violation(`Use an array of 1 to ${branchesMax} constraint objects.`)
  }
  return value.flatMap((branch, index) =>
    isFragment(branch)
      ? within(context, [keyword, index], branch)
      : [{ path: [keyword, index], code: 'validation_failed', detail: objectNeeded } as const],
  )
}

const objectNeeded = 'Use an object of constraints.'

function isFragment(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function within(
  { type, depth }: FragmentContext,
  path: readonly (string | number)[],
  fragment: Readonly<Record<string, unknown>>,
): ConstraintViolation[] {
  return violationsOf({ type, depth: depth + 1 }, fragment).map(({ path: rest, code, detail }) => ({
    path: [...path, ...rest],
    code,
    detail,
  }))
}

/** Returns whether a value is of a type that configuration knows: text, number or boolean. */
export function isConfigValue(value: unknown): value is ConfigValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

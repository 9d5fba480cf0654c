import {
  boundRules,
  canonicalJson,
  findContradictions,
  nearestName,
  numberFormats,
  textFormats,
  typeNouns,
  typeOfValue,
  limits,
  type ProblemCode,
  type ValueType,
  valueTypes,
} from '@signalbox/contract'
import { findWorkViolation, measureConstraints, nesting } from './constraint-work.ts'
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
  const known: readonly string[] = knownFormats[type]
  if (typeof value === 'string' && known.some((name) => name === value)) return undefined
  return `${subjectOf(type)} has no such format. ${suggest(known, value)}`
}

const knownFormats: Readonly<Record<ValueType, readonly string[]>> = {
  string: textFormats,
  number: numberFormats,
  boolean: [],
  json: [...textFormats, ...numberFormats],
}

/** A part of a JSON value may be of any type. */
const isOfType: Rule = (value, type) =>
  type === 'json' || typeOfValue(value) === type ? undefined : `Use ${typeNouns[type]}.`

const isChoice: Rule = (value, type) => {
  if (!Array.isArray(value) || value.length === 0) return 'Use an array of one value or more.'
  if (value.some((item) => isOfType(item, type) !== undefined)) {
    return `Every item must be ${typeNouns[type]}.`
  }
  return new Set(value.map(canonicalJson)).size === value.length ? undefined : 'Use each item once.'
}

const partTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

const isPartType: Rule = (value) => {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isKnown = names.length > 0 && names.every((name) => partTypes.some((one) => one === name))
  return isKnown && new Set(names).size === names.length
    ? undefined
    : `Use one or more of ${partTypes.join(', ')}.`
}

const isNameList: Rule = (value) =>
  Array.isArray(value) &&
  value.every((name) => typeof name === 'string') &&
  new Set(value).size === value.length
    ? undefined
    : 'Use an array of names, each once.'

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
  json: {
    ...boundRules.string,
    ...boundRules.number,
    ...boundRules.json,
    pattern: isPattern,
    format: isFormat,
    type: isPartType,
    required: isNameList,
    uniqueItems: isFlag,
  },
}

/** Keywords that hold further fragments about the same value. */
const combinations = new Set(['allOf', 'anyOf', 'oneOf', 'not'])
/** Those, and the keywords that hold fragments about a part of it. */
const partKeywords = new Set([...nesting.one, ...nesting.list, ...nesting.byName])

function nestingOf(type: ValueType): ReadonlySet<string> {
  return type === 'json' ? partKeywords : combinations
}

/**
 * Returns every violation of the constraints of a key: keywords that JSON Schema 2020-12 does not have, that do not fit the
 * type, or whose value makes no sense. Constraints without a violation can be compiled.
 */
export function findConstraintViolations(
  type: ValueType,
  constraints: Readonly<Record<string, unknown>>,
): ConstraintViolation[] {
  const detail = findWorkViolation(measureConstraints(constraints), type)
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
    nestingOf(context.type).has(keyword)
      ? nestedViolations(context, keyword, value)
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
  const other = valueTypes.find(
    (one) => Object.hasOwn(ofType[one], keyword) || nestingOf(one).has(keyword),
  )
  if (other !== undefined) {
    return `This keyword applies to ${typeNouns[other]}, but the key is ${typeNouns[type]}.`
  }
  const known = [...Object.keys(everyType), ...Object.keys(ofType[type]), ...nestingOf(type)]
  return `${subjectOf(type)} has no such keyword. ${suggest(known, keyword)}`
}

/** Returns the noun of a type as it begins a sentence. */
function subjectOf(type: ValueType): string {
  return `A${typeNouns[type].slice(1)}`
}

const comparedUnitsMax = 40

function suggest(known: readonly string[], name: unknown): string {
  const nearest =
    typeof name === 'string' && name.length <= comparedUnitsMax
      ? nearestName(name, known)
      : undefined
  return nearest === undefined ? `Choose one of ${known.join(', ')}.` : `Did you mean ${nearest}?`
}

function nestedViolations(
  context: FragmentContext,
  keyword: string,
  value: unknown,
): ConstraintViolation[] {
  const violation = (detail: string): ConstraintViolation[] => [
    { path: [keyword], code: 'validation_failed', detail },
  ]
  const depthMax = context.type === 'json' ? limits.valueDepth : combinationDepthMax
  if (context.depth >= depthMax) return violation(`Nest combinations at most ${depthMax} deep.`)
  if (nesting.one.has(keyword)) return within(context, [keyword], value)
  if (nesting.byName.has(keyword)) {
    return isFragment(value) ? namedViolations(context, keyword, value) : violation(objectNeeded)
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > branchesMax) {
    return violation(`Use an array of 1 to ${branchesMax} constraint objects.`)
  }
  return value.flatMap((branch, index) => within(context, [keyword, index], branch))
}

function namedViolations(
  context: FragmentContext,
  keyword: string,
  fragments: Readonly<Record<string, unknown>>,
): ConstraintViolation[] {
  return Object.entries(fragments).flatMap(([name, fragment]) => {
    const path = [keyword, name]
    const detail = keyword === 'patternProperties' ? isPattern(name, context.type) : undefined
    if (detail !== undefined) return [{ path, code: 'validation_failed' as const, detail }]
    return within(context, path, fragment)
  })
}

const objectNeeded = 'Use an object of constraints.'

function isFragment(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function within(
  { type, depth }: FragmentContext,
  path: readonly (string | number)[],
  fragment: unknown,
): ConstraintViolation[] {
  // Of a part, `true` admits any value, and `false` none.
  if (type === 'json' && typeof fragment === 'boolean') return []
  if (!isFragment(fragment)) return [{ path, code: 'validation_failed', detail: objectNeeded }]
  return violationsOf({ type, depth: depth + 1 }, fragment).map(({ path: rest, code, detail }) => ({
    path: [...path, ...rest],
    code,
    detail,
  }))
}

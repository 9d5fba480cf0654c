import { targetingKey, type NumberOperator, type TextOperator } from '@signalbox/contract'
import {
  all,
  any,
  fitText,
  isOneOf,
  negate,
  never,
  one,
  type Alternatives,
} from '../alternatives.ts'
import type { LeftOut } from '../importer.ts'
import { done, leaveOut, type Issues } from '../issues.ts'
import { isInNumbers, toTyped } from '../one-environment.ts'
import { isObject, readList, readText, requireObject, type JsonObject } from '../read-json.ts'

/** Holds what properties are read with. */
export interface PropertyContext {
  readonly segments: JsonObject
  /** Says that a value of true or false asks whether a property is true, whatever it holds. */
  readonly isLoose: boolean
  readonly issues: Issues
}

/** Returns the test of the properties of a condition set, which all have to fit. @throws {LeftOut} */
export function readProperties(
  value: unknown,
  path: string,
  context: PropertyContext,
): Alternatives {
  return all(
    readList(value, path).map((entry, index) => {
      const own = `${path}[${index}]`
      return readProperty(requireObject(entry, own), own, context, [])
    }),
  )
}

/** Reads one property. `inside` holds the cohorts that it is part of. */
function readProperty(
  property: JsonObject,
  path: string,
  context: PropertyContext,
  inside: readonly string[],
): Alternatives {
  const { type } = property
  if (type === 'cohort') return readSegment(property, path, context, inside)
  if (type === 'flag') {
    throw leaveOut('PH-T013', 'The flag depends on another one.', done.constantOnly)
  }
  if (type === 'group') throw withoutCounterpart(property)
  const name = readText(property['key'], `${path}.key`)
  const attribute = name === 'distinct_id' ? targetingKey : name
  if (attribute === '') throw withoutCounterpart(property)
  const test = compare({ ...context, attribute, property })
  return property['negation'] === true ? negate(test) : test
}

/** Returns the test of a cohort, written out. @throws {LeftOut} for one that the export does not have */
function readSegment(
  property: JsonObject,
  path: string,
  context: PropertyContext,
  inside: readonly string[],
): Alternatives {
  const id = readText(property['value'], `${path}.value`)
  const segment = Object.hasOwn(context.segments, id) ? context.segments[id] : undefined
  if (!isObject(segment) || inside.includes(id)) {
    const cause = `The flag uses the cohort ${id}, which the export does not have.`
    const action =
      'It is left out. A list of users stays in PostHog; GET /flags/definitions?send_cohorts has other cohorts.'
    throw leaveOut('PH-T014', cause, action)
  }
  context.issues.low(`PH-T011 ${id}`, `The flag uses the cohort ${id}.`, done.segment)
  const test = readSegmentGroup(segment, `cohorts.${id}`, context, [...inside, id])
  const isNegated = property['negation'] === true || property['operator'] === 'not_in'
  return isNegated ? negate(test) : test
}

function readSegmentGroup(
  group: JsonObject,
  path: string,
  context: PropertyContext,
  inside: readonly string[],
): Alternatives {
  const tests = readList(group['values'], `${path}.values`).map((entry, index) => {
    const own = `${path}.values[${index}]`
    const part = requireObject(entry, own)
    return Array.isArray(part['values'])
      ? readSegmentGroup(part, own, context, inside)
      : readProperty(part, own, context, inside)
  })
  if (group['type'] === 'OR') return tests.length === 0 ? never : any(tests)
  return all(tests)
}

interface Comparison extends PropertyContext {
  readonly attribute: string
  readonly property: JsonObject
}

const negations: Readonly<Record<string, string>> = {
  is_not: 'exact',
  is_not_set: 'is_set',
  not_icontains: 'icontains',
  not_starts_with: 'starts_with',
  not_ends_with: 'ends_with',
  semver_neq: 'semver_eq',
}

/** Returns the test of a property. A negated one holds for a user who has no such property. */
function compare(comparison: Comparison): Alternatives {
  const { property } = comparison
  const operator = typeof property['operator'] === 'string' ? property['operator'] : 'exact'
  const opposite = negations[operator]
  if (opposite !== undefined) return negate(compareBy(opposite, comparison))
  return compareBy(operator, comparison)
}

const textOperators: Readonly<Record<string, TextOperator>> = {
  icontains: 'contains',
  starts_with: 'startsWith',
  ends_with: 'endsWith',
}
const numberOperators: Readonly<Record<string, NumberOperator>> = {
  gt: 'greater',
  gte: 'greaterOrEqual',
  lt: 'less',
  lte: 'lessOrEqual',
}
const versionOperators: Readonly<Record<string, string>> = {
  semver_eq: '=',
  semver_gt: '>',
  semver_gte: '>=',
  semver_lt: '<',
  semver_lte: '<=',
}

function compareBy(operator: string, comparison: Comparison): Alternatives {
  const { attribute } = comparison
  if (operator === 'is_set') return one({ attribute, operator: 'exists' })
  if (operator === 'exact') return compareExactly(comparison)
  const textOperator = textOperators[operator]
  if (textOperator !== undefined) return comparePart(comparison, textOperator)
  const numberOperator = numberOperators[operator]
  if (numberOperator !== undefined) return compareNumber(comparison, numberOperator)
  const comparator = versionOperators[operator]
  if (comparator !== undefined) return compareVersion(comparison, comparator)
  throw withoutCounterpart(comparison.property)
}

/** Compares with one value or with each of a list. They are texts there, whose case does not matter. */
function compareExactly(comparison: Comparison): Alternatives {
  const { attribute, property, isLoose } = comparison
  const values = [property['value']].flat()
  if (values.length === 0) throw withoutCounterpart(property)
  const texts = values.map((value) => {
    if (isPlain(value)) return String(value)
    throw withoutCounterpart(property)
  })
  const words = texts.map((text) => text.toLowerCase())
  if (isLoose && words.every((word) => word === 'true' || word === 'false')) {
    const isTrue = isOneOf(attribute, [true, 'true', 'True', 'TRUE'])
    if (words.every((word) => word === 'true')) return isTrue
    return all([one({ attribute, operator: 'exists' }), negate(isTrue)])
  }
  noteCase(comparison, texts)
  return isOneOf(attribute, texts.flatMap(toTyped))
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function comparePart(comparison: Comparison, operator: TextOperator): Alternatives {
  const { attribute, property, issues } = comparison
  const value = isPlain(property['value']) ? String(property['value']) : ''
  if (value === '') throw withoutCounterpart(property)
  noteCase(comparison, [value])
  if (isInNumbers(value)) {
    const cause = `A condition asks for a part of ${attribute}. In PostHog numbers and booleans are texts.`
    issues.medium(`PH-T008 ${attribute}`, cause, done.part)
  }
  return one({ attribute, operator, value: fitText(value) })
}

function noteCase({ attribute, issues }: Comparison, texts: readonly string[]): void {
  if (texts.every((text) => text.toLowerCase() === text.toUpperCase())) return
  const cause = `A condition compares ${attribute} with a text. There, “Pro” and “pro” are the same.`
  issues.medium(`PH-T005 ${attribute}`, cause, 'They are different here.')
}

function compareNumber(comparison: Comparison, operator: NumberOperator): Alternatives {
  const { attribute, property, issues } = comparison
  const own = property['value']
  const value = typeof own === 'string' && own.trim() !== '' ? Number(own) : own
  if (typeof value !== 'number' || !Number.isFinite(value)) throw withoutCounterpart(property)
  const cause = `A condition compares ${attribute} as a number. PostHog reads numbers out of texts.`
  issues.medium(`PH-T006 ${attribute}`, cause, done.number)
  return one({ attribute, operator, value })
}

function compareVersion(comparison: Comparison, comparator: string): Alternatives {
  const { attribute, property, issues } = comparison
  const value = readText(property['value'], attribute)
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(value)) throw withoutCounterpart(property)
  const cause = `A condition compares ${attribute} as a version. PostHog takes 2 and v2.1 as versions as well, and ignores what follows a hyphen.`
  const action = 'The rule compares versions of three numbers. Send them whole, such as 2.1.0.'
  issues.medium(`PH-T007 ${attribute}`, cause, action)
  return one({ attribute, operator: 'semver', value: `${comparator}${value}` })
}

function withoutCounterpart(property: JsonObject): LeftOut {
  const text = JSON.stringify(property).slice(0, 300)
  return leaveOut('PH-T010', `A condition that rules here cannot express: ${text}`)
}

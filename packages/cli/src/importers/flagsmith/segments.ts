import type { NumberOperator } from '@signalbox/contract'
import {
  all,
  always,
  any,
  fitText,
  isOneOf,
  negate,
  never,
  one,
  type Alternatives,
} from '../alternatives.ts'
import { done, leaveOut, type Issues } from '../issues.ts'
import { isSemver } from '../one-environment.ts'
import { readList, readText, requireObject, type JsonObject } from '../read-json.ts'

/** Holds what segments are read with. */
export interface SegmentContext {
  /** Holds the key of the environment, which Flagsmith hashes with the user. */
  readonly environmentKey: string
  readonly issues: Issues
}

interface OwnContext extends SegmentContext {
  readonly segment: string
}

/** Returns the test of a segment, written out. @throws {LeftOut} for what has no counterpart here */
export function readSegment(
  segment: JsonObject,
  path: string,
  context: SegmentContext,
): Alternatives {
  const name = readText(segment['name'], `${path}.name`)
  const rules = readList(segment['rules'], `${path}.rules`)
  if (rules.length === 0) return never
  const cause = `The feature has an override for the segment ${name}.`
  context.issues.low(`FS-T011 ${name}`, cause, done.segment)
  const own = { ...context, segment: readText(segment['id'], `${path}.id`) }
  const test = all(rules.map((rule, index) => readRule(rule, `${path}.rules[${index}]`, own)))
  return test.map((list) => (list.some(({ not }) => not !== true) ? list : [...list, isUser]))
}

/** Flagsmith puts nobody into a segment without an identity. */
const isUser = { attribute: 'targetingKey', operator: 'exists' } as const

function readRule(value: unknown, path: string, context: OwnContext): Alternatives {
  const rule = requireObject(value, path)
  const conditions = readList(rule['conditions'], `${path}.conditions`).map((condition, index) => {
    const own = `${path}.conditions[${index}]`
    return readCondition(requireObject(condition, own), own, context)
  })
  const rules = readList(rule['rules'], `${path}.rules`).map((inner, index) =>
    readRule(inner, `${path}.rules[${index}]`, context),
  )
  const type = readText(rule['type'], `${path}.type`)
  return all([combine(type, conditions), combine(type, rules)])
}

function combine(type: string, tests: readonly Alternatives[]): Alternatives {
  if (tests.length === 0) return always
  if (type === 'ALL') return all(tests)
  if (type === 'ANY') return any(tests)
  return type === 'NONE' ? negate(any(tests)) : never
}

function readCondition(condition: JsonObject, path: string, context: OwnContext): Alternatives {
  const property = readText(condition['property_'] ?? condition['property'], `${path}.property_`)
  const operator = readText(condition['operator'], `${path}.operator`)
  const { value } = condition
  if (operator === 'PERCENTAGE_SPLIT') return readSplit(property, value, context)
  if (property === '') return never
  const attribute = toAttribute(property)
  if (attribute === undefined) throw withoutCounterpart(condition)
  if (operator === 'IN') return isOneOfListed(attribute, value)
  const text = readText(value, `${path}.value`)
  const test = toTest({ attribute, operator, text, context })
  if (test === undefined) throw withoutCounterpart(condition)
  return test
}

/** Returns the name of a trait here. `undefined`: it is another path into the context of Flagsmith. */
function toAttribute(property: string): string | undefined {
  if (property === '$.identity.identifier') return 'targetingKey'
  const match = /^\$\.identity\.traits(?:\.([\w-]+)|\['([^'\]]+)'\])$/.exec(property)
  if (match !== null) return match[1] ?? match[2]
  return property.startsWith('$.') ? undefined : property
}

interface Condition {
  readonly attribute: string
  readonly operator: string
  readonly text: string
  readonly context: OwnContext
}

const comparisons: Readonly<Record<string, NumberOperator>> = {
  GREATER_THAN: 'greater',
  GREATER_THAN_INCLUSIVE: 'greaterOrEqual',
  LESS_THAN: 'less',
  LESS_THAN_INCLUSIVE: 'lessOrEqual',
}
const comparators: Readonly<Record<string, string>> = {
  EQUAL: '=',
  GREATER_THAN: '>',
  GREATER_THAN_INCLUSIVE: '>=',
  LESS_THAN: '<',
  LESS_THAN_INCLUSIVE: '<=',
}

// oxlint-disable-next-line complexity -- one branch for each kind of operator
function toTest({ attribute, operator, text, context }: Condition): Alternatives | undefined {
  const isThere = one({ attribute, operator: 'exists' })
  if (operator === 'IS_SET') return isThere
  if (operator === 'IS_NOT_SET') return negate(isThere)
  if (text.endsWith(':semver')) return compareVersion({ attribute, operator, text, context })
  if (operator === 'EQUAL') return isEqual(attribute, text)
  if (operator === 'NOT_EQUAL') return all([isThere, negate(isEqual(attribute, text))])
  if (operator === 'CONTAINS' || operator === 'NOT_CONTAINS') {
    if (text === '') return operator === 'CONTAINS' ? undefined : never
    const test = one({ attribute, operator: 'contains', value: fitText(text) })
    if (operator === 'CONTAINS') return test
    const cause = `A segment asks for ${attribute} that does not contain a text. In Flagsmith a number is outside of it.`
    context.issues.medium(`FS-T008 ${attribute}`, cause, 'A number is inside of it here.')
    return all([isThere, negate(test)])
  }
  const comparison = comparisons[operator]
  const bound = Number.parseFloat(text)
  if (comparison === undefined || !Number.isFinite(bound)) return undefined
  const cause = `A segment compares ${attribute} by its size. Flagsmith compares texts in their order, and booleans as 0 and 1.`
  context.issues.medium(`FS-T006 ${attribute}`, cause, done.number)
  return one({ attribute, operator: comparison, value: bound })
}

/** Flagsmith converts the value to the type of the trait: where that is a boolean, every text but “false” is true. */
function isEqual(attribute: string, text: string): Alternatives {
  const number = Number.parseFloat(text)
  const isFalse = text === 'false' || text === 'False'
  return isOneOf(attribute, [text, ...(Number.isFinite(number) ? [number] : []), !isFalse])
}

function isOneOfListed(attribute: string, value: unknown): Alternatives {
  const texts = toList(value).filter((text) => text !== '')
  const values = texts.flatMap((text): (string | number)[] => {
    const number = Number(text)
    // Flagsmith has nothing in a list that is 0.
    return number !== 0 && Number.isFinite(number) && String(number) === text
      ? [text, number]
      : [text]
  })
  return values.length === 0 ? never : isOneOf(attribute, values)
}

function toList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((text) => typeof text === 'string')
  const text = readText(value, 'value')
  if (!text.startsWith('[')) return text.split(',')
  try {
    return toList(JSON.parse(text))
  } catch {
    return text.split(',')
  }
}

function compareVersion({ attribute, operator, text, context }: Condition) {
  const version = text.replace(':semver', '')
  const comparator = comparators[operator === 'NOT_EQUAL' ? '' : operator]
  if (comparator === undefined || !isSemver(version)) return undefined
  const cause = `A segment compares ${attribute} as a version. Flagsmith takes v2.1.0 as a version as well.`
  const action =
    'The rule compares versions of three numbers. Send them without a letter before, such as 2.1.0.'
  context.issues.medium(`FS-T007 ${attribute}`, cause, action)
  return one({ attribute, operator: 'semver', value: `${comparator}${version}` })
}

/** Returns the first percent of the users, as Flagsmith chooses them. */
function readSplit(property: string, value: unknown, context: OwnContext): Alternatives {
  const percent = Number.parseFloat(String(value))
  if (!(percent >= 0)) return never
  const byKey = property === '' || property === '$.identity.key'
  // A name that is no path has no value there.
  const attribute = byKey
    ? 'targetingKey'
    : property.startsWith('$.')
      ? toAttribute(property)
      : undefined
  if (attribute === undefined) return never
  const key = `${context.segment},${byKey ? `${context.environmentKey}_` : ''}`
  const deal = { as: 'flagsmith', key } as const
  return one({ attribute, operator: 'share', percent: toPercent(percent), deal })
}

/** Returns a percentage with three decimals that has the same of the 9,998 steps below it. */
function toPercent(percent: number): number {
  if (percent >= 100) return 100
  const rounded = Math.round(percent * 1000) / 1000
  if (rounded === percent) return percent
  const steps = Math.floor((percent / 100) * 9998)
  return Math.round(((steps + 0.5) / 9998) * 100_000) / 1000
}

function withoutCounterpart(condition: JsonObject) {
  const text = JSON.stringify(condition).slice(0, 300)
  return leaveOut('FS-T010', `A segment has a condition that rules here cannot express: ${text}`)
}

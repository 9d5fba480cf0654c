import type { NumberOperator, TextOperator } from '@signalbox/contract'
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
import { ExportError, type LeftOut } from '../importer.ts'
import { done, leaveOut, type Issues } from '../issues.ts'
import { isInNumbers, toTyped } from '../one-environment.ts'
import { readList, readText, requireObject, type JsonObject } from '../read-json.ts'

/** Holds what segments are read with. */
export interface SegmentContext {
  readonly segments: ReadonlyMap<string, JsonObject>
  readonly issues: Issues
}

/** Returns the test of a segment, written out. @throws {LeftOut} for what has no counterpart here */
export function readSegment(key: string, path: string, context: SegmentContext): Alternatives {
  const segment = context.segments.get(key)
  if (segment === undefined) {
    const cause = `${path} refers to the segment ${key}, which the export does not have.`
    const action = 'The flag is left out. Export the segment with it, then import again.'
    throw leaveOut('FL-T012', cause, action)
  }
  const cause = `A rollout uses the segment ${key}.`
  const action =
    'Its constraints are written into the rule, so later changes of the segment do not reach it.'
  context.issues.low(`FL-T011 ${key}`, cause, action)
  const own = `segments.${key}.constraints`
  const tests = readList(segment['constraints'], own).map((constraint, index) =>
    readConstraint(requireObject(constraint, `${own}[${index}]`), `${own}[${index}]`, context),
  )
  const isAny = segment['match_type'] === 'ANY_MATCH_TYPE'
  return isAny && tests.length > 0 ? any(tests) : all(tests)
}

interface Constraint extends SegmentContext {
  readonly attribute: string
  readonly operator: string
  readonly value: string
  readonly content: JsonObject
}

function readConstraint(content: JsonObject, path: string, context: SegmentContext): Alternatives {
  const type = readText(content['type'], `${path}.type`)
  const property = readText(content['property'], `${path}.property`)
  const isEntity = type === 'ENTITY_ID_COMPARISON_TYPE'
  const constraint = {
    ...context,
    attribute: isEntity ? 'targetingKey' : property,
    operator: readText(content['operator'], `${path}.operator`),
    value: readText(content['value'], `${path}.value`),
    content,
  }
  if (constraint.attribute === '') throw new ExportError(`${path}.property is missing.`)
  if (isEntity || type === 'STRING_COMPARISON_TYPE') return compareText(constraint)
  if (constraint.operator === 'present') return isThere(constraint.attribute)
  if (constraint.operator === 'notpresent') return negate(isThere(constraint.attribute))
  if (type === 'NUMBER_COMPARISON_TYPE') return compareNumber(constraint)
  if (type === 'BOOLEAN_COMPARISON_TYPE') return compareBoolean(constraint)
  throw withoutCounterpart(content)
}

/** Flipt takes an empty attribute as missing. */
function isThere(attribute: string): Alternatives {
  const isEmpty = one({ attribute, operator: 'equals', value: '' })
  return all([one({ attribute, operator: 'exists' }), negate(isEmpty)])
}

const partOperators: Readonly<Record<string, TextOperator>> = {
  prefix: 'startsWith',
  suffix: 'endsWith',
  contains: 'contains',
  notcontains: 'contains',
}

function compareText(constraint: Constraint): Alternatives {
  const { attribute, operator, value, content } = constraint
  const partOperator = partOperators[operator]
  if (partOperator !== undefined) return comparePart(constraint, partOperator)
  switch (operator) {
    case 'empty':
    case 'notempty':
      noteSpaces(constraint)
      return operator === 'empty' ? negate(isThere(attribute)) : isThere(attribute)
    case 'eq':
      return isAmong(attribute, [value])
    case 'neq':
      return isOutside(attribute, isAmong(attribute, [value]))
    case 'isoneof':
      return isAmong(attribute, parseTexts(value) ?? [])
    case 'isnotoneof': {
      // A value that is no list of texts holds neither way there.
      const texts = parseTexts(value)
      return texts === undefined ? never : isOutside(attribute, isAmong(attribute, texts))
    }
    default:
      throw withoutCounterpart(content)
  }
}

function comparePart(constraint: Constraint, partOperator: TextOperator): Alternatives {
  const { attribute, operator, value } = constraint
  if (partOperator !== 'contains') noteSpaces(constraint)
  if (value === '') return operator === 'notcontains' ? never : isThere(attribute)
  if (isInNumbers(value)) noteParts(constraint)
  const test = one({ attribute, operator: partOperator, value: fitText(value) })
  return operator === 'notcontains' ? isOutside(attribute, test) : test
}

function isOutside(attribute: string, test: Alternatives): Alternatives {
  return all([isThere(attribute), negate(test)])
}

function parseTexts(text: string): readonly string[] | undefined {
  const list = parseList(text)
  return list?.every((item) => typeof item === 'string') ? list : undefined
}

/** Attributes are texts there. A number or a boolean of ours is equal to its text. */
function isAmong(attribute: string, texts: readonly string[]): Alternatives {
  const values = texts.filter((text) => text !== '').flatMap(toTyped)
  return values.length === 0 ? never : isOneOf(attribute, values)
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}

function noteSpaces({ attribute, issues }: Constraint): void {
  const cause = `A constraint looks at the begin or the end of ${attribute}. Flipt ignores spaces there.`
  issues.medium(`FL-T005 ${attribute}`, cause, 'Spaces count here.')
}

function noteParts({ attribute, issues }: Constraint): void {
  const cause = `A constraint asks for a part of ${attribute}. In Flipt numbers and booleans are texts.`
  issues.medium(`FL-T008 ${attribute}`, cause, done.part)
}

const numberOperators: Readonly<Record<string, NumberOperator>> = {
  lt: 'less',
  lte: 'lessOrEqual',
  gt: 'greater',
  gte: 'greaterOrEqual',
}

function compareNumber({ attribute, operator, value, content, issues }: Constraint): Alternatives {
  const cause = `A constraint compares ${attribute} as a number. Flipt reads numbers out of texts.`
  issues.medium(`FL-T006 ${attribute}`, cause, done.number)
  const numbers = readNumbers(operator, value)
  const [bound] = numbers ?? []
  if (numbers === undefined) throw withoutCounterpart(content)
  const numberOperator = numberOperators[operator]
  if (numberOperator !== undefined && bound !== undefined) {
    return one({ attribute, operator: numberOperator, value: bound })
  }
  const test = numbers.length === 0 ? never : isOneOf(attribute, numbers)
  if (operator === 'eq' || operator === 'isoneof') return test
  if (operator === 'neq' || operator === 'isnotoneof') {
    return all([isNumber(attribute), negate(test)])
  }
  throw withoutCounterpart(content)
}

/** Returns the number of a constraint, or those of its list. `undefined`: it has something else. */
function readNumbers(operator: string, value: string): readonly number[] | undefined {
  const isList = operator === 'isoneof' || operator === 'isnotoneof'
  const bounds = isList ? parseList(value) : [value === '' ? undefined : Number(value)]
  return bounds?.every(
    (bound): bound is number => typeof bound === 'number' && Number.isFinite(bound),
  )
    ? bounds
    : undefined
}

function isNumber(attribute: string): Alternatives {
  return any([
    one({ attribute, operator: 'less', value: 0 }),
    one({ attribute, operator: 'greaterOrEqual', value: 0 }),
  ])
}

const booleanTexts = {
  true: [true, 1, 'true', '1', 't', 'T', 'TRUE', 'True'],
  false: [false, 0, 'false', '0', 'f', 'F', 'FALSE', 'False'],
}

function compareBoolean({ attribute, operator, content }: Constraint): Alternatives {
  if (operator === 'true') return isOneOf(attribute, booleanTexts.true)
  if (operator === 'false') return isOneOf(attribute, booleanTexts.false)
  throw withoutCounterpart(content)
}

function withoutCounterpart(constraint: JsonObject): LeftOut {
  const text = JSON.stringify(constraint).slice(0, 300)
  return leaveOut('FL-T010', `A segment has a constraint that rules here cannot express: ${text}`)
}

import type { AttributeCondition, NumberOperator } from '@signalbox/contract'
import {
  all,
  always,
  any,
  isOneOf,
  negate,
  never,
  one,
  type Alternatives,
} from '../alternatives.ts'
import type { LeftOut } from '../importer.ts'
import { done, leaveOut, type Issues } from '../issues.ts'
import { toTyped } from '../one-environment.ts'
import { isObject, requireObject, type JsonObject } from '../read-json.ts'

/** Holds what conditions are read with: the saved groups, and the issues that come up. */
export interface ConditionContext {
  readonly groups: JsonObject
  readonly issues: Issues
}

/** Returns the name of an attribute here. `id` identifies the user there. */
export function toAttribute(name: string, { issues }: Pick<ConditionContext, 'issues'>): string {
  if (name === 'id') return 'targetingKey'
  if (name.includes('.')) {
    const cause = `A rule asks for ${name}, a path into an object.`
    issues.medium(`GB-T004 ${name}`, cause, done.path(name))
  }
  return name
}

/** Returns the test of a condition in the form of MongoDB queries. @throws {LeftOut} for what has no counterpart here */
export function readCondition(
  value: unknown,
  path: string,
  context: ConditionContext,
): Alternatives {
  const condition = requireObject(value, path)
  return all(
    Object.entries(condition).map(([name, inner]) => {
      const own = `${path}.${name}`
      switch (name) {
        case '$or':
          return readAny(inner, own, context)
        case '$nor':
          return negate(readAny(inner, own, context))
        case '$and':
          return all(toConditions(inner, own, context))
        case '$not':
          return negate(readCondition(inner, own, context))
        case '$savedGroup':
          return readGroup(inner, context)
        default:
          return readValue(toAttribute(name, context), inner, context)
      }
    }),
  )
}

function readAny(value: unknown, path: string, context: ConditionContext): Alternatives {
  const tests = toConditions(value, path, context)
  // GrowthBook takes an empty list as true.
  return tests.length === 0 ? always : any(tests)
}

function toConditions(value: unknown, path: string, context: ConditionContext): Alternatives[] {
  if (!Array.isArray(value)) throw withoutCounterpart({ [path]: value })
  return value.map((inner, index) => readCondition(inner, `${path}[${index}]`, context))
}

function readValue(attribute: string, value: unknown, context: ConditionContext): Alternatives {
  if (isObject(value)) {
    const operators = Object.entries(value)
    const isPlainObject = operators.some(([name]) => !name.startsWith('$'))
    if (operators.length === 0 || isPlainObject) throw withoutCounterpart({ [attribute]: value })
    return all(operators.map(([name, bound]) => readOperator(attribute, name, bound, context)))
  }
  if (value === null) return isMissing(attribute)
  if (typeof value === 'string') {
    // A missing attribute is the text “null” there.
    const missing = value === 'null' ? isMissing(attribute) : never
    noteLists(attribute, context)
    return any([isOneOf(attribute, toTyped(value)), missing])
  }
  if (typeof value === 'boolean') {
    const isFalsy = isOneOf(attribute, [false, 0, ''])
    return value ? all([isThere(attribute), negate(isFalsy)]) : isFalsy
  }
  if (typeof value !== 'number') throw withoutCounterpart({ [attribute]: value })
  noteNumbers(attribute, context)
  return any([
    isOneOf(attribute, [value, String(value)]),
    value === 0 ? isMissing(attribute) : never,
  ])
}

const comparisons: Readonly<Record<string, NumberOperator>> = {
  $lt: 'less',
  $lte: 'lessOrEqual',
  $gt: 'greater',
  $gte: 'greaterOrEqual',
}
const versionComparisons: Readonly<Record<string, string>> = {
  $veq: '=',
  $vne: '=',
  $vlt: '<',
  $vlte: '<=',
  $vgt: '>',
  $vgte: '>=',
}

function readOperator(
  attribute: string,
  name: string,
  bound: unknown,
  context: ConditionContext,
): Alternatives {
  const comparison = comparisons[name]
  if (comparison !== undefined && typeof bound === 'number') {
    return compareNumber(attribute, { operator: comparison, bound }, context)
  }
  const comparator = versionComparisons[name]
  if (comparator !== undefined && typeof bound === 'string') {
    return compareVersion(attribute, { name, comparator, bound }, context)
  }
  const read = readers[name]
  if (read === undefined) throw withoutCounterpart({ [attribute]: { [name]: bound } })
  return read(attribute, bound, context)
}

type ReadOperator = (attribute: string, bound: unknown, context: ConditionContext) => Alternatives

const readers: Readonly<Record<string, ReadOperator>> = {
  $eq: isStrictly,
  $ne: (attribute, bound) => negate(isStrictly(attribute, bound)),
  $exists: (attribute, bound) => (bound ? isThere(attribute) : isMissing(attribute)),
  $in(attribute, bound, context) {
    noteLists(attribute, context)
    return Array.isArray(bound) ? isAmong(attribute, bound) : never
  },
  $nin(attribute, bound, context) {
    noteLists(attribute, context)
    return Array.isArray(bound) ? negate(isAmong(attribute, bound)) : never
  },
  $not: (attribute, bound, context) => negate(readValue(attribute, bound, context)),
  $inGroup(attribute, bound, context) {
    noteLists(attribute, context)
    const values = findGroup(String(bound), context)
    return values === undefined ? never : isAmong(attribute, values)
  },
  $notInGroup(attribute, bound, context) {
    noteLists(attribute, context)
    const values = findGroup(String(bound), context)
    return values === undefined ? never : negate(isAmong(attribute, values))
  },
}

function isStrictly(attribute: string, bound: unknown): Alternatives {
  return isAmong(attribute, [bound])
}

function isAmong(attribute: string, values: readonly unknown[]): Alternatives {
  const plain = values.filter(
    (value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  )
  return any([
    plain.length === 0 ? never : isOneOf(attribute, plain),
    values.includes(null) ? isMissing(attribute) : never,
  ])
}

function isThere(attribute: string): Alternatives {
  return one({ attribute, operator: 'exists' })
}

function isMissing(attribute: string): Alternatives {
  return negate(isThere(attribute))
}

function compareNumber(
  attribute: string,
  { operator, bound }: { readonly operator: NumberOperator; readonly bound: number },
  context: ConditionContext,
): Alternatives {
  noteNumbers(attribute, context)
  const holdsForZero = { less: 0 < bound, lessOrEqual: 0 <= bound, greater: 0 > bound }
  const isMet = operator === 'greaterOrEqual' ? 0 >= bound : holdsForZero[operator]
  const condition: AttributeCondition = { attribute, operator, value: bound }
  // A missing attribute is 0 there.
  return any([one(condition), isMet ? isMissing(attribute) : never])
}

function noteLists(attribute: string, { issues }: ConditionContext): void {
  if (attribute === 'targetingKey') return
  const cause = `A rule asks for ${attribute}. In GrowthBook an attribute may be a list, in which one value has to fit.`
  issues.medium(`GB-T005 ${attribute}`, cause, done.list)
}

function noteNumbers(attribute: string, { issues }: ConditionContext): void {
  const cause = `A rule compares ${attribute} with a number. GrowthBook reads numbers out of texts and booleans.`
  issues.medium(`GB-T006 ${attribute}`, cause, done.number)
}

interface VersionComparison {
  readonly name: string
  readonly comparator: string
  readonly bound: string
}

function compareVersion(
  attribute: string,
  { name, comparator, bound }: VersionComparison,
  context: ConditionContext,
): Alternatives {
  const version = bound.replace(/^v/, '')
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version)) {
    throw withoutCounterpart({ [attribute]: { [name]: bound } })
  }
  const cause = `A rule compares ${attribute} as a version. GrowthBook takes 2 and v2.1 as versions as well.`
  const action = 'The rule compares versions of three numbers. Send them whole, such as 2.1.0.'
  context.issues.medium(`GB-T007 ${attribute}`, cause, action)
  const test = one({ attribute, operator: 'semver', value: `${comparator}${version}` })
  if (name === '$vne') return negate(test)
  // A missing version is below every other there.
  return any([test, comparator.startsWith('<') ? isMissing(attribute) : never])
}

/** Returns the values of a group that is a list. One that is not there is empty. */
function findGroup(id: string, context: ConditionContext): readonly unknown[] | undefined {
  const group = Object.hasOwn(context.groups, id) ? context.groups[id] : []
  noteGroup(id, context)
  if (Array.isArray(group)) return group
  if (!isObject(group) || group['type'] !== 'list') return undefined
  return Array.isArray(group['values']) ? group['values'] : undefined
}

/** Returns the test of a reference to a saved group. */
function readGroup(reference: unknown, context: ConditionContext): Alternatives {
  const id = isObject(reference) ? reference['id'] : undefined
  if (!isObject(reference) || typeof id !== 'string') return never
  const group = Object.hasOwn(context.groups, id) ? context.groups[id] : undefined
  if (!isObject(group)) return never
  noteGroup(id, context)
  if (group['type'] === 'list') return readListGroup(reference, group, context)
  const condition = group['condition']
  if (group['type'] !== 'condition' || !isObject(condition)) return never
  if (JSON.stringify(condition).includes('$savedGroup')) {
    throw leaveOut('GB-T012', `The saved group ${id} refers to another one.`)
  }
  return readCondition(condition, `savedGroups.${id}.condition`, context)
}

function readListGroup(
  reference: JsonObject,
  group: JsonObject,
  context: ConditionContext,
): Alternatives {
  const name = reference['attributeKey'] ?? group['attributeKey']
  if (typeof name !== 'string' || !Array.isArray(group['values'])) return never
  const attribute = toAttribute(name, context)
  noteLists(attribute, context)
  return isAmong(attribute, group['values'])
}

function noteGroup(id: string, { issues }: ConditionContext): void {
  const cause = `A rule uses the saved group ${id}.`
  const action = 'It is written into the rule, so later changes of the group do not reach it.'
  issues.low(`GB-T011 ${id}`, cause, action)
}

function withoutCounterpart(condition: JsonObject): LeftOut {
  const text = JSON.stringify(condition).slice(0, 300)
  return leaveOut('GB-T010', `A rule has a condition that rules here cannot express: ${text}`)
}

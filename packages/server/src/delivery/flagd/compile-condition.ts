import {
  countBuckets,
  parseVersionRange,
  type AttributeCondition,
  type TextOperator,
} from '@signalbox/contract'
import { dealByBucket, isUnit, type DealtFlag } from './deal.ts'
import { all, any, not, readAttribute, type Attribute, type JsonLogic } from './json-logic.ts'

type ShareCondition = Extract<AttributeCondition, { operator: 'share' }>

type Plain = string | number | boolean

/**
 * Compiles a condition to one that holds for the same contexts. Returns `undefined` for an operator that flagd has no
 * word for.
 */
export function compileToLogic(
  condition: AttributeCondition,
  flag: DealtFlag,
): JsonLogic | undefined {
  const test =
    condition.operator === 'share'
      ? compileShare(condition, flag)
      : compileTest(condition, readAttribute(condition.attribute))
  if (test === undefined) return undefined
  return condition.not === true ? not(test) : test
}

const textOperators = { startsWith: 'starts_with', endsWith: 'ends_with', contains: 'in' } as const
const numberOperators = {
  greater: '>',
  greaterOrEqual: '>=',
  less: '<',
  lessOrEqual: '<=',
} as const

/** Compiles a share of the flag's own buckets. The hashes of other products are none of flagd's. */
function compileShare(
  { attribute, percent, deal }: ShareCondition,
  flag: DealtFlag,
): JsonLogic | undefined {
  if (deal !== undefined) return undefined
  const inside = countBuckets(percent)
  const split = dealByBucket(flag, attribute, [
    ['on', inside],
    ['off', countBuckets(100) - inside],
  ])
  return all([isUnit(attribute), { '===': [split, 'on'] }])
}

function compileTest(
  condition: Exclude<AttributeCondition, ShareCondition>,
  attribute: Attribute,
): JsonLogic | undefined {
  const { read, isText, isNumber } = attribute
  if (isOf(textOperators, condition)) {
    return all([isText, ...compileText(condition, read)])
  }
  if (isOf(numberOperators, condition)) {
    return all([isNumber, { [numberOperators[condition.operator]]: [read, condition.value] }])
  }
  switch (condition.operator) {
    case 'exists':
      return { '!==': [read, null] }
    case 'equals':
      return isOneOf(attribute, [condition.value])
    case 'in':
      return isOneOf(attribute, condition.values)
    case 'semver':
      return compileSemver(condition.value, attribute)
    default:
      return undefined
  }
}

function compileText(
  { operator, value }: { readonly operator: TextOperator; readonly value: string },
  read: JsonLogic,
): readonly JsonLogic[] {
  if (operator !== 'contains') return [{ [textOperators[operator]]: [read, value] }]
  // Every text contains the empty one, but `in` does not find it in an empty text.
  return value === '' ? [] : [{ in: [value, read] }]
}

function isOf<Operators extends object>(
  operators: Operators,
  condition: Exclude<AttributeCondition, ShareCondition>,
): condition is Extract<
  Exclude<AttributeCondition, ShareCondition>,
  { operator: keyof Operators }
> {
  return Object.hasOwn(operators, condition.operator)
}

/** Compares values by their types: `===` of JSONLogic tells 1 from 1.0 in some languages. */
function isOneOf({ read, isText, isNumber }: Attribute, values: readonly Plain[]): JsonLogic {
  const texts = values.filter((value) => typeof value === 'string')
  const numbers = values.filter((value) => typeof value === 'number')
  const booleans = values.filter((value) => typeof value === 'boolean')
  return any([
    ...(texts.length === 0 ? [] : [all([isText, { in: [read, texts] }])]),
    ...(numbers.length === 0 ? [] : [all([isNumber, { in: [read, numbers] }])]),
    ...[...new Set(booleans)].map((value) => ({ '===': [read, value] })),
  ])
}

function compileSemver(value: string, { read, isText }: Attribute): JsonLogic | undefined {
  const range = parseVersionRange(value)
  if (range === undefined) return undefined
  const { numbers, preRelease } = range.version
  const version = [numbers.join('.'), ...(preRelease.length === 0 ? [] : [preRelease.join('.')])]
  return all([
    isText,
    // flagd takes v1.2.3 as a version, and SemVer does not.
    not({ starts_with: [read, 'v'] }),
    not({ starts_with: [read, 'V'] }),
    { sem_ver: [read, range.comparator, version.join('-')] },
  ])
}

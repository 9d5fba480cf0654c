import { createBuckets, countBuckets, toUnit } from './bucketing.ts'
import { createForeignDeal } from './dealings/foreign-deal.ts'
import {
  semverComparators,
  type AttributeCondition,
  type EvaluationContext,
  type NumberOperator,
  type ShareCondition,
  type TextOperator,
} from './flag-rules.ts'
import { compareVersions, parseVersion, type Version } from './semver.ts'

/** Returns whether a condition holds. */
export type Condition = (context: EvaluationContext) => boolean

/** Identifies the flag whose buckets a share goes by. */
export interface DealtFlag {
  readonly schemaId: string
  readonly key: string
}

/** Compiles a condition of a rule to a function of the context. A share without a foreign deal depends on the flag. */
export type CompileCondition = (condition: AttributeCondition, flag: DealtFlag) => Condition

/**
 * Returns a compiler that evaluates equal conditions of several flags once for each context. A context must not
 * change in between.
 */
export function shareConditions(): CompileCondition {
  const shared = new Map<string, Condition>()
  return (condition, flag) => {
    // Each flag has buckets of its own.
    const isOwn = condition.operator === 'share' && condition.deal === undefined
    const text = JSON.stringify(isOwn ? [condition, flag.schemaId, flag.key] : condition)
    const compiled = shared.get(text) ?? testOnce(compileCondition(condition, flag))
    shared.set(text, compiled)
    return compiled
  }
}

function testOnce(test: Condition): Condition {
  let tested: EvaluationContext | undefined
  let held = false
  return (context) => {
    if (context !== tested) {
      held = test(context)
      tested = context
    }
    return held
  }
}

type Test = (attribute: unknown) => boolean

/** Compiles a condition. A condition of an unknown form never holds, nor does its negation. */
export function compileCondition(condition: AttributeCondition, flag: DealtFlag): Condition {
  const { attribute, not } = condition
  const test =
    condition.operator === 'share' ? compileShare(condition, flag) : compileTest(condition)
  if (test === undefined) return () => false
  return (context) => {
    const holds = Object.hasOwn(context, attribute) && test(context[attribute])
    return holds !== (not === true)
  }
}

/** Compiles a share. An attribute that is no unit is outside of every share. Another product may have other units. */
function compileShare(
  { percent, deal }: ShareCondition,
  { schemaId, key }: DealtFlag,
): Test | undefined {
  return deal === undefined
    ? compileOwnDeal(createBuckets(schemaId, key), percent)
    : createForeignDeal(deal, percent)
}

function compileOwnDeal(bucketOf: (unit: string) => number, percent: number): Test {
  const below = countBuckets(percent)
  return (attribute) => {
    const unit = toUnit(attribute)
    return unit !== undefined && bucketOf(unit) < below
  }
}

function compileTest(condition: Exclude<AttributeCondition, ShareCondition>): Test | undefined {
  switch (condition.operator) {
    case 'exists':
      return (attribute) => attribute !== undefined && attribute !== null
    case 'equals':
      return (attribute) => attribute === condition.value
    case 'in': {
      const values = new Set<unknown>(condition.values)
      return (attribute) => values.has(attribute)
    }
    case 'semver':
      return compileSemver(condition.value)
    case 'startsWith':
    case 'endsWith':
    case 'contains':
      return compileText(condition.operator, condition.value)
    case 'greater':
    case 'greaterOrEqual':
    case 'less':
    case 'lessOrEqual':
      return compileNumber(condition.operator, condition.value)
    default:
      // A client may be older than the server that sends the rules.
      condition satisfies never
      return undefined
  }
}

function compileText(operator: TextOperator, value: string): Test {
  const tests: Record<typeof operator, (text: string) => boolean> = {
    startsWith: (text) => text.startsWith(value),
    endsWith: (text) => text.endsWith(value),
    contains: (text) => text.includes(value),
  }
  const test = tests[operator]
  return (attribute) => typeof attribute === 'string' && test(attribute)
}

function compileNumber(operator: NumberOperator, bound: number): Test {
  const tests: Record<typeof operator, (value: number) => boolean> = {
    greater: (value) => value > bound,
    greaterOrEqual: (value) => value >= bound,
    less: (value) => value < bound,
    lessOrEqual: (value) => value <= bound,
  }
  const test = tests[operator]
  return (attribute) => typeof attribute === 'number' && test(attribute)
}

/** Describes a comparison of versions as it is written in a rule. */
export interface VersionRange {
  readonly comparator: (typeof semverComparators)[number]
  readonly version: Version
}

/** Parses `>=1.2.3`, `< 2.0.0-rc.1` or `1.2.3`. Returns `undefined` for anything else. */
export function parseVersionRange(text: string): VersionRange | undefined {
  const comparator = semverComparators.find((each) => text.startsWith(each))
  const version = parseVersion(text.slice(comparator?.length ?? 0).trimStart())
  return version && { comparator: comparator ?? '=', version }
}

function compileSemver(value: string): Test | undefined {
  const range = parseVersionRange(value)
  if (range === undefined) return undefined
  const tests: Record<VersionRange['comparator'], (order: number) => boolean> = {
    '>=': (order) => order >= 0,
    '<=': (order) => order <= 0,
    '>': (order) => order > 0,
    '<': (order) => order < 0,
    '=': (order) => order === 0,
  }
  const test = tests[range.comparator]
  return (attribute) => {
    const version = typeof attribute === 'string' ? parseVersion(attribute) : undefined
    return version !== undefined && test(compareVersions(version, range.version))
  }
}

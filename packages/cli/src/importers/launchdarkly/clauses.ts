import type { ForeignDeal, NumberOperator, TextOperator } from '@signalbox/contract'
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
import { isObject, readList, readText, requireObject, type JsonObject } from '../read-json.ts'
import type { TargetedEnvironment } from './flag-model.ts'

/** Holds what clauses are read with: the segments, and the issues that come up. */
export interface ClauseContext {
  readonly environment: TargetedEnvironment
  readonly issues: Issues
  /** Lists the segments whose rules are being read, to end where one refers to itself. */
  readonly inside?: readonly string[]
}

const textOperators: Readonly<Record<string, TextOperator>> = {
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  contains: 'contains',
}
const numberOperators: Readonly<Record<string, NumberOperator>> = {
  lessThan: 'less',
  lessThanOrEqual: 'lessOrEqual',
  greaterThan: 'greater',
  greaterThanOrEqual: 'greaterOrEqual',
}
const versionOperators: Readonly<Record<string, string>> = {
  semVerEqual: '=',
  semVerLessThan: '<',
  semVerGreaterThan: '>',
}

/** Returns the name of an attribute here: `key` of a user is the targeting key, and other kinds have their name before it. */
export function toAttribute(
  attribute: string,
  kind: string,
  { issues }: Pick<ClauseContext, 'issues'>,
): string {
  if ((kind === '' || kind === 'user') && attribute === 'key') return 'targetingKey'
  const isOther = kind !== '' && kind !== 'user'
  const name = isOther ? (attribute === 'key' ? kind : `${kind}.${attribute}`) : attribute
  if (isOther || attribute.startsWith('/')) {
    const cause = `A rule asks for ${attribute}${isOther ? ` of a context of the kind ${kind}` : ', a path'}.`
    issues.medium(`LD-T004 ${name}`, cause, done.path(name))
  }
  return name
}

/** Returns the test of clauses that must all hold. @throws {LeftOut} for what has no counterpart here */
export function readClauses(value: unknown, path: string, context: ClauseContext): Alternatives {
  const clauses = readList(value, path)
  return all(
    clauses.map((clause, index) => {
      const own = `${path}[${index}]`
      return readClause(requireObject(clause, own), own, context)
    }),
  )
}

function readClause(clause: JsonObject, path: string, context: ClauseContext): Alternatives {
  const op = readText(clause['op'], `${path}.op`)
  const values = readList(clause['values'], `${path}.values`)
  const isNegated = clause['negate'] === true
  if (op === 'segmentMatch') {
    const names = values.filter((name) => typeof name === 'string')
    const test = any(names.map((name) => readSegment(name, context, context.inside ?? [])))
    return isNegated ? negate(test) : test
  }
  const kind = readText(clause['contextKind'], `${path}.contextKind`)
  // It asks for the kind of the context itself, which is no attribute.
  if (clause['attribute'] === 'kind') throw withoutCounterpart(clause)
  const attribute = toAttribute(readText(clause['attribute'], `${path}.attribute`), kind, context)
  const ownTest = any(toTests(op, attribute, values, { clause, context }))
  if (attribute === 'targetingKey') return isNegated ? negate(ownTest) : ownTest
  noteLists(attribute, context)
  // There, every context is anonymous or not, and a clause about another missing attribute never holds.
  const isFalseHere = attribute === 'anonymous' && op === 'in' && values.includes(false)
  const isMissing = negate(one({ attribute, operator: 'exists' }))
  const test = isFalseHere ? any([ownTest, isMissing]) : ownTest
  if (!isNegated) return test
  return attribute === 'anonymous' ? negate(test) : all([negate(isMissing), negate(test)])
}

function noteLists(attribute: string, { issues }: ClauseContext): void {
  const cause = `A rule asks for ${attribute}. In LaunchDarkly an attribute may be a list, in which one value has to fit.`
  issues.medium(`LD-T005 ${attribute}`, cause, done.list)
}

interface Surroundings {
  readonly clause: JsonObject
  readonly context: ClauseContext
}

function toTests(
  op: string,
  attribute: string,
  values: readonly unknown[],
  { clause, context }: Surroundings,
): Alternatives[] {
  if (op === 'in') {
    const plain = values.filter((value) => isPlain(value))
    if (plain.length < values.length) throw withoutCounterpart(clause)
    return [isOneOf(attribute, plain)]
  }
  const textOperator = textOperators[op]
  if (textOperator !== undefined) {
    return values
      .filter((value) => typeof value === 'string')
      .map((value) => {
        if (value === '') throw withoutCounterpart(clause)
        return one({ attribute, operator: textOperator, value: fitText(value) })
      })
  }
  const numberOperator = numberOperators[op]
  if (numberOperator !== undefined) {
    return values
      .filter((value) => typeof value === 'number')
      .map((value) => one({ attribute, operator: numberOperator, value }))
  }
  const comparator = versionOperators[op]
  if (comparator === undefined) throw withoutCounterpart(clause)
  return values
    .filter((value) => typeof value === 'string')
    .map((value) => {
      const version = padVersion(value)
      if (version === undefined) return never
      const cause = 'A rule compares versions. LaunchDarkly takes 2 and 2.1 as versions as well.'
      const action = 'The rule compares versions of three numbers. Send them whole, such as 2.1.0.'
      context.issues.medium('LD-T006', cause, action)
      return one({ attribute, operator: 'semver', value: `${comparator}${version}` })
    })
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Returns a version with three numbers: `2.1` is `2.1.0`. */
function padVersion(text: string): string | undefined {
  const match = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?([-+].*)?$/.exec(text)
  return match === null
    ? undefined
    : `${match[1] ?? '0'}.${match[2] ?? '0'}.${match[3] ?? '0'}${match[4] ?? ''}`
}

function withoutCounterpart(clause: JsonObject): LeftOut {
  const text = JSON.stringify(clause).slice(0, 300)
  const cause = `A rule has a clause that rules here cannot express: ${text}`
  return leaveOut('LD-T010', cause, 'The flag is left out.')
}

/** Returns the test of a segment, written out. `inside` lists the segments around it, so that a circle ends. */
function readSegment(key: string, context: ClauseContext, inside: readonly string[]): Alternatives {
  const { segments } = context.environment
  if (segments === undefined) {
    throw withoutSegment(
      `A rule uses the segment ${key}, and the export has no segments. Import with --from-env, which reads them.`,
    )
  }
  const segment = segments.get(key)
  if (segment === undefined) return never
  if (segment['unbounded'] === true)
    throw withoutSegment(`A rule uses ${key}, a big or synced segment.`)
  if (inside.includes(key)) throw withoutSegment(`The segment ${key} refers to itself.`)
  const path = `segments.${key}`
  context.issues.low(`LD-T011 ${key}`, `A rule uses the segment ${key}.`, done.segment)
  const members = (name: string, contexts: string) =>
    any([
      isOneOf('targetingKey', textsOf(segment[name], `${path}.${name}`)),
      ...readList(segment[contexts], `${path}.${contexts}`)
        .filter(isObject)
        .map((target) =>
          isOneOf(
            toAttribute('key', readText(target['contextKind'], path), context),
            textsOf(target['values'], `${path}.${contexts}`),
          ),
        ),
    ])
  const rules = readList(segment['rules'], `${path}.rules`).map((rule, index) =>
    readSegmentRule(requireObject(rule, `${path}.rules[${index}]`), {
      key,
      segment,
      index,
      context: { ...context, inside: [...inside, key] },
    }),
  )
  const isExcluded = members('excluded', 'excludedContexts')
  return any([members('included', 'includedContexts'), all([negate(isExcluded), any(rules)])])
}

function readSegmentRule(
  rule: JsonObject,
  of: {
    readonly key: string
    readonly segment: JsonObject
    readonly index: number
    readonly context: ClauseContext
  },
): Alternatives {
  const path = `segments.${of.key}.rules[${of.index}]`
  const test = readClauses(rule['clauses'], `${path}.clauses`, of.context)
  if (typeof rule['weight'] !== 'number') return test
  const by = readText(rule['bucketBy'], path)
  const kind = readText(rule['rolloutContextKind'], path)
  const attribute = toAttribute(by === '' ? 'key' : by, kind, of.context)
  const deal = {
    as: 'launchdarkly',
    key: `${of.key}.${readText(of.segment['salt'], path)}`,
  } as const
  const { weight } = rule
  if (weight <= 0) return never
  const share = one({ attribute, operator: 'share', percent: weight / 1000, deal })
  const isIn = attribute === 'targetingKey' ? share : any([share, isWithoutBucket(attribute, deal)])
  return all([test, isIn])
}

/**
 * Holds for those whose attribute is missing, or no text and no whole number. LaunchDarkly gives them the first bucket.
 * Everyone else is in a share of 100%.
 */
export function isWithoutBucket(attribute: string, deal: ForeignDeal): Alternatives {
  return negate(one({ attribute, operator: 'share', percent: 100, deal }))
}

function textsOf(value: unknown, path: string): string[] {
  return readList(value, path).filter((text) => typeof text === 'string')
}

function withoutSegment(cause: string): LeftOut {
  return leaveOut('LD-T012', cause, 'The flag is left out.')
}

import { targetingKey, type NumberOperator, type TextOperator } from '@signalbox/contract'
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
  type Step,
} from '../alternatives.ts'
import type { LeftOut } from '../importer.ts'
import { done, leaveOut, type Issues } from '../issues.ts'
import { isSemver } from '../one-environment.ts'
import { isObject } from '../read-json.ts'

/** Holds what a targeting is read with. */
export interface LogicContext {
  /** Begins the codes of issues. */
  readonly source: 'FD' | 'GO'
  /** Names the variants of the flag. */
  readonly variants: readonly string[]
  readonly issues: Issues
}

/** Returns a targeting as steps that name variants, and the variant of the rest: `undefined` means the default. @throws {LeftOut} */
export function readTargeting(
  logic: unknown,
  context: LogicContext,
): { readonly steps: readonly Step<string>[]; readonly rest: string | undefined } {
  if (!isObject(logic) || !Array.isArray(logic['if'])) {
    if (isObject(logic)) throw withoutCounterpart(logic, context)
    return { steps: [], rest: nameOf(logic, context) }
  }
  const parts: readonly unknown[] = logic['if']
  const steps: Step<string>[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const test = readTest(parts[at], context)
    const then = readTargeting(parts[at + 1], context)
    steps.push(...then.steps.map((step) => ({ ...step, test: all([test, step.test]) })))
    if (then.rest === undefined) throw withoutCounterpart(parts[at + 1], context)
    steps.push({ test, serve: then.rest })
  }
  if (parts.length % 2 === 0) return { steps, rest: undefined }
  const last = readTargeting(parts.at(-1), context)
  return { steps: [...steps, ...last.steps], rest: last.rest }
}

function nameOf(variant: unknown, context: LogicContext): string | undefined {
  if (variant === null || variant === undefined) return undefined
  const name = typeof variant === 'boolean' ? String(variant) : variant
  if (typeof name === 'string' && context.variants.includes(name)) return name
  throw withoutCounterpart(variant, context)
}

const textOperators: Readonly<Record<string, TextOperator>> = {
  starts_with: 'startsWith',
  ends_with: 'endsWith',
}
const numberOperators: Readonly<Record<string, NumberOperator>> = {
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
}

/** Returns the test of a condition. @throws {LeftOut} */
// oxlint-disable-next-line complexity -- one case for each operator
export function readTest(logic: unknown, context: LogicContext): Alternatives {
  if (logic === true) return always
  if (logic === false) return never
  const entries = isObject(logic) ? Object.entries(logic) : []
  const [entry, second] = entries
  if (entry === undefined || second !== undefined) throw withoutCounterpart(logic, context)
  const [operator, value] = entry
  const args: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (args.length === 0) throw withoutCounterpart(logic, context)
  switch (operator) {
    case 'and':
      return all(args.map((arg) => readTest(arg, context)))
    case 'or':
      return any(args.map((arg) => readTest(arg, context)))
    case '!':
      return negate(readTest(args[0], context))
    case '===':
    case '==':
      return readEqual(logic, operator, args, context)
    case '!==':
    case '!=':
      return negate(readEqual(logic, operator, args, context))
    case 'in':
      return readIn(logic, args, context)
    case 'sem_ver':
      return readVersion(logic, args, context)
    default:
      return readComparison(logic, operator, args, context)
  }
}

/** Returns the name of the attribute that `{"var": "name"}` reads. */
function toAttribute(logic: unknown, { source, issues }: LogicContext): string | undefined {
  const name = isObject(logic) ? logic['var'] : undefined
  const own = Array.isArray(name) && name.length === 1 ? name[0] : name
  if (typeof own !== 'string' || own === '' || own.startsWith('$flagd')) return undefined
  if (own.includes('.')) {
    const cause = `A rule asks for ${own}, a path into an object.`
    issues.medium(`${source}-T004 ${own}`, cause, done.path(own))
  }
  return source === 'GO' && own === 'key' ? targetingKey : own
}

function readEqual(
  logic: unknown,
  operator: string,
  [left, right]: readonly unknown[],
  context: LogicContext,
): Alternatives {
  const { source, issues } = context
  const first = toAttribute(left, context)
  const attribute = first ?? toAttribute(right, context)
  const value = first === undefined ? left : right
  if (attribute === undefined || !isPlain(value)) throw withoutCounterpart(logic, context)
  const isLoose = !operator.endsWith('==') || operator.length === 2
  if (isLoose && (typeof value !== 'string' || value === '' || Number.isFinite(Number(value)))) {
    const cause = `A rule compares ${attribute} loosely: there, "1", 1 and true are equal.`
    const action =
      'It compares value and type. The application has to send the type that the rule has.'
    issues.medium(`${source}-T006 ${attribute}`, cause, action)
  }
  return one({
    attribute,
    operator: 'equals',
    value: typeof value === 'string' ? fitText(value) : value,
  })
}

function readIn(
  logic: unknown,
  [left, right]: readonly unknown[],
  context: LogicContext,
): Alternatives {
  const attribute = toAttribute(left, context)
  if (attribute !== undefined && Array.isArray(right)) {
    const values = right.filter(isPlain)
    if (values.length < right.length) throw withoutCounterpart(logic, context)
    return values.length === 0 ? never : isOneOf(attribute, values)
  }
  const around = toAttribute(right, context)
  if (around === undefined || typeof left !== 'string' || left === '')
    throw withoutCounterpart(logic, context)
  return one({ attribute: around, operator: 'contains', value: fitText(left) })
}

function readVersion(
  logic: unknown,
  [left, comparator, version]: readonly unknown[],
  context: LogicContext,
): Alternatives {
  const attribute = toAttribute(left, context)
  const isKnown =
    typeof comparator === 'string' && ['=', '!=', '<', '<=', '>', '>='].includes(comparator)
  if (attribute === undefined || !isKnown || typeof version !== 'string' || !isSemver(version)) {
    throw withoutCounterpart(logic, context)
  }
  const cause = `A rule compares ${attribute} as a version. flagd takes 2, 2.1 and v2.1.0 as versions as well.`
  const action = 'The rule compares versions of three numbers. Send them whole, such as 2.1.0.'
  context.issues.medium(`${context.source}-T008 ${attribute}`, cause, action)
  const test = one({
    attribute,
    operator: 'semver',
    value: `${comparator === '!=' ? '=' : comparator}${version}`,
  })
  return comparator === '!=' ? negate(test) : test
}

function readComparison(
  logic: unknown,
  operator: string,
  [left, right]: readonly unknown[],
  context: LogicContext,
): Alternatives {
  const attribute = toAttribute(left, context)
  const textOperator = textOperators[operator]
  if (
    textOperator !== undefined &&
    attribute !== undefined &&
    typeof right === 'string' &&
    right !== ''
  ) {
    return one({ attribute, operator: textOperator, value: fitText(right) })
  }
  const numberOperator = numberOperators[operator]
  if (numberOperator === undefined || attribute === undefined || typeof right !== 'number') {
    throw withoutCounterpart(logic, context)
  }
  const cause = `A rule compares ${attribute} with a number. There, a missing attribute counts as 0, and a text may be a number.`
  const action = 'A missing attribute, or a text, does not meet the condition.'
  context.issues.medium(`${context.source}-T007 ${attribute}`, cause, action)
  return one({ attribute, operator: numberOperator, value: right })
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function withoutCounterpart(logic: unknown, { source }: LogicContext): LeftOut {
  const text = (JSON.stringify(logic) ?? 'nothing').slice(0, 300)
  const cause = `The targeting has a part that rules here cannot express: ${text}`
  return leaveOut(`${source}-T010`, cause, 'The flag is left out.')
}

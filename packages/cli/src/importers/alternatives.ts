import { limits, type AttributeCondition, type ForeignDeal } from '@signalbox/contract'
import {
  ExportError,
  LeftOut,
  type ImportedKey,
  type LeftOutKey,
  type ReadExport,
} from './importer.ts'

/** Describes a test of the context: it holds when all conditions of one of the lists hold. */
export type Alternatives = readonly (readonly AttributeCondition[])[]

/** Holds for every context. */
export const always: Alternatives = [[]]
/** Holds for no context. */
export const never: Alternatives = []

/** Limits what is put together before it is known whether it fits into the rules of a flag. */
const alternativesMax = 1000

/** Returns the test of one condition. */
export function one(condition: AttributeCondition): Alternatives {
  return [[condition]]
}

/** Holds when one of the tests holds. */
export function any(tests: readonly Alternatives[]): Alternatives {
  return tests.some((test) => test.some((list) => list.length === 0)) ? always : tests.flat()
}

/** Holds when all of the tests hold. */
export function all(tests: readonly Alternatives[]): Alternatives {
  let sum = always
  for (const test of tests) {
    if (sum.length * test.length > alternativesMax) throw tooMany()
    sum = sum.flatMap((list) => test.map((more) => [...list, ...more]))
  }
  return sum
}

/** Holds when the test does not. A condition that a context cannot answer is false, and true when negated, so this is exact. */
export function negate(test: Alternatives): Alternatives {
  return all(test.map((list) => list.map((condition) => [invert(condition)])))
}

function invert({ not, ...condition }: AttributeCondition): AttributeCondition {
  return not === true ? condition : { ...condition, not: true }
}

/** Returns a list of values as conditions of at most 500 values each. */
export function isOneOf(
  attribute: string,
  values: readonly (string | number | boolean)[],
): Alternatives {
  const distinct = [...new Set(values)]
  if (
    distinct.some((value) => typeof value === 'string' && value.length > limits.ruleTextCharacters)
  ) {
    throw new TooLarge(`A value has more than ${limits.ruleTextCharacters} characters.`)
  }
  const parts: Alternatives[] = []
  for (let at = 0; at < distinct.length; at += limits.valuesPerCondition) {
    const part = distinct.slice(at, at + limits.valuesPerCondition)
    parts.push(one({ attribute, operator: 'in', values: part }))
  }
  return any(parts)
}

/** Returns a text that is not too long for a rule. @throws {TooLarge} */
export function fitText(text: string): string {
  if (text.length <= limits.ruleTextCharacters) return text
  throw new TooLarge(`A value has more than ${limits.ruleTextCharacters} characters.`)
}

/** Says that something is larger than our rules may be. */
class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

function tooMany(): TooLarge {
  return new TooLarge(`Its conditions would become more than ${limits.rulesPerFlag} rules.`)
}

/** Describes a step of their evaluation: the first one that holds decides what is served. */
export interface Step<Served = unknown> {
  readonly test: Alternatives
  readonly serve: Served
  readonly description?: string | undefined
}

/** Describes who is divided, and by what. */
export interface Divided {
  readonly test: Alternatives
  readonly attribute: string
  readonly deal: ForeignDeal
  readonly description?: string | undefined
  /** Returns the percentage that has the same users here. Left out, it is the same. */
  readonly adjust?: (percent: number) => number
}

/**
 * Returns a step for each part of a division. One hash decides between the parts, so the users of each are those of a share that
 * reaches to its end, without those of the parts before. Who lacks the attribute passes all of them.
 */
export function divide<Served>(
  parts: readonly { readonly serve: Served; readonly percent: number }[],
  { test, attribute, deal, description, adjust = (percent) => percent }: Divided,
): Step<Served>[] {
  let sum = 0
  return parts.map(({ serve, percent }) => {
    sum += percent
    const end = adjust(Math.min(Math.round(sum * 1000) / 1000, 100))
    const share = one({ attribute, operator: 'share', percent: end, deal })
    return { test: end <= 0 ? never : all([test, share]), serve, description }
  })
}

/** Describes a rule, with what it serves in the words of the product. */
export interface Decided<Served> {
  readonly description?: string
  readonly when: AttributeCondition[]
  readonly serve: Served
}

/** Returns steps as rules. @throws {TooLarge} */
function toRules<Served>(steps: readonly Step<Served>[]): Decided<Served>[] {
  const rules = steps.flatMap(({ test, serve, description }) =>
    test.map((list) => ({
      ...(description !== undefined &&
        description !== '' && { description: description.slice(0, limits.ruleTextCharacters) }),
      when: dropRepeated(list),
      serve,
    })),
  )
  const last = rules.findIndex(({ when }) => when.length === 0)
  const effective = last === -1 ? rules : rules.slice(0, last + 1)
  if (effective.length > limits.rulesPerFlag) {
    throw new TooLarge(
      `It would have ${effective.length} rules. A flag has at most ${limits.rulesPerFlag}.`,
    )
  }
  const long = effective.find(({ when }) => when.length > limits.conditionsPerRule)
  if (long === undefined) return effective
  const count = long.when.length
  throw new TooLarge(
    `A rule would have ${count} conditions. It has at most ${limits.conditionsPerRule}.`,
  )
}

function dropRepeated(list: readonly AttributeCondition[]): AttributeCondition[] {
  const met = new Map(list.map((condition) => [JSON.stringify(condition), condition]))
  return [...met.values()]
}

/** Returns the value for everyone and the rules: a last rule for everyone becomes the value. @throws {TooLarge} */
export function settle<Served>(
  steps: readonly Step<Served>[],
  rest: Served,
): { readonly value: Served; readonly rules: readonly Decided<Served>[] } {
  const rules = toRules(steps)
  const last = rules.at(-1)
  if (last?.when.length !== 0) return { value: rest, rules }
  return { value: last.serve, rules: rules.slice(0, -1) }
}

/** Reads one flag, which may become several keys. */
type ReadOne = () => ImportedKey | LeftOutKey | readonly ImportedKey[]

/**
 * Reads every flag of an export. One that cannot be imported is left out with its issue, and does not stop the others. `code`
 * is that of a flag that has too many rules or conditions. Example of an entry: `['checkout', () => readFlag('checkout')]`.
 *
 * @throws {ExportError} for a flag that is there twice: one of them would be lost
 */
export function readEach(
  flags: Iterable<readonly [from: string, read: ReadOne]>,
  code: string,
): ReadExport {
  const keys: ImportedKey[] = []
  const leftOut: LeftOutKey[] = []
  const met = new Set<string>()
  for (const [from, read] of flags) {
    if (met.has(from)) throw new ExportError(`The export has the flag ${from} twice.`)
    met.add(from)
    const result = orLeftOut(from, read, code)
    if (isList(result)) keys.push(...result)
    else if ('key' in result) keys.push(result)
    else leftOut.push(result)
  }
  return { keys, leftOut }
}

function isList(result: ReturnType<ReadOne>): result is readonly ImportedKey[] {
  return Array.isArray(result)
}

function orLeftOut(from: string, read: ReadOne, code: string): ReturnType<ReadOne> {
  try {
    return read()
  } catch (error) {
    if (error instanceof LeftOut) return { from, issues: [error.issue] }
    if (!(error instanceof TooLarge)) throw error
    const done = 'The flag is left out.'
    return { from, issues: [{ code, severity: 'high', cause: error.message, done }] }
  }
}

import {
  isConfigValue,
  isJsonValue,
  limits,
  type ConfigValue,
  type ValueType,
} from '@signalbox/contract'
import { measurePattern } from './pattern-size.ts'

/**
 * Describes what constraints cost, known without compiling them. A step is one instruction of a pattern on one
 * character; a million take some 20 ms at the worst, measured with re2js 2.10.
 */
export interface ConstraintWork {
  /** Objects with keywords, those of combinations included. */
  readonly fragments: number
  /** Values that a part is compared with. */
  readonly choices: number
  /** Instructions of all patterns. */
  readonly patternSize: number
  /** Classes such as `\p{L}` in all patterns. */
  readonly propertyClasses: number
  readonly formats: ReadonlySet<string>
  /** Says that the items of a list are compared with each other. */
  readonly comparesItems: boolean
  /** The members that the constraints name. */
  readonly members: ReadonlySet<string>
}

const fragmentsMax: Readonly<Record<ValueType, number>> = {
  string: 100,
  number: 100,
  boolean: 100,
  json: 400,
}
const patternSizeMax = 2_200
const propertyClassesMax = 20

/** The steps that the longest text of a key may cost. */
const valueStepsMax = 1_000_000
/** The steps that an object or a list may cost: some 0.1 s at the worst. */
const jsonStepsMax = 5_000_000
/** Texts with more UTF-16 units are not matched with a format. */
const formattedUnitsMax = 8_192
/** The same for `url`, whose expression takes quadratic time. */
const urlUnitsMax = 2_048

/** Keywords that hold a fragment, a list of fragments, or fragments by name. */
export const nesting = {
  one: new Set(['not', 'items', 'additionalProperties', 'propertyNames']),
  list: new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  byName: new Set(['properties', 'patternProperties']),
} as const

const measured = new WeakMap<object, ConstraintWork>()

/** Measures constraints of any shape, those with violations included. Measures each object once. */
export function measureConstraints(constraints: object): ConstraintWork {
  const known = measured.get(constraints)
  if (known !== undefined) return known
  const work = {
    fragments: 0,
    choices: 0,
    patternSize: 0,
    propertyClasses: 0,
    formats: new Set<string>(),
    comparesItems: false,
    members: new Set<string>(),
  }
  const addPattern = (pattern: unknown): void => {
    if (!isShort(pattern)) return
    const { instructions, propertyClasses } = measurePattern(pattern)
    work.patternSize += instructions
    work.propertyClasses += propertyClasses
  }
  const addNamed = (keyword: string, fragments: object): void => {
    for (const [name, fragment] of Object.entries(fragments)) {
      if (keyword === 'properties') work.members.add(name)
      else addPattern(name)
      add(fragment)
    }
  }
  const add = (fragment: unknown): void => {
    if (typeof fragment !== 'object' || fragment === null || Array.isArray(fragment)) return
    work.fragments += 1
    for (const [keyword, value] of Object.entries(fragment)) {
      if (nesting.one.has(keyword)) add(value)
      else if (Array.isArray(value)) addList(keyword, value)
      else if (nesting.byName.has(keyword)) addNamed(keyword, Object(value))
      else addRule(keyword, value)
    }
  }
  const addRule = (keyword: string, value: unknown): void => {
    if (keyword === 'pattern') addPattern(value)
    else if (keyword === 'format' && typeof value === 'string') work.formats.add(value)
    else if (keyword === 'uniqueItems') work.comparesItems ||= value === true
  }
  const addList = (keyword: string, values: readonly unknown[]): void => {
    if (nesting.list.has(keyword)) values.forEach(add)
    else work.choices += values.length
  }
  add(constraints)
  measured.set(constraints, work)
  return work
}

/** A longer pattern is refused before anything else is done with it. */
function isShort(pattern: unknown): pattern is string {
  return typeof pattern === 'string' && Buffer.byteLength(pattern) <= limits.patternBytes
}

/** Returns why constraints are too much work to compile, and what to do; `undefined` when they are not. */
export function findWorkViolation(
  work: Pick<ConstraintWork, 'fragments' | 'patternSize' | 'propertyClasses'>,
  type: ValueType = 'string',
): string | undefined {
  const fragments = fragmentsMax[type]
  if (work.fragments > fragments) {
    return type === 'json'
      ? `Describe at most ${fragments} parts of the value, alternatives included.`
      : `Use at most ${fragments} alternatives for a key.`
  }
  if (work.patternSize > patternSizeMax) {
    return 'The patterns repeat too much. Lower the counts in braces, or use maxLength.'
  }
  if (work.propertyClasses > propertyClassesMax) {
    return `Use at most ${propertyClassesMax} classes such as \\p{L} for a key.`
  }
  return undefined
}

/** Returns the steps that compiling constraints costs. */
export function compileSteps(work: ConstraintWork): number {
  return 10_000 * work.fragments + 100 * work.patternSize + 20_000 * work.propertyClasses
}

/** Returns the steps that checking a value costs. A value that is refused for its length costs none. */
export function matchSteps(work: ConstraintWork, value: unknown): number {
  if (!isConfigValue(value) || findLengthViolation(work, value) !== undefined) return 0
  return isJsonValue(value) ? jsonSteps(work, value) : textSteps(work, value)
}

function textSteps(work: ConstraintWork, text: unknown): number {
  if (typeof text !== 'string') return 0
  const quadratic = work.formats.has('url') ? text.length ** 2 / 5 : 0
  return text.length * (work.patternSize + work.formats.size) + quadratic
}

/** Counts each fragment once for each part, as if all of them described it. */
function jsonSteps(work: ConstraintWork, part: unknown): number {
  const steps = work.fragments + work.choices + textSteps(work, part)
  if (!isJsonValue(part)) return steps
  const isList = Array.isArray(part)
  const compared = isList && work.comparesItems ? 2 * part.length ** 2 : 0
  return Object.entries(part).reduce(
    (sum, [name, member]) => sum + (isList ? 0 : textSteps(work, name)) + jsonSteps(work, member),
    steps + compared,
  )
}

/** Returns why a value is too long to be matched, and what to do; `undefined` when it is not. */
export function findLengthViolation(work: ConstraintWork, value: ConfigValue): string | undefined {
  if (isJsonValue(value)) {
    return jsonSteps(work, value) > jsonStepsMax
      ? 'Shorten the value, or use fewer patterns and parts in its schema: the server doesn’t check what would take so long.'
      : undefined
  }
  if (typeof value !== 'string') return undefined
  const matchedUnitsMax = Math.floor(valueStepsMax / Math.max(1, work.patternSize))
  if (work.patternSize > 0 && value.length > matchedUnitsMax) {
    return `Shorten the text to ${matchedUnitsMax} characters: the server doesn’t match longer texts with a pattern.`
  }
  const unitsMax = work.formats.has('url') ? urlUnitsMax : formattedUnitsMax
  if (work.formats.size > 0 && value.length > unitsMax) {
    return `Shorten the text to ${unitsMax} characters: the server doesn’t check the format of longer texts.`
  }
  return undefined
}

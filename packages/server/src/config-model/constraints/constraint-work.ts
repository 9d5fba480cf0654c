import { limits, type ConfigValue } from '@signalbox/contract'
import { measurePattern } from './pattern-size.ts'

/**
 * Describes what constraints cost, known without compiling them. A step is one instruction of a pattern on one
 * character; a million take some 20 ms at the worst, measured with re2js 2.10.
 */
export interface ConstraintWork {
  /** Objects with keywords, those of combinations included. */
  readonly fragments: number
  /** Instructions of all patterns. */
  readonly patternSize: number
  /** Classes such as `\p{L}` in all patterns. */
  readonly propertyClasses: number
  readonly formats: ReadonlySet<string>
}

const fragmentsMax = 100
const patternSizeMax = 2_200
const propertyClassesMax = 20

/** The steps that the longest text of a key may cost. */
const valueStepsMax = 1_000_000
/** Texts with more UTF-16 units are not matched with a format. */
const formattedUnitsMax = 8_192
/** The same for `url`, whose expression takes quadratic time. */
const urlUnitsMax = 2_048

const measured = new WeakMap<object, ConstraintWork>()

/** Measures constraints of any shape, those with violations included. Measures each object once. */
export function measureConstraints(constraints: object): ConstraintWork {
  const known = measured.get(constraints)
  if (known !== undefined) return known
  const work = { fragments: 0, patternSize: 0, propertyClasses: 0, formats: new Set<string>() }
  const add = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if (!Array.isArray(part)) work.fragments += 1
    for (const [keyword, value] of Object.entries(part)) {
      if (keyword === 'pattern' && isShort(value)) {
        const { instructions, propertyClasses } = measurePattern(value)
        work.patternSize += instructions
        work.propertyClasses += propertyClasses
      } else if (keyword === 'format' && typeof value === 'string') work.formats.add(value)
      else add(value)
    }
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
export function findWorkViolation(work: Omit<ConstraintWork, 'formats'>): string | undefined {
  if (work.fragments > fragmentsMax) return `Use at most ${fragmentsMax} alternatives for a key.`
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
  if (typeof value !== 'string' || findLengthViolation(work, value) !== undefined) return 0
  const quadratic = work.formats.has('url') ? value.length ** 2 / 5 : 0
  return value.length * (work.patternSize + work.formats.size) + quadratic
}

/** Returns why a text is too long to be matched, and what to do; `undefined` when it is not. */
export function findLengthViolation(work: ConstraintWork, text: ConfigValue): string | undefined {
  if (typeof text !== 'string') return undefined
  const matchedUnitsMax = Math.floor(valueStepsMax / Math.max(1, work.patternSize))
  if (work.patternSize > 0 && text.length > matchedUnitsMax) {
    return `Shorten the text to ${matchedUnitsMax} characters: the server doesn’t match longer texts with a pattern.`
  }
  const unitsMax = work.formats.has('url') ? urlUnitsMax : formattedUnitsMax
  if (work.formats.size > 0 && text.length > unitsMax) {
    return `Shorten the text to ${unitsMax} characters: the server doesn’t check the format of longer texts.`
  }
  return undefined
}

import type { ConfigValue } from './config.ts'
import { toUtf8 } from './flags/utf8.ts'
import { limits } from './limits.ts'
import type { ProblemCode } from './problems.ts'

// The server and the definition that a constraint came from read it here: two readings would differ.

/**
 * Returns whether a number is a multiple of `step`. Decimals have no exact form in binary, so `19.99` is a multiple of
 * `0.01` although their quotient is 1998.9999999999998. Whole numbers are compared exactly.
 */
export function isMultipleOf(value: number, step: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(step)) return value % step === 0
  const quotient = value / step
  // Both numbers and their quotient are rounded once each.
  const rounding = 4 * Number.EPSILON * Math.max(Math.abs(quotient), 1)
  return Math.abs(quotient - Math.round(quotient)) < rounding
}

/** Every platform has it: this package is compiled for none. */
declare const URL: { canParse(text: string): boolean }

const absolute = /^[a-z][a-z0-9+.-]*:[^\s]/i
const unprintable = /[\p{Cc}]|^\s|\s$/u

/** Returns whether a text is an absolute URL, as browsers and validators read it: `https://exämple.com/{id}` is one. */
export function isAbsoluteUrl(text: string): boolean {
  return absolute.test(text) && !unprintable.test(text) && URL.canParse(text)
}

/** Returns what is wrong with a value whatever its constraints are, and what to do. It never repeats the value. */
export function findLimitViolation(
  value: ConfigValue,
): { readonly code: ProblemCode; readonly detail: string } | undefined {
  if (typeof value === 'string') return findTextViolation(value)
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return undefined
  const detail = 'Use a number between -9007199254740991 and 9007199254740991.'
  return { code: 'number_out_of_range', detail }
}

function findTextViolation(value: string) {
  const isShort = value.length * 3 <= limits.valueBytes
  if (!isShort && toUtf8(value).length > limits.valueBytes) {
    const detail = `Shorten the value to ${limits.valueBytes} bytes of UTF-8.`
    return { code: 'value_too_large', detail } as const
  }
  if (!value.includes('\0') && value.isWellFormed()) return undefined
  const detail = 'Use text without NUL and without half of a surrogate pair.'
  return { code: 'ill_formed_text', detail } as const
}

/** Returns what is wrong with the value of a keyword, or `undefined`. */
type BoundRule = (value: unknown) => string | undefined

const isCount: BoundRule = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? undefined
    : 'Use a whole number of at least 0.'
const isNumber: BoundRule = (value) => (Number.isFinite(value) ? undefined : 'Use a number.')
const isDivisor: BoundRule = (value) =>
  Number.isFinite(value) && Number(value) > 0 ? undefined : 'Use a number above 0.'

/** Holds the rules of the keywords that bound a text or a number. */
export const boundRules = {
  string: { minLength: isCount, maxLength: isCount },
  number: {
    minimum: isNumber,
    maximum: isNumber,
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    multipleOf: isDivisor,
  },
} satisfies Readonly<Record<string, Readonly<Record<string, BoundRule>>>>

const pairs = [
  ['minLength', 'maxLength', false],
  ['minimum', 'maximum', false],
  ['exclusiveMinimum', 'exclusiveMaximum', true],
  ['exclusiveMinimum', 'maximum', true],
  ['minimum', 'exclusiveMaximum', true],
] as const

/** Describes a keyword that makes no sense. */
export interface BoundViolation {
  readonly keyword: string
  readonly detail: string
}

/** Finds bounds that no value can lie between: always a mistake. */
export function findContradictions(
  constraints: Readonly<Record<string, unknown>>,
): BoundViolation[] {
  return pairs.flatMap(([low, high, strict]) => {
    const [least, most] = [constraints[low], constraints[high]]
    if (typeof least !== 'number' || typeof most !== 'number') return []
    if (strict ? least < most : least <= most) return []
    return [{ keyword: low, detail: `No value can satisfy ${low} and ${high} together.` }]
  })
}

/** Finds bounds that make no sense, by themselves or together. */
export function findBoundViolations(
  constraints: Readonly<Record<string, unknown>>,
): BoundViolation[] {
  const rules = new Map<string, BoundRule>(
    Object.values(boundRules).flatMap((each) => Object.entries(each)),
  )
  const alone = Object.entries(constraints).flatMap(([keyword, value]) => {
    const detail = rules.get(keyword)?.(value)
    return detail === undefined ? [] : [{ keyword, detail }]
  })
  return alone.length > 0 ? alone : findContradictions(constraints)
}

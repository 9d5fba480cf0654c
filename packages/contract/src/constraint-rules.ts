import type { ConfigValue, JsonValue } from './values/value-types.ts'
import { toUtf8 } from './flags/utf8.ts'
import { canonicalJson, isJsonValue } from './values/json-value.ts'
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

/** Describes what is wrong with a value, and where in it. */
export interface LimitViolation {
  readonly code: ProblemCode
  readonly detail: string
  /** Leads there from the top of an object or a list. Example: `['plans', 0]`. */
  readonly path?: readonly (string | number)[]
}

/** Returns what is wrong with a value whatever its constraints are, and what to do. It never repeats the value. */
export function findLimitViolation(value: ConfigValue): LimitViolation | undefined {
  if (isJsonValue(value)) return findPartViolation(value, []) ?? findSizeViolation(value)
  if (typeof value === 'string') return findTextViolation(value)
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return undefined
  const detail = 'Use a number between -9007199254740991 and 9007199254740991.'
  return { code: 'number_out_of_range', detail }
}

function findSizeViolation(value: object): LimitViolation | undefined {
  const text = canonicalJson(value)
  if (text.length * 3 <= limits.valueBytes || toUtf8(text).length <= limits.valueBytes)
    return undefined
  const detail = `Shorten the value: as JSON without spaces it may have at most ${limits.valueBytes} bytes of UTF-8.`
  return { code: 'value_too_large', detail }
}

/** Returns what is wrong with a part of an object or a list. */
function findPartViolation(
  value: unknown,
  path: readonly (string | number)[],
): LimitViolation | undefined {
  if (path.length > limits.valueDepth) {
    const detail = `Nest objects and lists at most ${limits.valueDepth} deep within a value.`
    return { code: 'too_deep', detail, path }
  }
  if (isJsonValue(value)) return findMemberViolation(value, path)
  if (value === null || typeof value === 'boolean') return undefined
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { code: 'number_out_of_range', detail: 'Use a finite number.', path }
  }
  const isLeaf = typeof value === 'string' || typeof value === 'number'
  const violation = isLeaf ? findLimitViolation(value) : notJson
  return violation && { ...violation, path }
}

const notJson = {
  code: 'type_mismatch',
  detail: 'Use what JSON can hold: texts, numbers, booleans, null, lists and plain objects.',
} as const

function findMemberViolation(
  value: JsonValue,
  path: readonly (string | number)[],
): LimitViolation | undefined {
  for (const [name, part] of Object.entries(value)) {
    // JSON leaves such a member out.
    if (part === undefined && !Array.isArray(value)) continue
    const at = [...path, Array.isArray(value) ? Number(name) : name]
    const violation = findTextViolation(name)
    if (violation !== undefined) return { ...violation, path }
    const inside = findPartViolation(part, at)
    if (inside !== undefined) return inside
  }
  return undefined
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

/** Holds the rules of the keywords that bound a text, a number, or the length of a list or an object. */
export const boundRules = {
  string: { minLength: isCount, maxLength: isCount },
  number: {
    minimum: isNumber,
    maximum: isNumber,
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    multipleOf: isDivisor,
  },
  json: { minItems: isCount, maxItems: isCount, minProperties: isCount, maxProperties: isCount },
} satisfies Readonly<Record<string, Readonly<Record<string, BoundRule>>>>

const pairs = [
  ['minLength', 'maxLength', false],
  ['minItems', 'maxItems', false],
  ['minProperties', 'maxProperties', false],
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

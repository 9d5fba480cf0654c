import { isAbsoluteUrl, isMultipleOf, type ConfigValue, type ValueType } from '@signalbox/contract'
import { _, Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { findLengthViolation, measureConstraints } from './constraint-work.ts'
import { canonicalText } from '../definition.ts'
import { parsePattern, type LinearPattern } from './linear-pattern.ts'

/**
 * Returns what to do about a value that breaks the constraints, without repeating the value; `undefined` when it keeps
 * them.
 */
export type ConstraintCheck = (value: ConfigValue) => string | undefined

const cachedChecksMax = 4_000

function linearRegExp(source: string): LinearPattern {
  const parsed = parsePattern(source)
  if ('violation' in parsed) throw new Error(`A stored pattern is not usable: ${parsed.violation}`)
  return parsed.pattern
}

const ajv = new Ajv2020({
  allErrors: true,
  logger: false,
  strictTypes: false,
  validateSchema: false,
  code: { regExp: Object.assign(linearRegExp, { code: 'linearRegExp' }) },
})
addFormats.default(ajv)
ajv.addFormat('uri', isAbsoluteUrl)
ajv.removeKeyword('multipleOf')
ajv.addKeyword({
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  compile: (step: number) => (value: number) => isMultipleOf(value, step),
  error: { message: 'multipleOf', params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
})

const checks = new Map<string, ConstraintCheck>()
const checksOf = new WeakMap<
  object,
  { readonly type: ValueType; readonly check: ConstraintCheck }
>()

/** Returns the check of the constraints of a key of `type`. Compiles it once for all keys with equal constraints. */
export function compileConstraints(
  type: ValueType,
  constraints: Readonly<Record<string, unknown>>,
): ConstraintCheck {
  const known = checksOf.get(constraints)
  if (known?.type === type) return known.check
  const check = compileOnce(type, constraints)
  checksOf.set(constraints, { type, check })
  return check
}

function compileOnce(
  type: ValueType,
  constraints: Readonly<Record<string, unknown>>,
): ConstraintCheck {
  const text = `${type} ${canonicalText(constraints)}`
  const known = checks.get(text)
  if (known !== undefined) return known
  const check = compile(type, constraints)
  const oldest = checks.keys().next().value
  if (checks.size >= cachedChecksMax && oldest !== undefined) checks.delete(oldest)
  checks.set(text, check)
  return check
}

function compile(type: ValueType, constraints: Readonly<Record<string, unknown>>): ConstraintCheck {
  const schema = { type, ...constraints }
  const validate = ajv.compile<ConfigValue>(schema)
  // Without this, Ajv keeps every schema that it has compiled.
  ajv.removeSchema(schema)
  const work = measureConstraints(constraints)
  return (value) => {
    const violation = findLengthViolation(work, value)
    if (violation !== undefined || validate(value)) return violation
    return describeErrors(validate.errors ?? [])
  }
}

function describeErrors(errors: readonly ErrorObject[]): string {
  const combined = errors.find(({ keyword }) => combinationTexts.has(keyword))
  const text = combinationTexts.get(combined?.keyword ?? '')
  if (text !== undefined) return text
  return [...new Set(errors.map(describeError))].join(' ')
}

const combinationTexts = new Map([
  ['anyOf', 'Use a value that satisfies at least one of the alternatives of the schema.'],
  ['oneOf', 'Use a value that satisfies exactly one of the alternatives of the schema.'],
  ['not', 'Use a value that the schema does not exclude.'],
])

const formatExamples = new Map([
  ['uri', 'https://example.com/path'],
  ['url', 'https://example.com/path'],
  ['uri-reference', '/path?query'],
  ['email', 'ada@example.com'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['date', '2026-11-21'],
  ['time', '06:00:00Z'],
  ['date-time', '2026-11-21T06:00:00Z'],
  ['duration', 'PT15M'],
  ['uuid', '0190b6a4-6b1e-7c3d-8f2a-1d2e3f405162'],
  ['json-pointer', '/a/0'],
  ['byte', 'c2lnbmFs'],
])

/** Texts that say what to do, by the keyword that the value breaks. */
const texts: Readonly<Record<string, (params: Params) => string>> = {
  minLength: ({ limit }) => `Use at least ${countCharacters(limit)}.`,
  maxLength: ({ limit }) => `Use at most ${countCharacters(limit)}.`,
  pattern: ({ pattern }) => `Use text that matches the pattern "${String(pattern)}".`,
  format: ({ format }) => describeFormat(String(format)),
  minimum: ({ limit }) => `Use a number of at least ${String(limit)}.`,
  maximum: ({ limit }) => `Use a number of at most ${String(limit)}.`,
  exclusiveMinimum: ({ limit }) => `Use a number above ${String(limit)}.`,
  exclusiveMaximum: ({ limit }) => `Use a number below ${String(limit)}.`,
  multipleOf: ({ multipleOf }) =>
    multipleOf === 1 ? 'Use a whole number.' : `Use a multiple of ${String(multipleOf)}.`,
  type: () => 'Use a whole number.',
  enum: ({ allowedValues }) => `Use one of ${listChoices(allowedValues)}.`,
  const: ({ allowedValue }) => `Use ${JSON.stringify(allowedValue)}.`,
}

type Params = Readonly<Record<string, unknown>>

function countCharacters(count: unknown): string {
  return `${String(count)} ${count === 1 ? 'character' : 'characters'}`
}

function describeError({ keyword, params }: ErrorObject): string {
  const text = texts[keyword]?.(params)
  return text ?? 'Use a value that satisfies the constraints of the schema.'
}

function describeFormat(format: string): string {
  const example = formatExamples.get(format)
  return `Use text of the format "${format}"${example === undefined ? '' : `, such as ${example}`}.`
}

const listedChoices = 20

function listChoices(allowed: unknown): string {
  if (!Array.isArray(allowed)) return 'the values of the schema'
  const listed = allowed.slice(0, listedChoices).map((choice) => JSON.stringify(choice))
  return listed.join(', ') + (allowed.length > listedChoices ? ', …' : '')
}

import {
  canonicalJson,
  isAbsoluteUrl,
  isMultipleOf,
  type ConfigValue,
  type ValueType,
} from '@signalbox/contract'
import { _, Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { findLengthViolation, measureConstraints } from './constraint-work.ts'
import { parsePattern, type LinearPattern } from './linear-pattern.ts'

/** Describes a value that breaks the constraints, without repeating the value. */
export interface BrokenConstraint {
  readonly detail: string
  /** Leads to the part that breaks them. Its names may be those of the value. */
  readonly path: readonly (string | number)[]
}

/** Returns what to do about a value that breaks the constraints; `undefined` when it keeps them. */
export type ConstraintCheck = (value: ConfigValue) => BrokenConstraint | undefined

const cachedChecksMax = 4_000

function linearRegExp(source: string): LinearPattern {
  const parsed = parsePattern(source)
  if ('violation' in parsed) throw new Error(`A stored pattern is not usable: ${parsed.violation}`)
  return parsed.pattern
}

function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    logger: false,
    strictTypes: false,
    strictTuples: false,
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
  return ajv
}

const everyError = createAjv(true)
/** Of an object or a list, the first error is said: there may be one for each of its parts. */
const firstError = createAjv(false)

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
  const text = `${type} ${canonicalJson(constraints)}`
  const known = checks.get(text)
  if (known !== undefined) return known
  const check = compile(type, constraints)
  const oldest = checks.keys().next().value
  if (checks.size >= cachedChecksMax && oldest !== undefined) checks.delete(oldest)
  checks.set(text, check)
  return check
}

function compile(type: ValueType, constraints: Readonly<Record<string, unknown>>): ConstraintCheck {
  const isJson = type === 'json'
  const ajv = isJson ? firstError : everyError
  const schema = isJson ? constraints : { type, ...constraints }
  const validate = ajv.compile<ConfigValue>(schema)
  // Without this, Ajv keeps every schema that it has compiled.
  ajv.removeSchema(schema)
  const work = measureConstraints(constraints)
  return (value) => {
    const tooLong = findLengthViolation(work, value)
    if (tooLong !== undefined) return { detail: tooLong, path: [] }
    return validate(value) ? undefined : describeErrors(value, validate.errors ?? [])
  }
}

function describeErrors(value: ConfigValue, errors: readonly ErrorObject[]): BrokenConstraint {
  const combined = errors.findLast(({ keyword }) => combinationTexts.has(keyword))
  const detail = combinationTexts.get(combined?.keyword ?? '')
  return {
    detail: detail ?? [...new Set(errors.map(describeError))].join(' '),
    path: pathOf(value, combined ?? errors.at(-1)),
  }
}

/** Returns what leads to the part of a value that an error is about. */
function pathOf(value: ConfigValue, error: ErrorObject | undefined): (string | number)[] {
  if (error === undefined) return []
  const { instancePath, params } = error
  const names = instancePath.split('/').slice(1)
  const extra: unknown = params['additionalProperty'] ?? params['propertyName']
  let part: unknown = value
  const path = names.map((escaped) => {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    const isIndex = Array.isArray(part)
    part = Reflect.get(Object(part), name)
    return isIndex ? Number(name) : name
  })
  return typeof extra === 'string' ? [...path, extra] : path
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
  minLength: ({ limit }) => `Use at least ${countOf(limit, 'character')}.`,
  maxLength: ({ limit }) => `Use at most ${countOf(limit, 'character')}.`,
  pattern: ({ pattern }) => `Use text that matches the pattern "${String(pattern)}".`,
  format: ({ format }) => describeFormat(String(format)),
  minimum: ({ limit }) => `Use a number of at least ${String(limit)}.`,
  maximum: ({ limit }) => `Use a number of at most ${String(limit)}.`,
  exclusiveMinimum: ({ limit }) => `Use a number above ${String(limit)}.`,
  exclusiveMaximum: ({ limit }) => `Use a number below ${String(limit)}.`,
  multipleOf: ({ multipleOf }) =>
    multipleOf === 1 ? 'Use a whole number.' : `Use a multiple of ${String(multipleOf)}.`,
  type: ({ type }) => `Use ${listTypes(type)}.`,
  required: ({ missingProperty }) => `Add the member ${JSON.stringify(missingProperty)}.`,
  additionalProperties: () => 'The schema has no such member. Leave it out.',
  propertyNames: () => 'The schema admits no member of this name. Rename it.',
  'false schema': () => 'The schema admits nothing here. Leave it out.',
  minItems: ({ limit }) => `Use at least ${countOf(limit, 'item')}.`,
  maxItems: ({ limit }) => `Use at most ${countOf(limit, 'item')}.`,
  uniqueItems: () => 'Use each item once.',
  minProperties: ({ limit }) => `Use at least ${countOf(limit, 'member')}.`,
  maxProperties: ({ limit }) => `Use at most ${countOf(limit, 'member')}.`,
  enum: ({ allowedValues }) => `Use one of ${listChoices(allowedValues)}.`,
  const: ({ allowedValue }) => `Use ${JSON.stringify(allowedValue)}.`,
}

type Params = Readonly<Record<string, unknown>>

function countOf(count: unknown, noun: string): string {
  return `${String(count)} ${count === 1 ? noun : `${noun}s`}`
}

const typeWords = new Map<unknown, string>([
  ['object', 'an object'],
  ['array', 'a list'],
  ['string', 'text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['null', 'null'],
])

function listTypes(types: unknown): string {
  const names: readonly unknown[] = Array.isArray(types) ? types : [types]
  return names.map((name) => typeWords.get(name) ?? 'another type').join(' or ')
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

import { toVariableText, type ValueType } from '@signalbox/contract'
import { parseValue } from '../parse-value.ts'

/** Lists the constraints that have a field, in their order. A combination, such as `anyOf`, is declared in code. */
export const limitNames = {
  string: ['minLength', 'maxLength', 'format', 'pattern', 'enum', 'const'],
  number: [
    'minimum',
    'exclusiveMinimum',
    'maximum',
    'exclusiveMaximum',
    'multipleOf',
    'format',
    'enum',
    'const',
  ],
  boolean: ['const'],
  json: [],
} as const satisfies Readonly<Record<ValueType, readonly string[]>>

/** Names a limit that a value can have. */
export type LimitName = (typeof limitNames)[ValueType][number]

/** Holds the limits of a key as they were typed. Empty: none. */
export type LimitTexts = Readonly<Record<LimitName, string>>

/** Holds limits of which none is given. */
export const noLimits: LimitTexts = {
  minLength: '',
  maxLength: '',
  format: '',
  pattern: '',
  enum: '',
  const: '',
  minimum: '',
  exclusiveMinimum: '',
  maximum: '',
  exclusiveMaximum: '',
  multipleOf: '',
}

const allLimits: readonly LimitName[] = [...new Set(Object.values(limitNames).flat())]

/** Returns the limit of this name. `undefined`: no field is about it. */
export function findLimit(name: string | undefined): LimitName | undefined {
  return allLimits.find((limit) => limit === name)
}

type Constraints = Readonly<Record<string, unknown>>

/** Holds the fields of the constraints. */
interface LimitFields {
  readonly limits: LimitTexts
  readonly isWhole: boolean
}

/** Returns the fields that say these constraints. */
export function toLimitFields(constraints: Constraints): LimitFields {
  // Code declares an integer, and the server stores a multiple of one.
  const isWhole = constraints['type'] === 'integer' || constraints['multipleOf'] === 1
  const texts = allLimits.map((limit) => [limit, toLimitText(constraints[limit])] as const)
  const limits: LimitTexts = { ...noLimits, ...Object.fromEntries(texts) }
  return { limits: limits.multipleOf === '1' ? { ...limits, multipleOf: '' } : limits, isWhole }
}

function toLimitText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n')
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Holds a limit that was read, or why it is none. */
type ReadLimit = { readonly value: unknown } | { readonly violation: string }

/** Keeps the violations of fields. */
interface Violations {
  readonly set: (limit: LimitName, violation: string) => unknown
}

/** Reads the constraints. Adds the violation of each field to `errors`. */
export function readLimits(
  type: ValueType,
  { limits, isWhole }: LimitFields,
  errors: Violations,
): Map<string, unknown> {
  const constraints = new Map<string, unknown>()
  for (const limit of limitNames[type]) {
    const text = limits[limit]
    if (text.trim() === '') continue
    const read = readLimit(limit, type, text)
    if ('violation' in read) errors.set(limit, read.violation)
    else constraints.set(limit, read.value)
  }
  for (const [low, high] of findContradictions(constraints))
    errors.set(low, `No value can satisfy ${low} and ${high} together.`)
  if (type === 'number' && isWhole) addWhole(constraints)
  return constraints
}

/** Lists bounds of one value: whether one value may equal both. */
const bounds = [
  ['minLength', 'maxLength', true],
  ['minimum', 'maximum', true],
  ['exclusiveMinimum', 'exclusiveMaximum', false],
  ['exclusiveMinimum', 'maximum', false],
  ['minimum', 'exclusiveMaximum', false],
] as const

function findContradictions(constraints: ReadonlyMap<string, unknown>) {
  return bounds.filter(([low, high, mayEqual]) => {
    const [least, most] = [constraints.get(low), constraints.get(high)]
    if (typeof least !== 'number' || typeof most !== 'number') return false
    return mayEqual ? least > most : least >= most
  })
}

/** Adds what whole numbers are, in the words of a push: so the next one finds no difference. */
function addWhole(constraints: Map<string, unknown>): void {
  const step = constraints.get('multipleOf') ?? 1
  if (Number.isInteger(step)) constraints.set('multipleOf', step)
  else constraints.set('type', 'integer')
}

function readLimit(limit: LimitName, type: ValueType, text: string): ReadLimit {
  switch (limit) {
    case 'format':
    case 'pattern':
      return { value: text.trim() }
    case 'enum':
      return readChoices(type, text)
    case 'const':
      return readConstant(type, text)
    case 'minLength':
    case 'maxLength':
      return readNumber(text, 'Use a whole number of at least 0.', isCount)
    case 'multipleOf':
      return readNumber(text, 'Use a number above 0.', (value) => value > 0)
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return readNumber(text, 'Use a number, such as 3.', () => true)
  }
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0

function readNumber(text: string, advice: string, fits: (value: number) => boolean): ReadLimit {
  const parsed = parseValue(text, 'number')
  if (!parsed.ok || typeof parsed.value !== 'number')
    return { violation: 'Use a number, such as 3.' }
  return fits(parsed.value) ? { value: parsed.value } : { violation: advice }
}

function readChoices(type: ValueType, text: string): ReadLimit {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const parsed = lines.map((line) => parseValue(line, type))
  const choices = parsed.flatMap((each) => (each.ok ? [each.value] : []))
  if (choices.length < lines.length) return { violation: `Use a ${type} in each line.` }
  const twice = choices.find((choice, at) => choices.indexOf(choice) < at)
  return twice === undefined
    ? { value: choices }
    : { violation: `List ${toVariableText(twice)} once.` }
}

function readConstant(type: ValueType, text: string): ReadLimit {
  const parsed = parseValue(text, type)
  return parsed.ok ? { value: parsed.value } : { violation: parsed.error }
}

/**
 * Returns the constraints of an edited key. A limit whose field still says what is stored is kept exactly: a text of several
 * lines, for instance, has no equal in a field. Those without a field stay as they are.
 */
export function mergeConstraints(
  type: ValueType,
  before: Constraints,
  edited: Constraints,
): Record<string, unknown> {
  const asRead = readLimits(type, toLimitFields(before), new Map())
  const limits = Object.entries(edited).map(([name, value]) => {
    const isSame = JSON.stringify(asRead.get(name)) === JSON.stringify(value)
    return [name, isSame && Object.hasOwn(before, name) ? before[name] : value] as const
  })
  return { ...findOtherConstraints(type, before), ...Object.fromEntries(limits) }
}

/** Returns the constraints that have no field. */
export function findOtherConstraints(type: ValueType, constraints: Constraints): Constraints {
  const fields: ReadonlySet<string> = new Set(['type', ...limitNames[type]])
  return Object.fromEntries(Object.entries(constraints).filter(([name]) => !fields.has(name)))
}

import {
  isAbsoluteUrl,
  isMultipleOf,
  type ConfigValue,
  type KeyNotes,
  type ValueType,
} from '@signalbox/contract'

/** Describes the keywords of JSON Schema 2020-12 that apply to one string, number or boolean, and the notes about a key. */
export interface Fragment extends KeyNotes {
  readonly type?: ValueType | 'integer' | undefined
  readonly enum?: readonly ConfigValue[] | undefined
  readonly const?: ConfigValue | undefined
  readonly format?: string | undefined
  readonly pattern?: string | undefined
  /** Lists further patterns that must match too. */
  readonly allOf?: readonly { readonly pattern: string }[] | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly exclusiveMinimum?: number | undefined
  readonly exclusiveMaximum?: number | undefined
  readonly multipleOf?: number | undefined
  readonly default?: ConfigValue | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uri: isAbsoluteUrl,
  email: (text) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d\d-\d\dT/i.test(text) && !Number.isNaN(Date.parse(text)),
  ipv4: (text) => /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text),
  hostname: (text) => /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.(?!$)|$))+$/i.test(text),
}

/** Lists the formats that `violationOf` checks. The server checks the others. */
export const checkedFormats: ReadonlySet<string> = new Set(Object.keys(formats))

/** Returns all patterns of a fragment. */
export function patternsOf({ pattern, allOf = [] }: Fragment): string[] {
  return [...(pattern === undefined ? [] : [pattern]), ...allOf.map((part) => part.pattern)]
}

function typeViolation(type: Fragment['type'], value: unknown): string | undefined {
  if (type === undefined) return undefined
  if (type === 'integer') return Number.isInteger(value) ? undefined : 'must be an integer'
  if (typeof value !== type) return `must be a ${type}`
  return typeof value === 'number' && !Number.isFinite(value) ? 'must be finite' : undefined
}

const countCharacters = (count: number) => `${count} ${count === 1 ? 'character' : 'characters'}`

function stringViolation(fragment: Fragment, text: string): string | undefined {
  // JSON Schema counts characters, not UTF-16 units.
  const length = Array.from(text).length
  const { minLength = 0, maxLength = Infinity, format } = fragment
  if (length < minLength) return `must have at least ${countCharacters(minLength)}`
  if (length > maxLength) return `must have at most ${countCharacters(maxLength)}`
  const broken = patternsOf(fragment).find((pattern) => !new RegExp(pattern, 'u').test(text))
  if (broken !== undefined) return `must match ${broken}`
  const matches = format === undefined ? undefined : formats[format]
  return matches && !matches(text) ? `must be a valid ${format}` : undefined
}

function numberViolation(fragment: Fragment, value: number): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, multipleOf } = fragment
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = fragment
  if (value < minimum) return `must be at least ${minimum}`
  if (value > maximum) return `must be at most ${maximum}`
  if (value <= exclusiveMinimum) return `must be more than ${exclusiveMinimum}`
  if (value >= exclusiveMaximum) return `must be less than ${exclusiveMaximum}`
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf)) {
    return multipleOf === 1 ? 'must be a whole number' : `must be a multiple of ${multipleOf}`
  }
  return undefined
}

/** Returns what is wrong with `value`, without repeating it, or `undefined` when nothing is. */
export function violationOf(fragment: Fragment, value: unknown): string | undefined {
  const violation = typeViolation(fragment.type, value)
  if (violation !== undefined) return violation
  const options = fragment.const === undefined ? fragment.enum : [fragment.const]
  if (options && !options.some((option) => option === value)) {
    return `must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}`
  }
  if (typeof value === 'string') return stringViolation(fragment, value)
  if (typeof value === 'number') return numberViolation(fragment, value)
  return typeof value === 'boolean' ? undefined : 'must be a string, a number or a boolean'
}

import { isAbsoluteUrl, isMultipleOf } from '@signalbox/contract'

/** Describes the keywords of JSON Schema 2020-12 that apply to a text or a number. */
export interface PlainRules {
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
export function patternsOf({ pattern, allOf = [] }: PlainRules): string[] {
  return [...(pattern === undefined ? [] : [pattern]), ...allOf.map((part) => part.pattern)]
}

const countCharacters = (count: number) => `${count} ${count === 1 ? 'character' : 'characters'}`

function stringViolation(fragment: PlainRules, text: string): string | undefined {
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

function numberViolation(fragment: PlainRules, value: number): string | undefined {
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

/** Returns what is wrong with a text or a number by the keywords about one, without repeating it. */
export function findPlainViolation(rules: PlainRules, value: string | number): string | undefined {
  return typeof value === 'string' ? stringViolation(rules, value) : numberViolation(rules, value)
}

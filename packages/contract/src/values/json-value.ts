import { valueTypes, type ConfigValue, type JsonValue, type ValueType } from './value-types.ts'
import { cutText } from './text.ts'

/**
 * Returns JSON text with the members of every object in sorted order: equal values have equal texts. The order is that of UTF-16
 * units, as in RFC 8785, except that names which are whole numbers come first, as in every object of JavaScript. Members that
 * are `undefined` are left out.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => sortMembers(member))
}

function sortMembers(member: unknown): unknown {
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
  const entries = Object.entries(member)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns a value as it is stored, so that `JSON.stringify` writes equal values alike: a copy with sorted members. */
export function toCanonical<V extends ConfigValue>(value: V): V {
  return isJsonValue(value) ? JSON.parse(canonicalJson(value)) : value
}

/** Returns whether a value is an object or a list: one of the type `json`. A date or a map is neither. */
export function isJsonValue(value: unknown): value is JsonValue {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]'
}

/** Returns the type of a value. `undefined`: no key has such a value. */
export function typeOfValue(value: unknown): ValueType | undefined {
  return isJsonValue(value) ? 'json' : valueTypes.find((type) => type === typeof value)
}

/** Returns whether `value` has a type that configuration knows. */
export function isConfigValue(value: unknown): value is ConfigValue {
  return typeOfValue(value) !== undefined
}

/** Names the types in sentences. Example: `Use a number.` */
export const typeNouns: Readonly<Record<ValueType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  json: 'an object or a list',
}

/** Returns whether two values are equal. The order of the members of an object makes no difference. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return isJsonValue(one) && isJsonValue(other) && canonicalJson(one) === canonicalJson(other)
}

/** Returns a value as an environment variable has it: an object or a list as its canonical text. */
export function toVariableText(value: ConfigValue): string {
  return isJsonValue(value) ? canonicalJson(value) : String(value)
}

/** Limits the shortest text in an object or a list that is looked for: shorter ones are in every file. */
const partCharactersMin = 8

/**
 * Returns the texts by which a secret is recognized where it must not be: the value itself, and each long text in an object or a
 * list, which programs use one by one.
 */
export function textsOf(value: ConfigValue): string[] {
  const parts = isJsonValue(value) ? Object.values(value).flatMap(listTexts) : []
  const long = parts.filter((text) => text.length >= partCharactersMin)
  return [...new Set([toVariableText(value), ...long])]
}

function listTexts(part: unknown): string[] {
  if (isJsonValue(part)) return Object.values(part).flatMap(listTexts)
  return typeof part === 'string' ? [part] : []
}

/** Returns a value in one line of few characters. Example: `{"limit":5,"plans":["pro","te…`. */
export function toShortText(value: ConfigValue, length = 60): string {
  const text = toVariableText(value)
  return text.length > length ? `${cutText(text, length)}…` : text
}

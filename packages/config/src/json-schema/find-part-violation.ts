import { isJsonValue, sameValue } from '@signalbox/contract'
import { isPart, type Part } from './part.ts'
import { findPlainViolation } from './plain-violation.ts'

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isPart,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

/**
 * Returns what is wrong with a part of an object or a list by its JSON Schema, after its place, without repeating the value.
 * `undefined`: nothing. Example: `plans.0 must have at least 2 characters`.
 */
export function findPartViolation(schema: unknown, value: unknown, path = ''): string | undefined {
  if (schema === false) return say(path, 'must not be there')
  if (!isPart(schema)) return undefined
  const own = findOwnViolation(schema, value)
  return own === undefined
    ? (findCombinationViolation(schema, value, path) ?? findMemberViolation(schema, value, path))
    : say(path, own)
}

function say(path: string, violation: string): string {
  return path === '' ? violation : `${path} ${violation}`
}

function findOwnViolation(schema: Part, value: unknown): string | undefined {
  const { type, enum: options, const: only, ...rules } = schema
  const types: readonly unknown[] = type === undefined ? [] : [type].flat()
  if (types.length > 0 && !types.some((one) => typeTests[String(one)]?.(value) === true)) {
    return `must be ${types.map((one) => (one === 'array' ? 'a list' : `of the type ${String(one)}`)).join(' or ')}`
  }
  const listed = only === undefined ? options : [only]
  if (Array.isArray(listed) && !listed.some((option) => sameValue(option, value))) {
    return `must be one of ${listed.map((option) => JSON.stringify(option)).join(', ')}`
  }
  if (typeof value === 'string' || typeof value === 'number') {
    // Combinations are looked at by themselves.
    return findPlainViolation({ ...rules, allOf: undefined }, value)
  }
  return isJsonValue(value) ? findSizeViolation(schema, value) : undefined
}

function findSizeViolation(schema: Part, value: object): string | undefined {
  const isList = Array.isArray(value)
  const noun = isList ? 'item' : 'member'
  const size = Object.keys(value).length
  const [least, most] = isList
    ? [schema['minItems'], schema['maxItems']]
    : [schema['minProperties'], schema['maxProperties']]
  if (typeof least === 'number' && size < least) return `must have at least ${least} ${noun}s`
  if (typeof most === 'number' && size > most) return `must have at most ${most} ${noun}s`
  if (isList && schema['uniqueItems'] === true && hasTwins(value)) return 'must have each item once'
  const names = listOf(schema['required']).filter((name) => typeof name === 'string')
  const missing = names.find((name) => !Object.hasOwn(value, name))
  return isList || missing === undefined ? undefined : `must have the member ${missing}`
}

function hasTwins(list: readonly unknown[]): boolean {
  return list.some((item, at) => list.findIndex((other) => sameValue(other, item)) !== at)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function findCombinationViolation(schema: Part, value: unknown, path: string): string | undefined {
  const { allOf, anyOf, oneOf, not } = schema
  const accepts = (branch: unknown) => findPartViolation(branch, value, path) === undefined
  if (Array.isArray(anyOf) && !anyOf.some(accepts)) return say(path, 'must be one of its kinds')
  if (Array.isArray(oneOf) && oneOf.filter(accepts).length !== 1) {
    return say(path, 'must be exactly one of its kinds')
  }
  if (not !== undefined && accepts(not)) return say(path, 'must be something else')
  for (const branch of listOf(allOf)) {
    const violation = findPartViolation(branch, value, path)
    if (violation !== undefined) return violation
  }
  return undefined
}

function findMemberViolation(schema: Part, value: unknown, path: string): string | undefined {
  if (!isJsonValue(value)) return undefined
  for (const [name, member] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`
    for (const part of Array.isArray(value) ? itemsOf(schema, name) : partsOf(schema, name)) {
      const violation = findPartViolation(part, member, at)
      if (violation !== undefined) return violation
    }
    if (!Array.isArray(value) && findPartViolation(schema['propertyNames'], name) !== undefined) {
      return say(at, 'must have another name')
    }
  }
  return undefined
}

function itemsOf({ prefixItems, items }: Part, index: string): readonly unknown[] {
  const prefix = listOf(prefixItems)
  return Number(index) < prefix.length ? [prefix[Number(index)]] : [items]
}

/** Returns the schemas that describe a member. */
function partsOf(
  { properties, patternProperties, additionalProperties }: Part,
  name: string,
): readonly unknown[] {
  const own: unknown = Object.hasOwn(Object(properties), name)
    ? Reflect.get(Object(properties), name)
    : undefined
  const matching = Object.entries(Object(patternProperties)).flatMap(([pattern, part]) =>
    new RegExp(pattern, 'u').test(name) ? [part] : [],
  )
  const known = own === undefined ? matching : [own, ...matching]
  return known.length > 0 ? known : [additionalProperties]
}

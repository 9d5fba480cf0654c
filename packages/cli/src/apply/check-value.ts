import { isRecord } from '../project/json.ts'
import { didYouMean } from '../terminal/nearest.ts'
import type { Violation, Path } from './violation.ts'
import type { JsonSchema } from './json-schema.ts'

/** Returns the violations of a value of the file. An editor finds the same ones by the same schema. */
export function checkValue(schema: JsonSchema, value: unknown, path: Path = []): Violation[] {
  const types = typesOf(schema)
  if (types.length > 0 && !types.includes(typeOf(value))) {
    return [{ path, message: `Expected ${describeExpected(schema)}, found ${describe(value)}.` }]
  }
  if (typeof value === 'string') return checkText(schema, value, path)
  if (typeof value === 'number') return checkNumber(schema, value, path)
  if (Array.isArray(value)) return checkItems(schema, value, path)
  return isRecord(value) ? checkMembers(schema, value, path) : []
}

function typesOf({ type }: JsonSchema): readonly string[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'a whole number',
  object: 'members',
  array: 'a list',
  null: 'null',
}

function describeExpected(schema: JsonSchema): string {
  return typesOf(schema)
    .map((type) => words[type] ?? type)
    .join(' or ')
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `the text ${JSON.stringify(value)}`
  if (typeof value === 'number' || typeof value === 'boolean') {
    return `${String(value)} (write "${String(value)}" for a text)`
  }
  if (value === null || value === undefined) return 'nothing'
  return words[typeOf(value)] ?? typeOf(value)
}

function checkText(
  { enum: allowed, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: JsonSchema,
  text: string,
  path: Path,
): Violation[] {
  if (allowed !== undefined && !allowed.includes(text)) {
    const near = didYouMean(text, allowed)
    const message = `"${text}" is none of ${allowed.join(', ')}.${near === undefined ? '' : ` ${near}`}`
    return [{ path, message }]
  }
  if (text.length < minLength) return [{ path, message: 'The text is empty.' }]
  if (text.length > maxLength) {
    return [{ path, message: `The text is longer than ${maxLength} characters.` }]
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) {
    return [{ path, message: `"${text}" does not have the form ${pattern}` }]
  }
  return []
}

function checkNumber(schema: JsonSchema, value: number, path: Path): Violation[] {
  if (schema.const !== undefined && value !== schema.const) {
    return [{ path, message: `Expected ${schema.const}, found ${value}.` }]
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  if (value >= minimum && value <= maximum) return []
  return [{ path, message: `Use a number from ${minimum} to ${maximum}.` }]
}

function checkItems(
  { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: JsonSchema,
  list: readonly unknown[],
  path: Path,
): Violation[] {
  if (list.length < minItems) {
    return [{ path, message: 'The list is empty. Leave the member out, or write null for all.' }]
  }
  if (list.length > maxItems)
    return [{ path, message: `The list has more than ${maxItems} items.` }]
  return list.flatMap((item, at) => checkValue(items, item, [...path, at]))
}

function checkMembers(
  schema: JsonSchema,
  members: Readonly<Record<string, unknown>>,
  path: Path,
): Violation[] {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema
  const missing = required.filter((name) => !Object.hasOwn(members, name))
  const violations: Violation[] = missing.map((name) => ({
    path,
    ofName: true,
    message: `The member "${name}" is missing.`,
  }))
  for (const [name, value] of Object.entries(members)) {
    const memberPath = [...path, name]
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known !== undefined) violations.push(...checkValue(known, value, memberPath))
    else if (additionalProperties === false)
      violations.push(unknownMember(name, properties, memberPath))
    else {
      violations.push(
        ...checkValue(propertyNames ?? {}, name, memberPath).map((violation) => ({
          ...violation,
          ofName: true,
        })),
        ...checkValue(additionalProperties ?? {}, value, memberPath),
      )
    }
  }
  return violations
}

function unknownMember(name: string, known: object, path: Path): Violation {
  const names = Object.keys(known)
  const advice = didYouMean(name, names) ?? `Members here: ${names.join(', ')}.`
  return { path, ofName: true, message: `There is no member "${name}". ${advice}` }
}

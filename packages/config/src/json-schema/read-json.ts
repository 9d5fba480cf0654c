import { keyNotes } from '@signalbox/contract'
import { formats, isAnnotation, mergeParts, type ReadFragment } from './merge-parts.ts'
import { isPart, type Part } from './part.ts'
import { resolveReference } from './resolve-reference.ts'

/** Describes how to interpret the JSON Schema of an object or a list. */
export interface ReadJsonOptions {
  /** Says that `{}` among alternatives means `undefined`, as with arktype, and not any value. */
  readonly emptyIsUndefined?: boolean
  /** Returns whether a pattern can be kept. Default: each one. */
  readonly keepsPattern?: (pattern: string) => boolean
}

interface Context extends ReadJsonOptions {
  readonly root: Part
  readonly dropped: Set<string>
  /** Holds the references that are being followed. */
  readonly followed: readonly unknown[]
}

/** Lists the texts with which effect writes the numbers that JSON lacks. */
export const unwritableNumbers: ReadonlySet<unknown> = new Set(['Infinity', '-Infinity', 'NaN'])

/** Lists the keywords that stay as they are. */
const plainKeywords = new Set([
  'type',
  'enum',
  'const',
  'required',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])

/**
 * Reads a JSON Schema of any draft since 7 that describes an object or a list, as far as the server checks one: references are
 * followed. `undefined`: it describes something else.
 */
export function readJson(root: Part, options: ReadJsonOptions): ReadFragment | undefined {
  const context: Context = { ...options, root, dropped: new Set(), followed: [] }
  if (!describesJson(root, context)) return undefined
  const { fragment, violation } = mergeParts([
    pick(root, ['title', 'description', 'default', ...keyNotes]),
  ])
  const schema = clean(withoutNothing(root, context), context)
  return {
    fragment: { ...fragment, type: 'json', ...(isPart(schema) && { schema: withoutBoth(schema) }) },
    dropped: [...context.dropped],
    violation,
  }
}

function pick(part: Part, names: readonly string[]): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => names.includes(name)))
}

/** Leaves out what the type of the key says by itself. */
function withoutBoth({ type, ...others }: Part): Part {
  const isBoth = Array.isArray(type) && type.length === 2 && type.every(isJsonType)
  return isBoth || type === undefined ? others : { type, ...others }
}

const isJsonType = (type: unknown) => type === 'object' || type === 'array'

/** Returns whether a schema admits objects and lists alone, beside nothing. */
function describesJson(schema: unknown, context: Context): boolean {
  if (!isPart(schema)) return false
  const { type, $ref, anyOf, oneOf, allOf } = schema
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null')
  if (type !== undefined) return types.length > 0 && types.every(isJsonType)
  if ($ref !== undefined) {
    if (context.followed.includes($ref)) return false
    const target = resolveReference(context.root, $ref)
    return describesJson(target, { ...context, followed: [...context.followed, $ref] })
  }
  const branches = [anyOf, oneOf].find(Array.isArray)?.filter((one) => !isNothing(one, context))
  if (branches !== undefined) {
    return branches.length > 0 && branches.every((branch) => describesJson(branch, context))
  }
  return Array.isArray(allOf) && allOf.some((part) => describesJson(part, context))
}

/** Returns whether an alternative says that the key may have no value. */
export function isNothing(branch: unknown, { emptyIsUndefined }: ReadJsonOptions): boolean {
  if (!isPart(branch)) return false
  if (branch['type'] === 'null' || branch['const'] === null) return true
  return emptyIsUndefined === true && Object.keys(branch).every((name) => name === 'description')
}

/** Returns a schema without the alternatives that say that the key may have no value. One that is left stands for itself. */
function withoutNothing(schema: Part, context: Context): Part {
  const name = ['anyOf', 'oneOf'].find((one) => Array.isArray(schema[one]))
  if (name === undefined) return schema
  const { [name]: all, ...others } = schema
  const branches = listOf(all).filter((branch) => !isNothing(branch, context))
  const [only] = branches
  return branches.length === 1 && isPart(only)
    ? { ...only, ...others }
    : { ...others, [name]: branches }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns a schema in the keywords that the server knows. What it does not is added to `dropped`. */
function clean(schema: unknown, context: Context): unknown {
  if (!isPart(schema)) return schema !== false
  const { $ref, ...own } = schema
  if ($ref === undefined) return cleanKeywords(own, context)
  if (context.followed.includes($ref)) {
    context.dropped.add('what repeats within itself')
    return {}
  }
  const inside = { ...context, followed: [...context.followed, $ref] }
  const target = clean(resolveReference(context.root, $ref) ?? {}, inside)
  const rest = cleanKeywords(own, context)
  return Object.keys(rest).length === 0 ? target : joinParts({ allOf: [target, rest] })
}

function cleanKeywords(own: Part, context: Context): Part {
  const cleaned: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(toNewest(own))) {
    if (value === undefined || isAnnotation(keyword)) continue
    const read = Object.hasOwn(readers, keyword) ? readers[keyword] : undefined
    if (read !== undefined) Object.assign(cleaned, read(value, context, own))
    else if (!plainKeywords.has(keyword)) context.dropped.add(keyword)
    // Zod adds such limits to every integer. No number lies beyond them.
    else if (typeof value !== 'number' || Math.abs(value) < Number.MAX_SAFE_INTEGER)
      cleaned[keyword] = value
  }
  return joinParts(cleaned)
}

/** Returns a schema with the parts of `allOf` within itself that say nothing about the same keywords. */
function joinParts({ allOf, ...own }: Part): Part {
  let whole = own
  const others = listOf(allOf).filter((part) => {
    const isApart = !isPart(part) || Object.keys(part).some((name) => Object.hasOwn(whole, name))
    if (!isApart) whole = { ...whole, ...part }
    return isApart
  })
  return others.length === 0 ? whole : { ...whole, allOf: others }
}

/** Returns the keywords of lists as drafts since 2020-12 write them. */
function toNewest({ items, additionalItems, ...others }: Part): Part {
  return Array.isArray(items)
    ? { ...others, prefixItems: items, items: additionalItems }
    : { ...others, items }
}

type Reader = (value: unknown, context: Context, own: Part) => Part

const one =
  (keyword: string): Reader =>
  (value, context) => ({ [keyword]: clean(value, context) })
const list =
  (keyword: string): Reader =>
  (value, context) => {
    const branches = listOf(value).filter((branch) => !isUnwritable(branch))
    if (branches.length === 0) return {}
    const read = branches.map((branch) => clean(branch, context))
    return { [read.length === 1 && keyword !== 'prefixItems' ? 'allOf' : keyword]: read }
  }

/** Returns whether an alternative is one of the texts with which effect writes the numbers that JSON lacks. */
function isUnwritable(branch: unknown): boolean {
  const options = isPart(branch) ? branch['enum'] : undefined
  return Array.isArray(options) && options.every((option) => unwritableNumbers.has(option))
}

const readers: Readonly<Record<string, Reader>> = {
  items: one('items'),
  additionalProperties: one('additionalProperties'),
  propertyNames: one('propertyNames'),
  allOf: list('allOf'),
  anyOf: list('anyOf'),
  prefixItems: list('prefixItems'),
  // Without a part of their rules, these would refuse more.
  not: (value, context) => (losesNothing(value, context) ? one('not')(value, context, {}) : {}),
  oneOf: (value, context) =>
    list(losesNothing(listOf(value), context) ? 'oneOf' : 'anyOf')(value, context, {}),
  properties: (value, context) => ({ properties: cleanMembers(value, context) }),
  patternProperties: (value, context) => ({ patternProperties: cleanMembers(value, context) }),
  pattern(value, { keepsPattern = () => true, dropped }) {
    if (keepsPattern(String(value))) return { pattern: value }
    dropped.add('a pattern with lookaround or the like')
    return {}
  },
  format(value, { dropped }, own) {
    if (formats.has(value)) return { format: value }
    // A vendor's own format comes with an equivalent pattern.
    if (own['pattern'] === undefined) dropped.add(`format "${String(value)}"`)
    return {}
  },
}

function cleanMembers(value: unknown, context: Context): Part {
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, member]) => [name, clean(member, context)]),
  )
}

/** Returns whether all rules of schemas are kept, and notes those that are not. */
function losesNothing(schemas: unknown, context: Context): boolean {
  const dropped = new Set<string>()
  for (const schema of Array.isArray(schemas) ? schemas : [schemas]) {
    clean(schema, { ...context, dropped })
  }
  for (const rule of dropped) context.dropped.add(rule)
  return dropped.size === 0
}

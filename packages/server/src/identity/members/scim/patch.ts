import { Problem } from '@signalbox/contract'
import { z } from 'zod'
import { validateBody } from '../../../http/input/validate.ts'
import { parseFilter, withoutSchema, type Comparison } from './filter.ts'

type Json = Record<string, unknown>

const operation = z.object({
  op: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: z.string().min(1).max(500).optional(),
  value: z.unknown().optional(),
})
type Operation = z.output<typeof operation>

const patchBody = z.object({ Operations: z.array(operation).min(1).max(1_000) })

/** Lists the attributes of a resource by their names in lower case: clients may write them in any case. */
const attributes = new Map(
  ['userName', 'externalId', 'displayName', 'name', 'emails', 'active', 'members'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)
const partNames = new Map(
  ['formatted', 'givenName', 'familyName', 'value', 'type', 'primary'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)
/** Lists the attributes that hold several values. */
const multiple: ReadonlySet<string> = new Set(['emails', 'members'])

interface Path {
  readonly name: string
  readonly filter: readonly Comparison[] | undefined
  readonly part: string | undefined
}

/**
 * Returns a resource after the operations of a patch. Attributes that the server does not keep are changed with the others, and
 * nothing reads them.
 *
 * @throws {Problem} with the type `invalidPath`, `invalidValue`, `invalidFilter` or `noTarget`
 * @see RFC 7644 §3.5.2
 */
export function applyPatch(resource: Readonly<Json>, body: unknown): Json {
  const changed = structuredClone(resource)
  for (const each of validateBody(patchBody, body).Operations) apply(changed, each)
  return changed
}

function apply(resource: Json, { op, path, value }: Operation): void {
  if (path !== undefined) return applyAt(resource, parsePath(path), { op, value })
  if (op === 'remove') throw refused('noTarget', 'To remove something, name it in "path".')
  if (!isObject(value)) {
    throw refused('invalidValue', 'Without "path", "value" is an object of attributes.')
  }
  for (const [name, part] of Object.entries(value)) {
    applyAt(resource, parsePath(name), { op, value: part })
  }
}

type Change = Pick<Operation, 'op' | 'value'>

function applyAt(resource: Json, { name, filter, part }: Path, change: Change): void {
  if (filter !== undefined) return applyToSome(resource, { name, filter, part }, change)
  if (part !== undefined) return applyToPart(resource, { name, part }, change)
  const { op, value } = change
  const isMultiple = multiple.has(name)
  if (op === 'remove' && (value === undefined || !isMultiple)) delete resource[name]
  else if (isMultiple) resource[name] = changeList(listOf(resource[name]), change)
  else resource[name] = merge(resource[name], value)
}

function applyToPart(
  resource: Json,
  { name, part }: { readonly name: string; readonly part: string },
  { op, value }: Change,
): void {
  if (multiple.has(name)) {
    throw refused('invalidPath', 'Name the value that is meant: emails[type eq "work"].value.')
  }
  const whole = resource[name]
  const object = isObject(whole) ? whole : {}
  resource[name] = object
  if (op === 'remove') delete object[part]
  else object[part] = value
}

/** Keeps the parts of an attribute that a change leaves out. */
function merge(whole: unknown, value: unknown): unknown {
  return isObject(whole) && isObject(value) ? { ...whole, ...canonical(value) } : value
}

/** Adds values, replaces all, or removes the named ones: Entra ID names them as the value of a removal. */
function changeList(list: readonly unknown[], { op, value }: Change): unknown[] {
  const values = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  if (op === 'replace') return values
  const ids = new Set(values.map(idOf))
  const others = list.filter((each) => !ids.has(idOf(each)))
  if (op === 'remove') return others
  return [...others, ...values]
}

function applyToSome(
  resource: Json,
  { name, filter, part }: Path & { readonly filter: readonly Comparison[] },
  { op, value }: Change,
): void {
  if (!multiple.has(name)) throw refused('invalidPath', `"${name}" has no several values.`)
  const list = listOf(resource[name])
  const matches = (each: unknown) => isObject(each) && filter.every((one) => isEqual(each, one))
  if (op === 'remove') {
    resource[name] = list.flatMap((each) => {
      if (!matches(each) || !isObject(each)) return [each]
      if (part === undefined) return []
      const { [part]: _, ...kept } = each
      return [kept]
    })
    return
  }
  const parts = part === undefined ? canonical(isObject(value) ? value : {}) : { [part]: value }
  // Entra ID replaces the address of work of somebody who has none yet.
  const added = Object.fromEntries(filter.map((one) => [canonicalPart(one.path), one.value]))
  resource[name] = list.some(matches)
    ? list.map((each) => (matches(each) && isObject(each) ? { ...each, ...parts } : each))
    : [...list, { ...added, ...parts }]
}

/** Compares as attributes of SCIM that are not exact in their case. */
function isEqual(item: Json, { path, value }: Comparison): boolean {
  const own = item[canonicalPart(path)]
  if (typeof own === 'string' && typeof value === 'string') {
    return own.toLowerCase() === value.toLowerCase()
  }
  return own === value
}

const pathPattern = /^([a-z$][\w$-]*)(?:\[([^\]]*)\])?(?:\.([a-z$][\w$-]*))?$/i

function parsePath(text: string): Path {
  const [, name, filter, part] = pathPattern.exec(withoutSchema(text)) ?? []
  if (name === undefined) {
    throw refused(
      'invalidPath',
      'The path is not understood. Use an attribute such as active, name.givenName or members[value eq "…"].',
    )
  }
  return {
    name: attributes.get(name.toLowerCase()) ?? name,
    filter: filter === undefined ? undefined : parseFilter(filter),
    part: part === undefined ? undefined : canonicalPart(part),
  }
}

const canonicalPart = (name: string): string => partNames.get(name.toLowerCase()) ?? name

function canonical(value: unknown): Json {
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, part]) => [canonicalPart(name), part]),
  )
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function idOf(item: unknown): unknown {
  return isObject(item) ? item['value'] : item
}

function refused(scimType: string, detail: string): Problem {
  return new Problem('validation_failed', detail, { extensions: { scimType } })
}

import { isConfigValue, keyNotes, type ConfigValue, type KeyNotes } from '@signalbox/contract'
import type { Fragment } from './fragment.ts'
import type { Part } from './part.ts'

/** Describes a fragment that was read from a JSON Schema, and what was lost. */
export interface ReadFragment {
  readonly fragment: Fragment
  /** Lists the keywords that restrict values and could not be kept. */
  readonly dropped: readonly string[]
  /** Explains why it describes no value of one type. */
  readonly violation?: string | undefined
}

/** Lists the keywords that do not restrict values. */
const annotations = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$defs',
  'definitions',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
])

/** Lists the registered formats that a server checks. */
export const formats: ReadonlySet<unknown> = new Set<unknown>([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'regex',
])

/** Returns whether a keyword does not restrict values. Those of vendors begin with a tilde. */
export function isAnnotation(keyword: string): boolean {
  const isOfKey = ['title', 'description', 'default', ...keyNotes].includes(keyword)
  return isOfKey || annotations.has(keyword) || keyword.startsWith('~')
}

type Type = Exclude<NonNullable<Fragment['type']>, 'json'>
const types: readonly unknown[] = ['string', 'number', 'integer', 'boolean'] satisfies Type[]
const isType = (value: unknown): value is Type => types.includes(value)

/** Combines two bounds into the stricter one. */
const bounds = {
  minLength: Math.max,
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  maxLength: Math.min,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
} as const
type Bound = keyof typeof bounds
const isBound = (keyword: string): keyword is Bound => Object.hasOwn(bounds, keyword)

/** Holds a fragment while its parts are merged. */
interface Draft {
  type?: Type
  enum?: readonly (string | number | boolean)[]
  format?: string
  multipleOf?: number
  default?: ConfigValue
  title?: string
  description?: string
  readonly bounds: Partial<Record<Bound, number>>
  readonly patterns: Set<string>
  readonly dropped: Set<string>
  readonly foreignFormats: Set<string>
  readonly notes: Map<keyof KeyNotes, unknown>
  readonly violations: string[]
}

function addType(draft: Draft, types: unknown): void {
  const named: unknown[] = (Array.isArray(types) ? types : [types]).filter(
    (type) => type !== 'null',
  )
  const [type] = named
  if (named.length === 0) draft.violations.push('it describes null alone')
  else if (named.length > 1) draft.violations.push('it admits more than one type')
  else if (!isType(type)) {
    draft.violations.push(
      `it describes ${String(type)}, not a string, a number, a boolean, an object or a list`,
    )
  } else if (draft.type === undefined || (draft.type === 'number' && type === 'integer')) {
    draft.type = type
  } else if (draft.type !== type && !(draft.type === 'integer' && type === 'number')) {
    draft.violations.push(`it is both ${draft.type} and ${type}`)
  }
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

function addChoices(draft: Draft, values: readonly unknown[]): void {
  const choices = [...new Set(values.filter(isPlain))]
  if (values.some((choice) => choice !== null && !isPlain(choice))) {
    draft.violations.push('it admits values that are no string, number or boolean')
  }
  draft.enum = draft.enum?.filter((choice) => choices.includes(choice)) ?? choices
}

function addBound(draft: Draft, keyword: Bound, value: number): void {
  // Zod and effect add such limits to every integer. No value lies beyond them.
  if (Math.abs(value) >= Number.MAX_SAFE_INTEGER) return
  const known = draft.bounds[keyword]
  draft.bounds[keyword] = known === undefined ? value : bounds[keyword](known, value)
}

function addText(draft: Draft, keyword: 'title' | 'description', value: unknown): void {
  if (typeof value === 'string') draft[keyword] ??= value
}

/** Describes a note as it has to be written. What a note may contain is judged with the tier of its key. */
const noteShapes: Readonly<Record<keyof KeyNotes, (value: unknown) => string | undefined>> = {
  owner: (value) => (typeof value === 'string' ? undefined : 'its owner is not a text'),
  tags: (value) =>
    Array.isArray(value) && value.every((tag) => typeof tag === 'string')
      ? undefined
      : 'its tags are not a list of texts',
  expires: (value) =>
    typeof value === 'string' ? undefined : 'its expires is not a text such as 2027-01-31',
  killSwitch: (value) =>
    typeof value === 'boolean' ? undefined : 'its killSwitch is neither true nor false',
  rotateEvery: (value) =>
    typeof value === 'number' ? undefined : 'its rotateEvery is not a number of days',
  runbook: (value) => (typeof value === 'string' ? undefined : 'its runbook is not an address'),
  expectedToDiffer: (value) =>
    typeof value === 'boolean' ? undefined : 'its expectedToDiffer is neither true nor false',
  variable: (value) => (typeof value === 'string' ? undefined : 'its variable is not a text'),
}

function addNote(draft: Draft, note: keyof KeyNotes, value: unknown): void {
  const violation = value === undefined ? undefined : noteShapes[note](value)
  if (violation !== undefined) draft.violations.push(violation)
  else if (value !== undefined && !draft.notes.has(note)) draft.notes.set(note, value)
}

const others: Readonly<Record<string, (draft: Draft, value: unknown) => void>> = {
  type: addType,
  const: (draft, value) => addChoices(draft, [value]),
  enum: (draft, value) => addChoices(draft, Array.isArray(value) ? value : []),
  pattern: (draft, value) => void draft.patterns.add(String(value)),
  title: (draft, value) => addText(draft, 'title', value),
  description: (draft, value) => addText(draft, 'description', value),
  default(draft, value) {
    if (isConfigValue(value)) draft.default = value
  },
  multipleOf(draft, value) {
    if (draft.multipleOf !== undefined || typeof value !== 'number') draft.dropped.add('multipleOf')
    else draft.multipleOf = value
  },
  format(draft, value) {
    if (formats.has(value) && (draft.format ?? value) === value) draft.format = String(value)
    else draft.foreignFormats.add(String(value))
  },
  violation: (draft, value) => void draft.violations.push(String(value)),
  ...Object.fromEntries(
    keyNotes.map((note) => [note, (draft: Draft, value: unknown) => addNote(draft, note, value)]),
  ),
}

function add(draft: Draft, part: Part): void {
  for (const [keyword, value] of Object.entries(part)) {
    const known = Object.hasOwn(others, keyword) ? others[keyword] : undefined
    if (known) known(draft, value)
    else if (isBound(keyword) && typeof value === 'number') addBound(draft, keyword, value)
    else if (!isAnnotation(keyword) && value !== undefined) {
      draft.dropped.add(keyword)
    }
  }
}

/** Returns the common type of all choices of an `enum`. */
function typeOfChoices(draft: Draft): Type | undefined {
  const [type, ...more] = new Set(draft.enum?.map((choice) => typeof choice))
  if (more.length > 0) draft.violations.push('it admits more than one type')
  return isType(type) ? type : undefined
}

/** Merges parts into one fragment that says what all of them say. The `violation` of a part becomes the violation of the whole. */
export function mergeParts(parts: readonly Part[]): ReadFragment {
  const draft: Draft = {
    bounds: {},
    patterns: new Set(),
    dropped: new Set(),
    foreignFormats: new Set(),
    notes: new Map(),
    violations: [],
  }
  for (const part of parts) add(draft, part)
  const type = draft.type ?? typeOfChoices(draft)
  const [pattern, ...patterns] = draft.patterns
  const fragment: Fragment = {
    type,
    // An enum of both booleans says no more than the type.
    enum: type === 'boolean' && draft.enum?.length === 2 ? undefined : draft.enum,
    format: draft.format,
    pattern,
    allOf: patterns.length > 0 ? patterns.map((each) => ({ pattern: each })) : undefined,
    ...draft.bounds,
    multipleOf: draft.multipleOf,
    default: draft.default,
    title: draft.title,
    description: draft.description,
    ...Object.fromEntries(draft.notes),
  }
  // A vendor's own format, such as zod's `starts_with`, comes with an equivalent pattern.
  const formatsLost = pattern === undefined ? [...draft.foreignFormats] : []
  const known = Object.entries(fragment).filter(([, value]) => value !== undefined)
  return {
    fragment: Object.fromEntries(known),
    dropped: [...draft.dropped, ...formatsLost.map((format) => `format "${format}"`)],
    violation: draft.violations[0],
  }
}

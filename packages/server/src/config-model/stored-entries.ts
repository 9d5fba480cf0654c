import type { ConfigValue, ValueType } from '@signalbox/contract'
import type { Author } from '../audit/audit-event.ts'
import type { CurrentValues, OpenEntry, SecretEntry } from './current-values.ts'

/**
 * Describes entries as the columns hold them. The row is written again with every change of one of its keys, so authors
 * are named once and entries are arrays: a quarter of the bytes of the objects they stand for.
 */
interface StoredEntries<E> {
  readonly authors: readonly Author[]
  readonly keys: Readonly<Record<string, E>>
}

/** Value, milliseconds since 1970, index of the author; the text of its rules where a flag has some. */
type StoredOpenEntry = readonly [
  value: ConfigValue,
  updatedAt: number,
  author: number,
  rules?: string,
]
/** Sealed as base64, type, milliseconds since 1970, index of the author. */
type StoredSecretEntry = readonly [
  sealed: string,
  type: ValueType,
  updatedAt: number,
  author: number,
]

/** Describes the JSON of a column of open values. */
export type StoredOpenValues = StoredEntries<StoredOpenEntry>
/** Describes the JSON of a column of secrets. */
export type StoredSecretValues = StoredEntries<StoredSecretEntry>

/** Reads a column of open values. A row that was never written to holds `{}`. */
export function readOpenValues({
  authors = [],
  keys = {},
}: Partial<StoredOpenValues>): CurrentValues['openValues'] {
  const values: Record<string, OpenEntry> = {}
  for (const key of Object.keys(keys)) {
    const entry = keys[key]
    if (entry === undefined) continue
    const [value, updatedAt, author, rules] = entry
    const made = { value, updatedAt, updatedBy: authorAt(authors, author) }
    values[key] = rules === undefined ? made : { ...made, rules }
  }
  return values
}

/** Reads a column of secrets. A row that was never written to holds `{}`. */
export function readSecretValues({
  authors = [],
  keys = {},
}: Partial<StoredSecretValues>): CurrentValues['secretValues'] {
  const values: Record<string, SecretEntry> = {}
  for (const key of Object.keys(keys)) {
    const entry = keys[key]
    if (entry === undefined) continue
    const [sealed, type, updatedAt, author] = entry
    values[key] = { sealed, type, updatedAt, updatedBy: authorAt(authors, author) }
  }
  return values
}

function authorAt(authors: readonly Author[], index: number): Author {
  const author = authors[index]
  if (author === undefined) throw new Error('A stored value names an author that is not stored')
  return author
}

/** Renders the JSON text of a column of open values. */
export function renderOpenValues(values: CurrentValues['openValues']): string {
  const authors = createAuthors()
  const keys: Record<string, StoredOpenEntry> = {}
  for (const key of Object.keys(values)) {
    const entry = values[key]
    if (entry === undefined) continue
    const { value, updatedAt, updatedBy, rules } = entry
    const made = [value, updatedAt, authors.indexOf(updatedBy)] as const
    keys[key] = rules === undefined ? made : [...made, rules]
  }
  return JSON.stringify({ authors: authors.all, keys })
}

/** Renders the JSON text of a column of secrets. */
export function renderSecretValues(values: CurrentValues['secretValues']): string {
  const authors = createAuthors()
  const keys: Record<string, StoredSecretEntry> = {}
  for (const key of Object.keys(values)) {
    const entry = values[key]
    if (entry === undefined) continue
    const { sealed, type, updatedAt, updatedBy } = entry
    keys[key] = [sealed, type, updatedAt, authors.indexOf(updatedBy)]
  }
  return JSON.stringify({ authors: authors.all, keys })
}

/**
 * Creates an empty collection of authors. Entries read from one row share their author objects, so most are found by
 * identity.
 */
export function createAuthors() {
  const all: Author[] = []
  const known = new Map<Author | string, number>()
  return {
    all,
    /** Returns the index of an author in `all`, and adds a new one. */
    indexOf(author: Author): number {
      const same = known.get(author)
      if (same !== undefined) return same
      const text = `${author.type}|${author.id}|${author.name}`
      const index = known.get(text) ?? all.push(author) - 1
      known.set(author, index).set(text, index)
      return index
    },
  }
}

import { tokenKinds } from '@signalbox/contract'
import { digestOf, type Fingerprint, type Fingerprints } from './fingerprints.ts'
import { forEachGlance } from './glance.ts'
import { partsOfFile, type BuiltFile, type FilePart } from './parts-of-file.ts'
import { readText, type Reading } from './read-text.ts'
import type { WrittenForm } from './written-forms.ts'

/** Describes the secrets to search for. Tokens that only servers may have are always searched for. */
export interface SecretPatterns {
  /** Lists the names of the secrets. */
  readonly names?: readonly string[]
  /** Holds the fingerprints of the values, from `fingerprintSecrets`. */
  readonly values?: Fingerprints
}

/**
 * Describes a finding in a built file. It never holds the value.
 *
 * - `value`: the value of the one secret in `names`.
 * - `names`: a list of secrets.
 * - `token`: a server key or a personal access token of Signalbox.
 */
export interface Leak {
  readonly kind: 'value' | 'names' | 'token'
  /** Example: `assets/index.js.map, of src/main.ts`. */
  readonly path: string
  /** Counts from 1. */
  readonly line: number
  /** Counts from 1, in UTF-16 units. */
  readonly column: number
  readonly names: readonly string[]
  readonly form: WrittenForm
}

/** Describes a finding by its position in the text. */
interface Find extends Pick<Leak, 'kind' | 'names' | 'form'> {
  readonly at: number
}

/** Scans one built file. It reads nothing from the disk. */
export function scanFile(file: BuiltFile, patterns: SecretPatterns): Leak[] {
  return partsOfFile(file).flatMap((part) => scanPart(part, patterns))
}

/** Returns a leak in one line. Example: `assets/index.js:1:4211 holds the value of the secret 'stripeKey' (base64)`. */
export function describeLeak({ kind, path, line, column, names, form }: Leak): string {
  const quoted = names.map((name) => `'${name}'`).join(', ')
  const what = {
    value: `the value of the secret ${quoted}`,
    names: `the names of secrets: ${quoted}`,
    token: 'a server key',
  }[kind]
  return `${path}:${line}:${column} holds ${what}${form === 'plain' ? '' : ` (${form})`}`
}

function scanPart({ path, text }: FilePart, patterns: SecretPatterns): Leak[] {
  const finds = readText(text).flatMap((reading) =>
    scanReading(reading, patterns).map((find) => ({ ...find, at: reading.origin(find.at) })),
  )
  const once = new Map(finds.map((find) => [`${find.kind} ${find.at} ${find.names.join()}`, find]))
  return [...once.values()]
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, ...leak }) => ({ ...leak, path, ...positionOf(text, at) }))
}

function scanReading({ text }: Reading, { names = [], values }: SecretPatterns): Find[] {
  return [
    ...[...text.matchAll(serverToken)].map(({ index }) => ({
      kind: 'token' as const,
      at: index,
      names: [],
      form: 'plain' as const,
    })),
    ...findNameLists(text, names).map((list) => ({
      kind: 'names' as const,
      ...list,
      form: 'plain' as const,
    })),
    ...(values === undefined ? [] : findValues(text, values)),
  ]
}

const serverKinds = tokenKinds.filter((kind) => kind !== 'b2m')
const serverToken = new RegExp(`sbx_(?:${serverKinds.join('|')})_[0-9A-Za-z]{46}`, 'g')

function findValues(text: string, { salt, fingerprints }: Fingerprints): Find[] {
  const finds: Find[] = []
  const marks = new Uint8Array(2 ** 16)
  const byGlance = new Map<number, Fingerprint[]>()
  for (const fingerprint of fingerprints) {
    marks[fingerprint.glance] = 1
    const others = byGlance.get(fingerprint.glance) ?? []
    byGlance.set(fingerprint.glance, [...others, fingerprint])
  }
  forEachGlance(text, salt, marks, (at, glance) => {
    for (const { length, digest, name, form } of byGlance.get(glance) ?? []) {
      if (at + length > text.length || digestOf(text.slice(at, at + length), salt) !== digest)
        continue
      finds.push({ kind: 'value', at, names: [name], form })
    }
  })
  return finds
}

function positionOf(text: string, at: number): Pick<Leak, 'line' | 'column'> {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

/** Describes a list of secrets' names in a text, and its position. */
interface NameList {
  readonly at: number
  readonly names: readonly string[]
}

/** Limits the distance of two names in a list, in characters. A declaration with its description is shorter. */
const distanceMax = 400

const word = /[A-Za-z_][\w.-]*/g

/**
 * Finds where `text` lists secrets, as a bundled definition does: two of their names close together, or the only one
 * there is, as a whole word, unchanged or as an environment variable. One name of several is no list, and neither is
 * a list of plain words alone: `password` and `token` stand together in every sign-in form.
 */
function findNameLists(text: string, names: readonly string[]): NameList[] {
  const byLetters = new Map(names.map((name) => [lettersOf(name), name]))
  const lists: { at: number; end: number; names: Set<string> }[] = []
  for (const { 0: match, index: at } of text.matchAll(word)) {
    const name = byLetters.get(lettersOf(match))
    if (name === undefined || (match !== name && match !== match.toUpperCase())) continue
    const last = lists.at(-1)
    const end = at + match.length
    if (last === undefined || at - last.end > distanceMax)
      lists.push({ at, end, names: new Set([name]) })
    else {
      last.end = end
      last.names.add(name)
    }
  }
  const least = Math.min(2, byLetters.size)
  return lists
    .filter(({ names }) => names.size >= least && [...names].some(isUnmistakable))
    .map(({ at, names }) => ({ at, names: [...names] }))
}

/** Returns the same text for `stripeKey`, `stripe-key` and `STRIPE_KEY`. */
function lettersOf(name: string): string {
  return name.replaceAll(/[_.-]/g, '').toLowerCase()
}

/** Returns whether a name has several words, so that ordinary text rarely contains it. */
function isUnmistakable(name: string): boolean {
  return name.length >= 6 && /[a-z][A-Z]|[A-Za-z][_.-][A-Za-z]|\d/.test(name)
}

import { toEnvName } from '@signalbox/contract'
import { CliError } from '../terminal/cli-error.ts'
import { joinFile, renderBlock, splitAtBlock, type BlockHeader } from './block.ts'
import type { Dialect, DialectName } from './dialects.ts'
import { encodeValue } from './encode-value.ts'

/** Describes a line to write. */
export interface EnvEntry {
  readonly name: string
  readonly key: string
  readonly value: string
}

/** Describes an env file to render. */
export interface EnvFileRequest {
  readonly path: string
  /** Holds the existing text. Empty when there is no file. */
  readonly existing: string
  readonly entries: readonly EnvEntry[]
  readonly dialect: Dialect
  readonly header: Omit<BlockHeader, 'keys' | 'dialect'>
  readonly allowCommandLike: boolean
}

/** Describes a variable that differs from the file before. */
export interface EnvFileChange {
  readonly name: string
  readonly change: 'added' | 'changed' | 'removed'
}

/** Holds the text of an env file, and warnings about it. */
export interface RenderedEnvFile {
  readonly text: string
  readonly changes: readonly EnvFileChange[]
  /** Lists the variables that the user's own lines set too, which may override ours. */
  readonly setByUser: readonly string[]
  /** Lists the variables that another common reader would read differently. */
  readonly onlyThisReader: readonly string[]
  readonly userLines: number
}

/**
 * Returns the whole text of the env file: our block between its markers, the user's lines unchanged.
 *
 * @throws {CliError} `unwritable_value` naming each variable that cannot be written; then nothing is.
 */
export function renderEnvFile(request: EnvFileRequest): RenderedEnvFile {
  const { dialect, existing, path } = request
  const split = splitAtBlock(existing, path)
  if (findsOpenQuote(split.before, dialect.name)) {
    throw unwritable(path, dialect, ['an unclosed quote in one of your own lines reaches into it'])
  }
  const before = readBlock(split.block ?? '')
  const entries = inExistingOrder(request.entries, [...before.keys()])
  const encoded = entries.map((entry) => ({
    entry,
    encoded: encodeValue(dialect, entry.value, request.allowCommandLike),
  }))
  const refused = encoded.flatMap(({ entry, encoded }) =>
    encoded.ok ? [] : [`${entry.name} (${entry.key}): ${encoded.why}`],
  )
  if (refused.length > 0) throw unwritable(path, dialect, refused)
  const lines = encoded.map(({ entry, encoded }) =>
    encoded.ok ? `${dialect.assignment}${entry.name}=${encoded.text}` : '',
  )
  const keys = new Map(
    entries.filter(({ name, key }) => !isObvious(name, key)).map(({ name, key }) => [name, key]),
  )
  const text = joinFile(
    split,
    renderBlock({ ...request.header, dialect: dialect.name, keys }, lines),
  )
  return {
    text,
    changes: changesOf(before, readBlock(text), entries),
    setByUser: findNames(`${split.before}${split.after}`, entries),
    onlyThisReader: encoded.flatMap(({ entry, encoded }) =>
      encoded.ok && encoded.onlyThisReader ? [entry.name] : [],
    ),
    userLines: `${split.before}${split.after}`.split('\n').filter((line) => line.trim() !== '')
      .length,
  }
}

/** Maps variables to keys, except for those with the usual name: `API_URL` is obviously `apiUrl`. */
function isObvious(name: string, key: string): boolean {
  const back = name
    .toLowerCase()
    .replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return toEnvName(key) === name && (back === key || key.toUpperCase() === name)
}

function inExistingOrder(entries: readonly EnvEntry[], names: readonly string[]): EnvEntry[] {
  const order = new Map(names.map((name, index) => [name, index]))
  return [...entries].sort(
    (one, other) => (order.get(one.name) ?? names.length) - (order.get(other.name) ?? names.length),
  )
}

/** Returns the variables of a block as they are written. */
function readBlock(block: string): ReadonlyMap<string, string> {
  const line = /^(?:export )?([\w.-]+)=('(?:\\[^]|[^'\\])*'|"(?:\\[^]|[^"\\])*"|`[^`]*`|.*)$/gm
  return new Map([...block.matchAll(line)].map(([, name = '', text = '']) => [name, text]))
}

function changesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  entries: readonly EnvEntry[],
): EnvFileChange[] {
  const names = new Set(entries.map(({ name }) => name))
  return [
    ...entries.flatMap(({ name }): EnvFileChange[] => {
      if (!before.has(name)) return [{ name, change: 'added' }]
      return before.get(name) === after.get(name) ? [] : [{ name, change: 'changed' }]
    }),
    ...[...before.keys()]
      .filter((name) => !names.has(name))
      .map((name): EnvFileChange => ({ name, change: 'removed' })),
  ]
}

const assigned = String.raw`^[ \t]*(?:export[ \t]+)?[\w.[\]-]+[ \t]*[=:]\s*`
const quotes = [`'`, '"', '`']
/** Quoted values, where a backslash escapes the quote and where it does not: programs differ. */
const readings = [String.raw`(?:\\[^]|[^Q\\])*`, '[^Q]*'].map((inside) => {
  const quoted = quotes.map((quote) => `${quote}${inside.replaceAll('Q', quote)}${quote}`)
  return new RegExp(`${assigned}(?:${quoted.join('|')})`, 'gm')
})
const opening = new RegExp(`${assigned}['"\`]`, 'm')

/** Returns whether a quote in lines above our block may stay open, so that a program looks for its end in the block. */
function findsOpenQuote(lines: string, reader: DialectName): boolean {
  if (reader === 'docker') return false
  if (reader === 'sh') {
    const words = /(?<=^|\s)#.*|\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|`[^`]*`/g
    return /['"`\\]/.test(lines.replaceAll(words, '')) || /(?<!\\)(?:\\\\)*\\\n$/.test(lines)
  }
  return readings.some((quoted) => opening.test(lines.replaceAll(quoted, '')))
}

/** Returns our variables that the user sets too. */
function findNames(userLines: string, entries: readonly EnvEntry[]): string[] {
  const names = new Set(
    [...userLines.matchAll(/^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:]/gm)].map(
      ([, name]) => name,
    ),
  )
  return entries.filter(({ name }) => names.has(name)).map(({ name }) => name)
}

function unwritable(path: string, dialect: Dialect, details: readonly string[]): CliError {
  return new CliError(
    'validation',
    'unwritable_value',
    `${path} was not written: ${details.length === 1 ? 'a value' : `${details.length} values`} cannot be written for ${dialect.name}.`,
    { details, advice: dialect.nextStep },
  )
}

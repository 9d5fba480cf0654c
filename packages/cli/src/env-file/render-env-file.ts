import { toEnvName } from '@signalbox/contract'
import { CliError } from '../terminal/cli-error.ts'
import { joinFile, renderBlock, splitAtBlock, type BlockHeader } from './block.ts'
import type { Dialect } from './dialects.ts'
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
 * Returns the whole text of the env file: our block between its markers, the user's lines unchanged. It reads the
 * finished file back and compares every variable, ours and theirs.
 *
 * @throws {CliError} `unwritable_value` naming each variable that cannot be written; then nothing is.
 */
export function renderEnvFile(request: EnvFileRequest): RenderedEnvFile {
  const { dialect, existing, path } = request
  const split = splitAtBlock(existing, path)
  const before = dialect.read(split.block ?? '').values
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
  const setByUser = verifyWholeFile(request, text, `${split.before}${split.after}`)
  return {
    text,
    changes: changesOf(before, entries),
    setByUser,
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

function changesOf(
  before: ReadonlyMap<string, string>,
  entries: readonly EnvEntry[],
): EnvFileChange[] {
  const names = new Set(entries.map(({ name }) => name))
  return [
    ...entries.flatMap(({ name, value }): EnvFileChange[] => {
      if (!before.has(name)) return [{ name, change: 'added' }]
      return before.get(name) === value ? [] : [{ name, change: 'changed' }]
    }),
    ...[...before.keys()]
      .filter((name) => !names.has(name))
      .map((name): EnvFileChange => ({ name, change: 'removed' })),
  ]
}

/** Reads the finished text as the program will. Returns our variables that the user sets too. */
function verifyWholeFile(
  { dialect, entries, path }: EnvFileRequest,
  text: string,
  userText: string,
): string[] {
  const whole = dialect.read(text)
  const users = dialect.read(userText)
  const violation = users.violation ?? whole.violation
  if (violation !== undefined) throw unwritable(path, dialect, [`your own lines: ${violation}`])
  const setByUser = entries.filter(({ name }) => users.values.has(name)).map(({ name }) => name)
  const wrong = entries
    .filter(({ name, value }) => !setByUser.includes(name) && whole.values.get(name) !== value)
    .map(
      ({ name, key }) =>
        `${name} (${key}): an unclosed quote in one of your own lines reaches into it`,
    )
  const disturbed = [...users.values]
    .filter(([name, value]) => !setByUser.includes(name) && whole.values.get(name) !== value)
    .map(([name]) => `${name}: one of your own lines would be read differently`)
  if (wrong.length + disturbed.length > 0) throw unwritable(path, dialect, [...wrong, ...disturbed])
  return setByUser
}

function unwritable(path: string, dialect: Dialect, details: readonly string[]): CliError {
  return new CliError(
    'validation',
    'unwritable_value',
    `${path} was not written: ${details.length === 1 ? 'a value' : `${details.length} values`} cannot be read back by ${dialect.name}.`,
    { details, advice: dialect.nextStep },
  )
}

import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { isNode, isPair, isMap, LineCounter, parseDocument, type Document } from 'yaml'
import { isRecord } from '../project/json.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { checkValue } from './check-value.ts'
import { renderPath, type Violation, type Path } from './violation.ts'
import { fileSchema } from './file-schema.ts'
import type { Declared, Fields, Kind } from './kind.ts'
import { kinds } from './kinds.ts'

/** Holds the content of a file that has the right form. */
export interface Declaration {
  /** Names the file in messages. */
  readonly name: string
  /** Lists the kinds that the file declares. What it leaves out is not touched. */
  readonly members: readonly { readonly kind: Kind; readonly declared: readonly Declared[] }[]
  /** Ends the command with the place of each violation. */
  readonly refuse: (violations: readonly Violation[]) => never
}

/**
 * Reads a file, or standard input for `-`, and checks its form.
 *
 * @throws {CliError} `invalid_file` with file, line and column of each violation; `file_not_found`
 */
export async function readDeclaration(
  session: Pick<Session, 'cwd' | 'stdin'>,
  file: string,
): Promise<Declaration> {
  const name = file === '-' ? 'stdin' : basename(file)
  const source = await readText(session, file)
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const syntax = document.errors.map(({ pos: [start], message }) => `${at(start)}  ${message}`)
  if (syntax.length > 0) throw invalidFile(name, syntax)
  const refuse = (violations: readonly Violation[]): never => {
    const located = violations.map((violation) => ({
      violation,
      offset: locate(document, violation),
    }))
    located.sort((one, other) => one.offset - other.offset)
    throw invalidFile(
      name,
      located.map(({ violation: { path, message }, offset }) =>
        [at(offset), renderPath(path), message].filter((part) => part !== '').join('  '),
      ),
    )
  }
  const content = toContent(document, name)
  const violations = checkValue(fileSchema, content)
  if (violations.length > 0) refuse(violations)
  const members = toMembers(content)
  const repeated = members.flatMap(({ declared }) => findRepeated(declared))
  if (repeated.length > 0) refuse(repeated)
  return { name, members, refuse }
}

async function readText(
  { cwd, stdin }: Pick<Session, 'cwd' | 'stdin'>,
  file: string,
): Promise<string> {
  if (file === '-') return text(stdin)
  const path = resolve(cwd, file)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new CliError('usage', 'file_not_found', `There is no file ${path}.`, {
      advice: 'Begin with what exists now: signalbox apply --export > signalbox.yaml',
    })
  }
}

function toContent(document: Document, name: string): unknown {
  try {
    // An empty file has no members, and the violation is the missing version.
    return document.toJS() ?? {}
  } catch {
    throw invalidFile(name, [`${name}:1:1  An alias can't be resolved.`])
  }
}

function invalidFile(name: string, details: readonly string[]): CliError {
  return new CliError('validation', 'invalid_file', `${name} is not valid. Nothing was changed.`, {
    details,
  })
}

function toMembers(content: unknown): Declaration['members'] {
  if (!isRecord(content)) return []
  return kinds.flatMap((kind) => {
    const value = content[kind.member]
    return value === undefined ? [] : [{ kind, declared: toDeclared(kind, value) }]
  })
}

function fieldsOf(item: unknown): Fields {
  return isRecord(item) ? item : {}
}

function toDeclared({ member, keyOf = String }: Kind, value: unknown): Declared[] {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => ({
      key: keyOf(item),
      fields: fieldsOf(item),
      path: [member, index],
    }))
  }
  return Object.entries(fieldsOf(value)).map(([key, item]) => ({
    key,
    fields: fieldsOf(item),
    path: [member, key],
  }))
}

function findRepeated(declared: readonly Declared[]): Violation[] {
  const keys = new Set<string>()
  return declared.flatMap(({ key, path }) => {
    if (!keys.has(key)) {
      keys.add(key)
      return []
    }
    return [{ path, message: `"${key}" is in the list already.` }]
  })
}

/** Returns the offset of a violation in the text: that of its member, or of the nearest member around it. */
function locate(document: Document, { path, ofName = false }: Violation): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const part: Path = path.slice(0, length)
    const offset = ofName || length < path.length ? nameOffset(document, part) : undefined
    const node = document.getIn(part, true)
    const position = offset ?? (isNode(node) ? node.range?.[0] : undefined)
    if (position !== undefined) return position
  }
  return 0
}

function nameOffset(document: Document, path: Path): number | undefined {
  const parent = document.getIn(path.slice(0, -1), true)
  if (!isMap(parent)) return undefined
  const name = String(path.at(-1))
  const pair = parent.items.find(
    (item) => isPair(item) && isNode(item.key) && String(item.key) === name,
  )
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined
}

import { ExportError } from './importer.ts'

/** Describes an object of parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Parses the text of an export.
 *
 * @throws {ExportError} with the line of the violation, also for a name that an object has twice: the first one would be lost
 */
export function parseJson(text: string): unknown {
  const value = parse(text)
  const repeated = findRepeated(text)
  if (repeated === undefined) return value
  const line = text.slice(0, repeated.at).split('\n').length
  const name = repeated.name.slice(0, 80)
  throw new ExportError(`Line ${line} has "${name}" a second time. Remove one of them.`)
}

/** Returns the first name that an object has twice, in valid JSON. */
function findRepeated(text: string): { readonly name: string; readonly at: number } | undefined {
  const open: (Set<string> | undefined)[] = []
  let names: Set<string> | undefined
  let isName = false
  for (const { 0: token, index: at } of text.matchAll(/"(?:[^"\\]|\\[^])*"|[{}[\],]/g)) {
    if (token === '{' || token === '[') {
      names = token === '{' ? new Set() : undefined
      open.push(names)
      isName = true
    } else if (token === '}' || token === ']') {
      open.pop()
      names = open.at(-1)
    } else if (token === ',') isName = true
    else if (names !== undefined && isName) {
      isName = false
      const name = String(JSON.parse(token))
      if (names.has(name)) return { name, at }
      names.add(name)
    }
  }
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const before = text.slice(0, position === undefined ? findViolation(text) : Number(position))
    const line = before.split('\n').length
    throw new ExportError(`This is no JSON: line ${line} can't be read.`)
  }
}

const tokens = /\s*(?:("(?:[^"\\]|\\[^])*"|-?\d[\d.eE+-]*|true|false|null)|([[{])|([\]}])|([,:]))/y

/**
 * Returns the position of the first text that is no token of JSON, or of a mark that lacks its value. Node names a token that it
 * did not expect, but not its position.
 */
function findViolation(text: string): number {
  let isOpen = true
  let isAfterMark = false
  for (let at = 0; ; at = tokens.lastIndex) {
    tokens.lastIndex = at
    const match = tokens.exec(text)
    if (match === null) return skipSpace(text, at)
    const [, , opening, closing, mark] = match
    const lacksValue =
      mark === undefined ? closing !== undefined && isAfterMark : isOpen || isAfterMark
    if (lacksValue) return skipSpace(text, at)
    isOpen = opening !== undefined
    isAfterMark = mark !== undefined
  }
}

function skipSpace(text: string, at: number): number {
  return at + text.slice(at).search(/\S|$/)
}

/** Returns whether a value is an object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether a value of parsed JSON holds others. */
export function isNested(value: unknown): boolean {
  return isObject(value) || Array.isArray(value)
}

/** Returns a value as an object. @throws {ExportError} with its path */
export function requireObject(value: unknown, path: string): JsonObject {
  if (isObject(value)) return value
  throw new ExportError(`${path} is no object.`)
}

/** Returns a list; nothing for what is absent. @throws {ExportError} with its path */
export function readList(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new ExportError(`${path} is no list.`)
}

/** Returns a text; '' for what is absent. @throws {ExportError} with its path */
export function readText(value: unknown, path: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw new ExportError(`${path} is no text.`)
}

/** Returns a number. @throws {ExportError} with its path */
export function readNumber(value: unknown, path: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new ExportError(`${path} is no number.`)
}

import { parseJsonText } from '@signalbox/contract'
import { ExportError } from './importer.ts'

/** Describes an object of parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Parses the text of an export.
 *
 * @throws {ExportError} with the line of the violation, also for a name that an object has twice: the first one would be lost
 */
export function parseJson(text: string): unknown {
  const parsed = parseJsonText(text)
  if ('value' in parsed) return parsed.value
  const { line, repeated } = parsed
  throw new ExportError(
    repeated === undefined
      ? `This is no JSON: line ${line} can't be read.`
      : `Line ${line} has "${repeated.slice(0, 80)}" a second time. Remove one of them.`,
  )
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

import {
  isJsonValue,
  looksLikeSecret,
  parseJsonText,
  soundsSecret,
  textsOf,
  type ConfigValue,
  type ValueType,
} from '@signalbox/contract'
import type { KeyboardEvent } from 'react'
import { findLimitViolation } from './add-key/find-limit-violation.ts'
import type { MatrixKey } from './matrix.ts'

/** Holds the value that was typed, or the error. */
export type Parsed =
  | { readonly ok: true; readonly value: ConfigValue }
  | { readonly ok: false; readonly error: string }

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['no', false],
  ['0', false],
])

/** Parses `text` as a value of a key, by its type and constraints. The server checks formats and patterns. */
export function parseValueOf(
  { type, constraints = {} }: Pick<MatrixKey, 'type' | 'constraints'>,
  text: string,
): Parsed {
  const parsed = parseValue(text, type)
  const violation = parsed.ok
    ? findLimitViolation(parsed.value, new Map(Object.entries(constraints)))
    : undefined
  return violation === undefined ? parsed : { ok: false, error: violation }
}

/** Parses `text` by its `type`. */
export function parseValue(text: string, type: ValueType): Parsed {
  if (type === 'string') return { ok: true, value: text }
  const trimmed = text.trim()
  if (type === 'number') return parseNumber(trimmed)
  if (type === 'json') return parseJson(text)
  const value = words.get(trimmed.toLowerCase())
  return value === undefined ? { ok: false, error: 'Type on or off.' } : { ok: true, value }
}

function parseJson(text: string): Parsed {
  const parsed = parseJsonText(text)
  if ('detail' in parsed) return { ok: false, error: `Line ${parsed.line}: ${parsed.detail}` }
  return isJsonValue(parsed.value)
    ? { ok: true, value: parsed.value }
    : { ok: false, error: 'Type an object, { … }, or a list, [ … ].' }
}

/** Returns a value as a person edits it: JSON on several lines. */
export function toEditText(value: ConfigValue): string {
  return isJsonValue(value) ? JSON.stringify(value, undefined, 2) : String(value)
}

function parseNumber(text: string): Parsed {
  const value = decimal.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(value)) return { ok: true, value }
  return { ok: false, error: 'Type a number, such as 250 or 0.5.' }
}

/** Finds the only values that a key allows. `undefined`: it allows more than a list, or is a secret, which no list shows. */
export function findChoices({
  tier,
  type,
  constraints,
}: Pick<MatrixKey, 'tier' | 'type' | 'constraints'>): readonly string[] | undefined {
  const allowed = constraints?.['enum']
  return Array.isArray(allowed) && tier !== 'secret' && type !== 'json'
    ? allowed.map(String)
    : undefined
}

/** Submits the form on Enter. With Shift or Alt, Enter inserts a line break. */
export function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, shiftKey, altKey, nativeEvent, currentTarget } = event
  if (key !== 'Enter' || shiftKey || altKey || nativeEvent.isComposing) return
  event.preventDefault()
  currentTarget.form?.requestSubmit()
}

const secretRemark = 'This looks like a secret, but browsers can read a public key.'

/** Returns a warning about a public value that looks like a secret. It does not refuse it. */
export function publicValueWarning(key: string, value: ConfigValue): string | undefined {
  if (typeof value === 'object' && textsOf(value).some(looksLikeSecret)) return secretRemark
  if (typeof value !== 'string' || value === '') return undefined
  if (looksLikeSecret(value)) return secretRemark
  if (soundsSecret(key) && value.length >= 12)
    return 'The name sounds like a secret, but browsers can read a public key.'
  if (/^(["'`]).*\1$/s.test(value)) return 'The quotes are part of the value.'
  if (value !== value.trim()) return 'The spaces around it are part of the value.'
  return undefined
}

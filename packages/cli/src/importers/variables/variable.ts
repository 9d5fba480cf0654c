import type { ImportIssue } from '@signalbox/contract'
import type { LeftOutKey } from '../importer.ts'
import { isObject } from '../read-json.ts'

/** Describes a variable of an export: a name with a text, and no type. */
export interface Variable {
  /** Becomes the name of the key. */
  readonly name: string
  /** Names it as the source does. Example: `/shop/production/db/password`. */
  readonly from: string
  readonly value: string
  /** Says that the source keeps it as a secret. Otherwise its name and value decide. */
  readonly isSecret: boolean
  readonly description?: string | undefined
  readonly issues: readonly ImportIssue[]
}

/** Holds what a source exports: its variables, and what cannot become one. */
export interface ReadVariables {
  readonly variables: readonly Variable[]
  readonly leftOut: readonly LeftOutKey[]
}

/** Makes an issue of one source: the number is the same for the same reason in all of them. */
export type ToIssue = (
  number: string,
  severity: ImportIssue['severity'],
  cause: string,
  done: string,
) => ImportIssue

/** Returns a function that makes the issues of a source, whose codes begin with `prefix`. */
export function createToIssue(prefix: string): ToIssue {
  return (number, severity, cause, done) => ({ code: `${prefix}-${number}`, severity, cause, done })
}

/** Cuts a name that is too long for a plan. */
export function toShort(name: string): string {
  return name.length <= 200 ? name : `${name.slice(0, 199)}…`
}

/** Holds the text of a value, or says why there is none. */
export type ReadText =
  | { readonly text: string; readonly issues: readonly ImportIssue[] }
  | { readonly leftOut: ImportIssue }

/** Returns a value of parsed JSON as text: what is nested stays JSON. */
export function toText(value: unknown, toIssue: ToIssue): ReadText {
  if (typeof value === 'string') return { text: value, issues: [] }
  if (value === null || value === undefined) return { text: '', issues: [] }
  if (typeof value === 'number' || typeof value === 'boolean') {
    return { text: String(value), issues: [] }
  }
  if (isObject(value) || Array.isArray(value)) {
    const cause = 'The value is an object or a list.'
    const issue = toIssue('T004', 'medium', cause, 'It is imported as JSON text.')
    return { text: JSON.stringify(value), issues: [issue] }
  }
  const cause = 'The value is no text.'
  return { leftOut: toIssue('T002', 'high', cause, 'It is left out.') }
}

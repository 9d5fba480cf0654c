import type { Reading } from './signal.ts'

/** Returns a reading that says nothing about the change. */
export function noData(detail: string): Reading {
  return { verdict: 'none', value: null, detail }
}

/** Describes a limit: how far a value is beyond it, below zero where it isn't. */
interface Limit {
  readonly excess: number
  readonly text: string
}

/** Returns the limits that a value is judged by. */
export function limitsOf(
  { above, below }: { readonly above?: number | undefined; readonly below?: number | undefined },
  value: number,
): Limit[] {
  return [
    ...(above === undefined ? [] : [{ excess: value - above, text: `above ${showNumber(above)}` }]),
    ...(below === undefined ? [] : [{ excess: below - value, text: `below ${showNumber(below)}` }]),
  ]
}

/** Renders a number with six digits at most. */
export function showNumber(value: number): string {
  return String(Number(value.toPrecision(6)))
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

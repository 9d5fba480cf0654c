import { describeFlag } from '@signalbox/contract'
import type { StoredValue } from '../api/operations.ts'
import { printable } from '../terminal/printable.ts'

/** Limits the characters of a value on a line of a table. */
const shownMax = 60

/** Returns who gets what by the rules of a key in words, or `undefined` for a key without rules. Example: `on for staff, 10%`. */
export function describeRules({ value, rules = [] }: StoredValue): string | undefined {
  if (rules.length === 0) return undefined
  return shorten(printable(describeFlag({ value, rules })))
}

/** Returns a value that is no secret as a table shows it: of a flag with rules, who gets it. */
export function describeValue(stored: StoredValue): string {
  return describeRules(stored) ?? shorten(printable(JSON.stringify(stored.value)))
}

/** Returns the state of a flag in words where another one beside it has rules. Example: `off`. */
export function describeState(stored: StoredValue): string {
  return stored.tier === 'featureFlags' && typeof stored.value === 'boolean'
    ? (describeRules(stored) ?? describeFlag({ value: stored.value }))
    : describeValue(stored)
}

/** Returns whether two flags have the same rules; keys of other tiers have none. */
export function hasSameRules(
  one: StoredValue | undefined,
  other: StoredValue | undefined,
): boolean {
  return JSON.stringify(one?.rules ?? []) === JSON.stringify(other?.rules ?? [])
}

function shorten(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax - 3)}…` : text
}

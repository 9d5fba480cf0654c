import type { Reader } from '../reader.ts'
import { parseDotenv } from './dotenv.ts'
import { unescapeDollars } from './expand.ts'

/**
 * Reads as @next/env 16 does: dotenv 16.3, then an expander that goes from the last dollar to the first. A dollar is
 * a reference unless a backslash precedes it, if a name follows, with or without braces.
 */
export const readNext: Reader = (text) => {
  const values = new Map<string, string>()
  for (const [name, value] of parseDotenv(text)) {
    if (!isReplacedByNext(value)) values.set(name, unescapeDollars(value))
  }
  return { values }
}

/** Returns whether Next.js replaces a part of a value by another variable. */
export function isReplacedByNext(value: string): boolean {
  const last = [...value.matchAll(/(?<!\\)\$/g)].at(-1)
  if (last === undefined) return false
  return /(?<!\\)\$\{?\w+(?::-[^}\\]*)?\}?/.test(value.slice(last.index))
}

import type { Reader } from '../reader.ts'
import { parseDotenv } from './dotenv.ts'
import { unescapeDollars } from './expand.ts'

/**
 * @next/env 16: dotenv 16.3 and an expander that looks from the last dollar to the first.
 * A dollar not behind a backslash and followed by a name, with or without braces, is a reference.
 */
export const readNext: Reader = (text) => {
  const values = new Map<string, string>()
  for (const [name, value] of parseDotenv(text)) {
    if (!isReplaced(value)) values.set(name, unescapeDollars(value))
  }
  return { values }
}

function isReplaced(value: string): boolean {
  const last = [...value.matchAll(/(?<!\\)\$/g)].at(-1)
  if (last === undefined) return false
  return /(?<!\\)\$\{?\w+(?::-[^}\\]*)?\}?/.test(value.slice(last.index))
}

import type { Reader } from '../reader.ts'
import { parseDotenv } from './dotenv.ts'
import { hasCommand, hasReference, unescapeDollars } from './expand.ts'

/** Reads as dotenv followed by dotenv-expand 1000 does: references are replaced, commands are run, `\$` is a dollar. */
export const readDotenvExpand: Reader = (text) => {
  const values = new Map<string, string>()
  for (const [name, value] of parseDotenv(text)) {
    if (!hasReference(value) && !hasCommand(value)) values.set(name, unescapeDollars(value))
  }
  return { values }
}

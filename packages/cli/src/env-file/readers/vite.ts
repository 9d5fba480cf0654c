import type { Reader } from '../reader.ts'
import { hasReference, unescapeDollars } from './expand.ts'
import { parseNodeEnv } from './node.ts'

/** Reads as Vite 8's `loadEnv` does: Node's own parser, then an expander of references that runs no commands. */
export const readVite: Reader = (text) => {
  const values = new Map<string, string>()
  for (const [name, value] of parseNodeEnv(text)) {
    if (!hasReference(value)) values.set(name, unescapeDollars(value))
  }
  return { values }
}

import type { Reader } from '../reader.ts'
import { scanAssignments, unquote } from './dotenv.ts'
import { hasCommand, hasReference, unescapeDollars } from './expand.ts'

/** Matches values that dotenvx fetches or decrypts from elsewhere. */
const addresses = /^(encrypted:|op:\/\/|bw:\/\/)/

/** Reads as dotenvx 2 does: single quotes are literal except for `\'`; elsewhere references are replaced and commands run. */
export const readDotenvx: Reader = (text) => {
  const values = new Map<string, string>()
  for (const { name, raw, quote } of scanAssignments(text)) {
    values.delete(name)
    const value = unescape(unquote(raw), quote)
    if (addresses.test(value)) continue
    if (quote === "'") values.set(name, value)
    else if (!hasReference(value) && !hasCommand(value)) values.set(name, unescapeDollars(value))
  }
  return { values }
}

function unescape(text: string, quote: string): string {
  if (quote === "'") return text.replaceAll(String.raw`\'`, "'")
  if (quote !== '"') return text
  return text.replaceAll('\\n', '\n').replaceAll('\\r', '\r').replaceAll('\\t', '\t')
}

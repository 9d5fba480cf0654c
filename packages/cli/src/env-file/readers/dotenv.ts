import type { Reader } from '../reader.ts'

/** Describes one assignment as dotenv finds it (dotenv 16 to 18, also inside Next.js and dotenvx). */
export interface Assignment {
  readonly name: string
  /** Holds the text of the file without blanks around it. */
  readonly raw: string
  readonly quote: '"' | "'" | '`' | ''
}

/** Yields the assignments of a text by dotenv's grammar: line by line; quoted values may span lines. */
export function* scanAssignments(text: string): Generator<Assignment> {
  const pattern =
    /(?:^|^)\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?(?:$|$)/gm
  for (const match of text.replaceAll(/\r\n?/g, '\n').matchAll(pattern)) {
    const raw = (match[2] ?? '').trim()
    const first = raw[0]
    const quote = first === '"' || first === "'" || first === '`' ? first : ''
    yield { name: match[1] ?? '', raw, quote }
  }
}

/** Removes the quotes as dotenv does. Text behind the last such quote stays. */
export function unquote(raw: string): string {
  return raw.replaceAll(/^(['"`])([\s\S]*)\1$/gm, '$2')
}

/** Reads as dotenv's `parse` does: escapes only in double quotes, and only line breaks. Later assignments win. */
export const readDotenv: Reader = (text) => ({ values: parseDotenv(text) })

/** Parses an env file as dotenv does. */
export function parseDotenv(text: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const { name, raw, quote } of scanAssignments(text)) {
    const plain = unquote(raw)
    values.set(name, quote === '"' ? plain.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : plain)
  }
  return values
}

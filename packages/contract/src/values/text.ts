/**
 * Returns a text as it can be stored and shown. A NUL, which PostgreSQL refuses, and half of a surrogate pair become U+FFFD: left
 * out, they would join what they stand between to a word or a key that nobody wrote.
 */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Cuts a text to at most `length` UTF-16 units, and before a surrogate pair that the cut would halve. */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length)
  return cut.length < text.length && endsInFirstHalf(cut) ? cut.slice(0, -1) : cut
}

function endsInFirstHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** A whole pair, any other character by its number, or any other escape: a backslash that is escaped begins none. */
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/g
const refused = /^\\u(?:0000|[dD][89a-fA-F]..)$/

/**
 * Writes a JSON text so that each text and name in it can be stored (`toStorableText`). It does so before the text is parsed, where
 * depth costs no stack.
 */
export function cleanJson(text: string): string {
  const clean = text.toWellFormed()
  if (!clean.includes('\\u')) return clean
  return clean.replaceAll(escapes, (escape) => (refused.test(escape) ? '\\ufffd' : escape))
}

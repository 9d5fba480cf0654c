const mostCharacters = 200

/** Matches addresses, which a reader of foreign text should not follow. */
const link = /\b(?:https?|ftp|data|javascript|mailto):\S+|\bwww\.\S+/gi
/** Matches control characters, and characters that hide or reverse text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/**
 * Returns a text that somebody else wrote as data: one line of at most 200 characters, without addresses. Answers have it only
 * inside members named `untrusted`.
 */
export function toData(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined
  const line = text.replaceAll(unprintable, ' ').replaceAll(link, '[link]').trim()
  const characters = Array.from(line)
  return characters.length <= mostCharacters
    ? line
    : `${characters.slice(0, mostCharacters - 1).join('')}…`
}

/** Returns the foreign texts of a record, each as data. Absent ones are left out, and an empty record too. */
export function toUntrusted(texts: Readonly<Record<string, string | null | undefined>>): {
  readonly untrusted?: Readonly<Record<string, string>>
} {
  const entries = Object.entries(texts).flatMap(([name, text]) => {
    const data = toData(text)
    return data === undefined || data === '' ? [] : [[name, data] as const]
  })
  return entries.length === 0 ? {} : { untrusted: Object.fromEntries(entries) }
}

/** A text that makes a regular expression try again and again, if anything does. */
export interface PumpedText {
  /** Of what it is made. Example: `"<" x 32768`. */
  readonly what: string
  readonly text: string
}

const classMembers: readonly (readonly [RegExp, string])[] = [
  [/\\s|\\t/, ' '],
  [/\\d|0-9/, '0'],
  [/\\w|a-z/, 'a'],
  [/A-Z/, 'A'],
  [/\\S|\[\^|\.|\\p/, 'x'],
]

/** Returns the parts of the expression: its words, its characters, and a member of each of its classes. */
function partsOf(source: string): string[] {
  const words = source.replaceAll(/\\[a-zA-Z]/g, ' ').match(/[A-Za-z]{2,}/g) ?? []
  const characters = source.replaceAll(/\\[a-zA-Z]/g, '').match(/[^A-Za-z0-9\\]/gu) ?? []
  const members = classMembers.filter(([sign]) => sign.test(source)).map(([, member]) => member)
  return [...new Set([...members, ...words.slice(0, 4), ...characters])].slice(0, 14)
}

/**
 * Texts of about `length` characters for an expression: each of its parts, and each two of them, again and again, behind
 * each of its words and before something that fits nothing.
 */
export function* pumpTexts(source: string, length: number): Generator<PumpedText> {
  const parts = partsOf(source)
  const pumps = new Set([...parts, ...parts.flatMap((one) => parts.map((two) => one + two))])
  const words = parts.filter((part) => part.length > 1).slice(0, 2)
  for (const pump of pumps) {
    for (const before of ['', ...words]) {
      const count = Math.ceil(length / pump.length)
      const text = `${before}${pump.repeat(count)}\n\u0000`
      yield { what: `${JSON.stringify(before + pump)} x ${count}`, text }
    }
  }
}

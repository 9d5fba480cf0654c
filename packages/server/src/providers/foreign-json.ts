/** From sixteen digits on, a number may be one that JavaScript cannot hold. */
const longNumber = /\d{16}/
const integer = /^-?\d+$/

/** TypeScript's library does not know the third argument of a reviver, which ECMAScript 2026 has. */
interface Revived {
  readonly source?: string
}

function keepDigits(_name: string, value: unknown, revived?: Revived): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = revived?.source
  return source !== undefined && integer.test(source) ? source : value
}

/**
 * Parses JSON of others, in which numbers may be ids: an integer beyond 2^53 becomes the text of its digits.
 *
 * @throws {SyntaxError} when it is no JSON.
 */
export function parseForeignJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

import { cleanJson } from '@signalbox/contract'

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
 * Parses JSON of others. It is the one door by which their texts come in: each can be stored, as `toStorableText` says. A number may
 * be an id: an integer beyond 2^53 becomes the text of its digits.
 *
 * @throws {SyntaxError} when it is no JSON.
 */
export function parseForeignJson(text: string): unknown {
  const clean = cleanJson(text)
  return longNumber.test(clean) ? JSON.parse(clean, keepDigits) : JSON.parse(clean)
}

/** Parses a body of others as `parseForeignJson` does. Returns `undefined` when it is no JSON. */
export function readForeignJson(body: Buffer): unknown {
  try {
    return parseForeignJson(body.toString('utf8'))
  } catch {
    return undefined
  }
}

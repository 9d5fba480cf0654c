import { Problem } from '@signalbox/contract'

/**
 * Parses the body of an evaluation request. Its context comes from an application, and most of it nobody asks for:
 * long texts, numbers of 64 bits and names given twice are read as `JSON.parse` reads them, and so as a client decides
 * that evaluates by itself.
 *
 * @throws {Problem} `invalid_encoding`, `invalid_json`
 */
export function parseEvaluationBody(bytes: Buffer): unknown {
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('invalid_json', 'The body is no JSON. Send an object with a "context".')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('invalid_encoding', 'The body contains bytes that are not UTF-8.')
  }
}

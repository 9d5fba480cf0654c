import { Problem } from '@signalbox/contract'
import { z } from 'zod'
import { readJson } from '../../../http/input/json.ts'

/** Describes one comparison of a filter. Names of attributes are compared without their case. */
export interface Comparison {
  /** In lower case, without the schema. Example: `emails.value`. */
  readonly path: string
  readonly value: string | number | boolean | null
}

const attribute = /^\s*([a-z][\w:.$-]*(?:\[[^\]]*\])?(?:\.[a-z][\w$-]*)?)/i
const comparison =
  /^\s+eq\s+("(?:[^"\\]|\\.)*"|true|false|null|-?\d+(?:\.\d+)?)(?:\s*$|\s+and\s+(?=\S))/i

/** Removes the schema in front of an attribute, such as `urn:ietf:params:scim:schemas:core:2.0:User:userName`. */
export function withoutSchema(path: string): string {
  return path.replace(/^urn:[\w:.-]*:(?=[a-z])/i, '')
}

/**
 * Parses a filter: comparisons by `eq`, joined by `and`. Directories send no others.
 *
 * @throws {Problem} `invalid_query` with the type `invalidFilter`
 * @see RFC 7644 §3.4.2.2
 */
export function parseFilter(text: string): Comparison[] {
  const compared: Comparison[] = []
  let rest = text
  do {
    const [named, path = ''] = attribute.exec(rest) ?? []
    const [matched, literal = ''] = comparison.exec(rest.slice(named?.length ?? 0)) ?? []
    if (named === undefined || matched === undefined) throw invalidFilter()
    compared.push({ path: withoutSchema(path).toLowerCase(), value: parseLiteral(literal) })
    rest = rest.slice(named.length + matched.length)
  } while (rest.trim() !== '')
  return compared
}

/** Returns the problem of a filter that is not understood, which is never answered with everything. */
export function invalidFilter(): Problem {
  const detail =
    'The filter is not supported. Compare one of the listed attributes by eq, and join comparisons by and: userName eq "ada@acme.com".'
  return new Problem('invalid_query', detail, { extensions: { scimType: 'invalidFilter' } })
}

function parseLiteral(text: string): Comparison['value'] {
  try {
    // The words may be written in any case.
    const lower = text.startsWith('"') ? text : text.toLowerCase()
    return z
      .union([z.string(), z.number(), z.boolean(), z.null()])
      .parse(readJson(Buffer.from(lower)))
  } catch {
    throw invalidFilter()
  }
}

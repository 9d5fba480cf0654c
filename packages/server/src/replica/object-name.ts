import { z } from 'zod'
import { nameByHash, parseListing } from './listing.ts'
import { parseHeader } from './record-header.ts'
import type { Signed } from './signed.ts'

/** Describes a signed text as it travels. */
export const signedShape = z.object({ text: z.string(), signatures: z.string() })
const recordShape = z.object({ header: z.string(), signatures: z.string(), content: z.string() })

/** Parses a mark as it travels: JSON with its text and its signatures. Returns `undefined` for anything else. */
export function parseSigned(text: string): Signed | undefined {
  return signedShape.safeParse(parseJson(text)).data
}

/** Parses a record as it travels. Returns `undefined` for anything else. */
export function parseRecord(text: string): z.output<typeof recordShape> | undefined {
  return recordShape.safeParse(parseJson(text)).data
}

/**
 * Returns the name of an index, a manifest or a record: the SHA-256 of a listing, or of the header of a record whose content
 * is the one of its header. Returns `undefined` for anything else, so that nothing has a name that it does not deserve.
 */
export function nameOfObject(text: string): string | undefined {
  if (parseListing(text) !== undefined) return nameByHash(text)
  const record = parseRecord(text)
  const header = record && parseHeader(record.header)
  if (record === undefined || header?.sha256 !== nameByHash(record.content)) return undefined
  return nameByHash(record.header)
}

/** Parses JSON. Returns `undefined` for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

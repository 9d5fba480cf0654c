import { hash } from 'node:crypto'

/**
 * Lists things by name, each with the SHA-256 of its text: a manifest lists the headers of an environment's records by address,
 * and an index lists the manifests. What is not listed does not exist.
 */
export type Listing = ReadonlyMap<string, string>

const form = 'signalbox-listing 1'
const line = /^([\w-]+(?:\.[\w-]+){1,3}) ([\w-]{43})$/

/** Returns the SHA-256 of a text, as base64url: the name under which it is fetched. */
export function nameByHash(text: string | Buffer): string {
  return hash('sha256', text, 'base64url')
}

/** Renders a listing in the order of its names, so that the same things give the same text. */
export function renderListing(listing: Listing): string {
  const lines = [...listing].map(([name, sha256]) => `${name} ${sha256}`)
  return [form, ...lines.toSorted()].join('\n')
}

/** Parses a listing. Returns `undefined` for anything that `renderListing` does not write. */
export function parseListing(text: string): Listing | undefined {
  const [first, ...lines] = text.split('\n')
  if (first !== form) return undefined
  const listing = new Map<string, string>()
  let before = ''
  for (const each of lines) {
    const [, name, sha256] = line.exec(each) ?? []
    // In order and without repeats, so that one list has one text.
    if (name === undefined || sha256 === undefined || each <= before || listing.has(name)) {
      return undefined
    }
    before = each
    listing.set(name, sha256)
  }
  return listing
}

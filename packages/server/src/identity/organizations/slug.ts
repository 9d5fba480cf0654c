import { pagePaths } from '@signalbox/contract'
import { endpoints } from '@signalbox/contract/rest'

const slugLength = 63
const fallback = 'organization'

/** Returns the slug of a name. Examples: `Acme Inc.` gives `acme-inc`, `Żółw` gives `zolw`, `日本` gives `organization`. */
export function toSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łŁ]/g, 'l')
    .replaceAll(/[øØ]/g, 'o')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return trim(plain.slice(0, slugLength)) || fallback
}

/** Lists the first segments of this server's other addresses, which a page of an organization must not have. */
const reserved: ReadonlySet<string> = new Set([
  ...pagePaths,
  ...Object.values(endpoints).map(({ path }) => path.split('/')[1] ?? ''),
])

/** Returns whether a slug begins another address of this server. */
export function isReservedSlug(slug: string): boolean {
  return reserved.has(slug)
}

/** Returns the slug to take when `slug` is taken: a few characters of the id make it another one. */
export function toOtherSlug(slug: string, orgId: string): string {
  const suffix = orgId.slice(-6)
  return `${trim(slug.slice(0, slugLength - suffix.length - 1))}-${suffix}`
}

function trim(text: string): string {
  return text.replace(/^-+/, '').replace(/-+$/, '')
}

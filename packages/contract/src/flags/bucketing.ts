import { absorb, emptyState, finish } from './murmur3.ts'

/** Counts the buckets that make 100%: a percentage may have three decimals. */
export const bucketsTotal = 100_000

/**
 * Returns a function that assigns a unit to a bucket of the flag: 0 to 99,999, the same forever, in every
 * environment and for every rule of the flag. A rollout of `p` percent serves the buckets below `p * 1000`, so who is
 * in at 10% is also in at 20%. `murmur3("<schema id>/<flag>/<unit>") * 100000 / 2^32`, rounded down. This never
 * changes, because everybody would get another bucket.
 *
 * @see docs/guide/flag-bucketing.json for vectors that another implementation made
 */
export function createBuckets(schemaId: string, flag: string): (unit: string) => number {
  const prefixState = absorb(emptyState, `${schemaId}/${flag}/`)
  return (unit) => Math.floor((finish(absorb(prefixState, unit)) * bucketsTotal) / 2 ** 32)
}

/** Limits the UTF-16 units of a unit: every flag hashes it again. */
const unitMax = 1_024

/** Returns how many buckets a share of `percent` gets: a whole number, because 0.1 * 3 is not 0.3. */
export function countBuckets(percent: number): number {
  return Math.min(Math.max(Math.round((percent * bucketsTotal) / 100), 0), bucketsTotal)
}

/**
 * Returns an attribute as the unit of a rollout: a text that is neither empty nor longer than 1,024 characters, or a
 * whole number in decimal digits. `undefined` for anything else, whose text differs between languages.
 */
export function toUnit(attribute: unknown): string | undefined {
  if (typeof attribute === 'string')
    return attribute === '' || attribute.length > unitMax ? undefined : attribute
  return Number.isSafeInteger(attribute) ? String(attribute) : undefined
}

import { absorb, emptyState, finish } from './murmur3.ts'

/** Counts the buckets that make 100 %: a percentage may have three decimals. */
export const bucketsTotal = 100_000

/**
 * Deals into the buckets of a flag: 0 to 99,999, the same for ever, in every environment and for every rule of the flag. A
 * rollout of `p` percent takes the buckets below `p * 1000`, so whoever is in at 10 % is in at 20 % too.
 *
 * `murmur3("<schema id>/<flag>/<unit>") * 100000 / 2^32`, rounded down. Never changed: everybody would be dealt anew.
 *
 * @see docs/guide/flag-bucketing.json for vectors that another implementation made
 */
export function createBuckets(schemaId: string, flag: string): (unit: string) => number {
  const prefixState = absorb(emptyState, `${schemaId}/${flag}/`)
  return (unit) => Math.floor((finish(absorb(prefixState, unit)) * bucketsTotal) / 2 ** 32)
}

/**
 * Returns what an attribute counts as in a rollout: a text that is not empty, or a whole number in decimal digits. `undefined` for
 * anything else, whose text is not the same in every language.
 */
export function toUnit(attribute: unknown): string | undefined {
  if (typeof attribute === 'string') return attribute === '' ? undefined : attribute
  return Number.isSafeInteger(attribute) ? String(attribute) : undefined
}

import { all, any, readAttribute, type JsonLogic } from './json-logic.ts'

/** Identifies the flag whose buckets decide. */
export interface DealtFlag {
  readonly schemaId: string
  readonly key: string
}

/** The largest whole number that every language has exactly: 2^53 - 1. */
const largest = Number.MAX_SAFE_INTEGER

/** Holds for an attribute that `toUnit` takes: a text that is not empty, or a whole number. */
export function isUnit(name: string): JsonLogic {
  const { read, isText, isNumber } = readAttribute(name)
  const isWhole: JsonLogic = { '===': [{ '%': [read, 1] }, 0] }
  return any([
    all([isText, { '!==': [read, ''] }]),
    all([isNumber, isWhole, { '>=': [read, -largest] }, { '<=': [read, largest] }]),
  ])
}

/**
 * Returns the variant for a unit, by the number of buckets that each variant has. Deals as `createBuckets` does: flagd hashes the
 * text, and scales the hash to the sum of the weights.
 */
export function dealByBucket(
  { schemaId, key }: DealtFlag,
  by: string,
  variants: readonly (readonly [name: string, buckets: number])[],
): JsonLogic {
  return { fractional: [{ cat: [`${schemaId}/${key}/`, { var: by }] }, ...variants] }
}

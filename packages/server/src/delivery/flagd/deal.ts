import { all, any, readAttribute, type JsonLogic } from './json-logic.ts'

/** Identifies the flag whose buckets decide. */
export interface DealtFlag {
  readonly schemaId: string
  readonly key: string
}

/** The sum of the weights: a percentage may have three decimals. */
const totalWeight = 100_000

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
 * Returns `on` for a unit in the first `percent`, else `off`. Deals as `createBuckets` does: flagd hashes the text, and
 * scales the hash to the sum of the weights.
 */
export function dealByBucket(
  { schemaId, key }: DealtFlag,
  { percent, by }: { readonly percent: number; readonly by: string },
): JsonLogic {
  const inside = Math.round((percent * totalWeight) / 100)
  return {
    fractional: [
      { cat: [`${schemaId}/${key}/`, { var: by }] },
      ['on', inside],
      ['off', totalWeight - inside],
    ],
  }
}

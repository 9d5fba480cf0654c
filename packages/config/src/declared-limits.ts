import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { AnyConfig, LimitRange, LimitRanges } from './config-types.ts'
import { readFragment } from './json-schema/read-fragment.ts'
import { readSides } from './json-schema/read-sides.ts'
import { findWrapped } from './validators/wrapped.ts'

/**
 * Returns the ranges of the targeted numbers of `config`, such as those of `limit`, for the option `limits` of a client on a server.
 *
 * @example
 * ```ts
 * import { declaredLimits, defineConfig, limit } from '@signalbox/config'
 *
 * const config = defineConfig({ public: { seats: limit({ min: 1, max: 500, default: 5 }) } })
 * const { seats } = declaredLimits(config) // { min: 1, max: 500 }
 * ```
 */
export function declaredLimits<C extends AnyConfig>(config: C): LimitRanges<C>
export function declaredLimits(config: AnyConfig): object {
  const ranges = Object.entries(config.public).flatMap(([key, validator]) => {
    const range = rangeOf(validator)
    return range === undefined ? [] : [[key, range] as const]
  })
  return Object.fromEntries(ranges)
}

function rangeOf(validator: StandardSchemaV1, isTargeted = false): LimitRange | undefined {
  const outer = findWrapped(validator)
  if (outer !== undefined) return rangeOf(outer.schema, isTargeted || outer.targeted === true)
  if (!isTargeted) return undefined
  const { output = {} } = readSides(validator)
  const { minimum: min, maximum: max } = readFragment(output).fragment
  return min === undefined || max === undefined ? undefined : { min, max }
}

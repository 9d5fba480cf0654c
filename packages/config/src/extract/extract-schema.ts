import { tiers, type KeyDefinition } from '@signalbox/contract'
import type { AnyConfig } from '../config-types.ts'
import { isStandardSchema, memberOf } from '../standard-schema.ts'
import { extractKey } from './extract-key.ts'
import type { Extraction, ExtractionViolation, KeyReport, Resolve } from './extraction.ts'
import { createJudge } from './probe.ts'
import { validatorLimitMs } from './validate.ts'

/** Describes how validators are examined. */
export interface ExtractSchemaOptions {
  /** Resolves the converters of the validators' libraries. Default: from where this package is installed. */
  readonly resolve?: Resolve | undefined
  /** Limits how long a validator may take about one value, in milliseconds. Default: 5,000. */
  readonly limitMs?: number | undefined
}

/** Returns whether `value` is a result of `defineConfig`, of this copy of the package or another. */
export function isConfig(value: unknown): value is AnyConfig {
  return tiers.every((tier) => {
    const keys = memberOf(value, tier)
    return typeof keys === 'object' && keys !== null
  })
}

/**
 * Returns the definition of each key of a configuration by its validator: type, default, description, constraints. It
 * says how every fact was learned, and which could not be. It runs the validators with samples. Faults are part of
 * the result; it does not reject.
 */
export async function extractSchema(
  config: AnyConfig,
  {
    resolve = (specifier) => import(specifier),
    limitMs = validatorLimitMs,
  }: ExtractSchemaOptions = {},
): Promise<Extraction> {
  const schema: Record<string, KeyDefinition> = {}
  const report: Record<string, KeyReport> = {}
  const violations: ExtractionViolation[] = []
  const judge = createJudge(limitMs)
  for (const tier of tiers) {
    const keys = Object.entries(config[tier])
    // At once, so that several validators that never answer take no longer than one.
    const extractions = await Promise.all(
      keys.map(([, validator]) => extractKey(tier, validator, { resolve, judge, limitMs })),
    )
    for (const [index, [key, validator]] of keys.entries()) {
      const extracted = extractions[index]
      if (extracted === undefined) continue
      if ('detail' in extracted) {
        const vendor = isStandardSchema(validator) ? validator['~standard'].vendor : 'unknown'
        violations.push({ key, tier, vendor, ...extracted })
        continue
      }
      schema[key] = extracted.definition
      report[key] = extracted.report
    }
  }
  return { schema, report, violations }
}

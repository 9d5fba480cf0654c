import {
  isConfigValue,
  sameValue,
  standsForNothing,
  tiers,
  type ConfigValue,
} from '@signalbox/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { AnyConfig, KnownValues } from './config-types.ts'
import { readFragment } from './json-schema/read-fragment.ts'
import { readSides } from './json-schema/read-sides.ts'
import { mayBeConverted, nothings, type ProbeOutcome } from './validators/conversions.ts'
import { findDeclared } from './validators/typed.ts'

/**
 * Returns the defaults that the validators of `config` declare, for the option `defaults` of a client on a server.
 * An optional key without a default has `undefined`, so that a client reads it without an error. Other keys without a
 * default, and those whose validator returns a promise, are left out. What a coercion makes of a missing
 * value, such as `"undefined"`, is no default.
 *
 * @example
 * ```ts
 * import { declaredDefaults, defineConfig, number, optional, string } from '@signalbox/config'
 *
 * const config = defineConfig({ public: { note: optional(string()), size: number({ default: 20 }) } })
 * const { note, size } = declaredDefaults(config) // undefined, 20
 * ```
 */
export function declaredDefaults<C extends AnyConfig>(config: C): KnownValues<C>
export function declaredDefaults(config: AnyConfig): object {
  const defaults: Record<string, ConfigValue | undefined> = {}
  for (const tier of tiers) {
    for (const [key, validator] of Object.entries(config[tier])) {
      const answer = ask(validator, undefined)
      if (answer.accepted && answer.value === undefined) defaults[key] = undefined
      if (!answer.accepted || !isConfigValue(answer.value)) continue
      if (isDeclared(validator, answer.value)) defaults[key] = answer.value
    }
  }
  return defaults
}

const samples = [...nothings, 'a', 'true', '5', 0, 1, true, false]
const converting = new WeakMap<StandardSchemaV1, boolean>()

function isDeclared(validator: StandardSchemaV1, value: ConfigValue): boolean {
  if (standsForNothing(value)) return false
  if (sameValue(findDeclared(validator)?.default, value)) return true
  const isConverting = converting.get(validator) ?? converts(validator, value)
  converting.set(validator, isConverting)
  return !isConverting
}

function converts(validator: StandardSchemaV1, value: ConfigValue): boolean {
  const { output = {}, input = {} } = readSides(validator)
  if ([output, input].some((side) => sameValue(readFragment(side).fragment.default, value)))
    return false
  return mayBeConverted(
    value,
    samples.map((sample) => ({ sample, outcome: ask(validator, sample) })),
  )
}

function ask(validator: StandardSchemaV1, sample: unknown): ProbeOutcome {
  try {
    const result = validator['~standard'].validate(sample)
    // valibot gives a value beside its issues.
    const isAccepted = 'value' in result && result.issues === undefined
    return isAccepted ? { accepted: true, value: result.value } : { accepted: false }
  } catch {
    return { accepted: false }
  }
}

import { tiers, type ConfigValue } from '@signalbox/contract'
import type { AnyConfig, KnownValues } from './config-types.ts'
import { isConfigValue } from './json-schema/part.ts'

/**
 * Returns the defaults that the validators of `config` supply, for the option `defaults` of a client on a server.
 * Keys without a default, and those whose validator returns a promise, are left out.
 */
export function declaredDefaults<C extends AnyConfig>(config: C): KnownValues<C>
export function declaredDefaults(config: AnyConfig): object {
  const defaults: Record<string, ConfigValue> = {}
  for (const tier of tiers) {
    for (const [key, validator] of Object.entries(config[tier])) {
      const result = validator['~standard'].validate(undefined)
      if ('value' in result && isConfigValue(result.value)) defaults[key] = result.value
    }
  }
  return defaults
}

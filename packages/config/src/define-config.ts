import { findKeyNameViolation, limits, tiers } from '@signalbox/contract'
import { ConfigError } from './config-error.ts'
import type { Config, NoKeys, Validators } from './config-types.ts'
import type { Definition } from './definition-types.ts'
import { validatorViolation } from './standard-schema.ts'

/**
 * Declares the configuration of an application: its keys by tier, each with any Standard Schema validator.
 * Only tools and servers run it. A browser gets its types.
 *
 * @example
 * ```ts
 * import { boolean, defineConfig, string } from '@signalbox/config'
 * import { z } from 'zod'
 *
 * const config = defineConfig({
 *   public: { timeoutMs: z.number().int().positive().default(500) },
 *   secret: { stripeKey: string({ minLength: 16, description: 'Charges cards' }) },
 *   featureFlags: { newCheckout: boolean({ default: false }) },
 * })
 * export default config
 *
 * // The clients and hooks of the program then know the keys.
 * declare module '@signalbox/config' {
 *   interface Register {
 *     config: typeof config
 *   }
 * }
 * ```
 *
 * @throws {ConfigError} `invalid` with every violation of the definition.
 */
export function defineConfig<
  const P extends Validators = NoKeys,
  const S extends Validators = NoKeys,
  const F extends Validators = NoKeys,
>(
  definition: Definition<P, S, F>,
): {
  // A `Config<P, S, F>`, written out: editors show the names of the tiers.
  readonly public: P
  readonly secret: S
  readonly featureFlags: F
}
export function defineConfig(definition: Partial<Config>): Config {
  const config = {
    public: definition.public ?? {},
    secret: definition.secret ?? {},
    featureFlags: definition.featureFlags ?? {},
  }
  const violations = [...memberViolations(definition), ...keyViolations(config)]
  if (violations.length > 0)
    throw new ConfigError('invalid', `Configuration: ${violations.join('; ')}`)
  return Object.freeze(config)
}

function memberViolations(definition: object): string[] {
  return Object.keys(definition)
    .filter((name) => !tiers.some((tier) => tier === name))
    .map((name) => `"${name}" is not a tier: use ${tiers.join(', ')}`)
}

function keyViolations(config: Config): string[] {
  const locationsByName = new Map<string, string>()
  const violations: string[] = []
  for (const tier of tiers) {
    for (const [key, validator] of Object.entries(config[tier])) {
      const location = `${tier} key "${key}"`
      const other = locationsByName.get(key.toLowerCase())
      const violation = findKeyNameViolation(key) ?? validatorViolation(validator)
      if (violation !== undefined) violations.push(`${location}: ${violation}`)
      if (other !== undefined)
        violations.push(`${location} and ${other} differ only in case or tier`)
      locationsByName.set(key.toLowerCase(), location)
    }
  }
  if (locationsByName.size > limits.keysPerSchema) {
    violations.push(
      `${locationsByName.size} keys are more than the ${limits.keysPerSchema} a schema can have`,
    )
  }
  return violations
}

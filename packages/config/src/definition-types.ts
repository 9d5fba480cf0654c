import type { ConfigValue } from '@signalbox/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'

type Name<K> = K & string

/** Maps each tier to the type that its keys must produce, and to the sentence for others. */
interface TierRules {
  readonly public: { readonly type: ConfigValue; readonly words: 'a string, a number or a boolean' }
  readonly secret: { readonly type: ConfigValue; readonly words: 'a string, a number or a boolean' }
  readonly featureFlags: { readonly type: boolean; readonly words: 'a boolean' }
}

/** Resolves to the validator itself, or to a sentence that says what is wrong with it. */
type CheckedValidator<T extends keyof TierRules, K, V> = V extends StandardSchemaV1
  ? [Exclude<StandardSchemaV1.InferOutput<V>, undefined>] extends [TierRules[T]['type']]
    ? // Stored is what the validator produces, and browsers never run it: it has to accept that again.
      [StandardSchemaV1.InferOutput<V>] extends [StandardSchemaV1.InferInput<V>]
      ? V
      : `${T} key '${Name<K>}' changes the type of its value: it must accept what it produces`
    : unknown extends StandardSchemaV1.InferOutput<V>
      ? V
      : null extends StandardSchemaV1.InferOutput<V>
        ? `${T} key '${Name<K>}' accepts null, which no key has: remove it, or make the key optional`
        : `${T} key '${Name<K>}' must produce ${TierRules[T]['words']}`
  : `${T} key '${Name<K>}' needs a Standard Schema validator`

/** Resolves to the validators of a tier, with a sentence instead of each one that is not accepted. */
export type CheckedTier<T extends keyof TierRules, V, OtherKeys> = {
  readonly [K in keyof V]: K extends OtherKeys
    ? `key '${Name<K>}' is declared in more than one tier`
    : CheckedValidator<T, K, V[K]>
}

/** Describes the argument of `defineConfig`. */
export interface Definition<P, S, F> {
  /** Holds the keys that anyone may read, browsers too. */
  readonly public?: P & CheckedTier<'public', P, keyof S | keyof F>
  /** Holds the keys that only servers read. */
  readonly secret?: S & CheckedTier<'secret', S, keyof P | keyof F>
  /** Holds the switches, which everyone reads, and which change without a deployment. */
  readonly featureFlags?: F & CheckedTier<'featureFlags', F, keyof P | keyof S>
}

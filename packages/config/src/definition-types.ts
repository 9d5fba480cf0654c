import type { StandardSchemaV1 } from '@standard-schema/spec'

type Name<K> = K & string

// Interfaces are objects, and have no index signature.
type Storable = string | number | boolean | object
type StorableWords = 'a string, a number, a boolean, or an object or a list of JSON'
/** Lists objects that JSON has no form for. */
type Unstorable =
  | Date
  | RegExp
  | ReadonlyMap<never, unknown>
  | ReadonlySet<unknown>
  | Promise<unknown>
  | ((...args: never) => unknown)

/** Maps each tier to the type that its keys must produce, and to the sentence for others. */
interface TierRules {
  readonly public: { readonly type: Storable; readonly words: StorableWords }
  readonly secret: { readonly type: Storable; readonly words: StorableWords }
  readonly featureFlags: { readonly type: boolean; readonly words: 'a boolean' }
}

/** Resolves to the validator itself, or to a sentence that says what is wrong with it. */
type CheckedValidator<T extends keyof TierRules, K, V> = V extends StandardSchemaV1
  ? unknown extends StandardSchemaV1.InferOutput<V>
    ? V
    : [Exclude<StandardSchemaV1.InferOutput<V>, undefined>] extends [TierRules[T]['type']]
      ? [Extract<StandardSchemaV1.InferOutput<V>, Unstorable>] extends [never]
        ? // Stored is what the validator produces, and browsers never run it: it has to accept that again.
          [StandardSchemaV1.InferOutput<V>] extends [StandardSchemaV1.InferInput<V>]
          ? V
          : `${T} key '${Name<K>}' changes the type of its value: it must accept what it produces`
        : `${T} key '${Name<K>}' must produce ${TierRules[T]['words']}`
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

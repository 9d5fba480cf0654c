import type { ConfigValue } from '@signalbox/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'

/** Maps key names to Standard Schema validators. */
export type Validators = Readonly<Record<string, StandardSchemaV1>>

/** Describes a tier that declares nothing. */
// oxlint-disable-next-line typescript/no-empty-object-type
export type NoKeys = {}

/** Describes what `defineConfig` returns: the validators of each tier, by key name. */
export interface Config<
  P extends Validators = Validators,
  S extends Validators = Validators,
  F extends Validators = Validators,
> {
  readonly public: P
  readonly secret: S
  readonly featureFlags: F
}

/** Describes any configuration. Its keys are `string`, its values of any type. */
export type AnyConfig = Config

/**
 * Tells every client of the program which configuration it reads. Declare it once, beside the definition:
 *
 *     declare module '@signalbox/config' {
 *       interface Register { config: typeof config }
 *     }
 */
// An interface, because only interfaces merge.
// oxlint-disable-next-line typescript/no-empty-object-type typescript/no-empty-interface
export interface Register {}

/** Resolves to the registered configuration, or to any configuration where none is registered. */
export type Registered = Register extends { readonly config: infer C extends AnyConfig }
  ? C
  : AnyConfig

/** Describes the keys of a program that has registered no configuration: there are none. */
export interface Unregistered extends Config<NoKeys, NoKeys, NoKeys> {
  readonly isRegistered: false
}

/** Resolves to the registered configuration, or to one without keys: for hooks, whose names nothing else checks. */
export type RegisteredKeys = Register extends { readonly config: infer C extends AnyConfig }
  ? C
  : Unregistered

/** Holds the compile error of a hook where no configuration is registered. */
export type NothingRegistered =
  'no definition is registered: let the "include" of the tsconfig reach signalbox.config.ts'

/** Lists the names of the keys that browsers may read. */
export type PublicKey<C extends AnyConfig = Registered> = keyof C['public'] & string

/** Lists the names of the keys that only servers may read. */
export type SecretKey<C extends AnyConfig = Registered> = keyof C['secret'] & string

/** Lists the names of the feature flags. */
export type FlagKey<C extends AnyConfig = Registered> = keyof C['featureFlags'] & string

/** Lists the names that `get` takes. */
export type ReadableKey<C extends AnyConfig = Registered> = PublicKey<C> | SecretKey<C>

// Editors show an alias where it makes a union. Here only conditions make unions, so they show the values themselves.
type Produced<V> = V extends StandardSchemaV1
  ? unknown extends StandardSchemaV1.InferOutput<V>
    ? ConfigValue
    : StandardSchemaV1.InferOutput<V> extends infer T
      ? T extends ConfigValue | object | undefined
        ? T
        : never
      : never
  : never

/** Resolves to the result of `get` for a key: the output of its validator, `undefined` included where it is optional. */
export type Value<C extends AnyConfig, K extends string> = K extends keyof C['public']
  ? Produced<C['public'][K]>
  : K extends keyof C['secret']
    ? Produced<C['secret'][K]>
    : never

/** Maps key names to values and flags. Each may be missing, and an optional key may be `undefined`. */
export type KnownValues<C extends AnyConfig = Registered> = {
  readonly [K in ReadableKey<C> | FlagKey<C>]?:
    | Value<C, K>
    | (K extends FlagKey<C> ? boolean : never)
    // Of an unknown configuration, any key may be an optional one.
    | (string extends K ? undefined : never)
}

/** Describes the numbers that a limit may be. */
export interface LimitRange {
  readonly min: number
  readonly max: number
}

/** Maps limits to their ranges. */
export type LimitRanges<C extends AnyConfig = Registered> = {
  readonly [K in PublicKey<C>]?: LimitRange
}

/** Resolves to a sentence for a key that browsers may not read, so that the compile error says why. */
export type BrowserKey<C extends AnyConfig, K extends string> = C extends Unregistered
  ? NothingRegistered
  : K extends PublicKey<C>
    ? K
    : K extends SecretKey<C>
      ? `'${K}' is a secret key: it is never sent to a browser`
      : keyof C['public'] & string

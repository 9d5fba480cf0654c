import type { FlagRules, FlagVariant, Targeting } from './flags/flag-rules.ts'
import type { ConfigValue, ValueType } from './values/value-types.ts'

/** Lists the audiences of a value: everyone, servers only, or everyone as an on/off switch. */
export const tiers = ['public', 'secret', 'featureFlags'] as const
export type Tier = (typeof tiers)[number]

/**
 * Matches the name of a key: letters, digits, `_`, `.`, `-`; begins with a letter or `_`; at most 128 characters. In
 * a schema, names must differ in more than case.
 */
export const keyNamePattern = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/

/** Lists the names that every JavaScript object has as members. A key with such a name would be found where none was set. */
export const reservedKeyNames: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()),
)

/** Returns why `name` cannot be a key, or `undefined` when it can. */
export function findKeyNameViolation(name: string): string | undefined {
  if (!keyNamePattern.test(name)) {
    return 'Use 1 to 128 letters, digits, "_", "." or "-", beginning with a letter or "_".'
  }
  if (reservedKeyNames.has(name.toLowerCase())) {
    return 'Every JavaScript object has a property with this name. Choose another name.'
  }
  return undefined
}

/**
 * Describes what people note about a key: its owner, whether its values are meant to differ, how programs call it, and of a
 * flag how it ends. Clients receive only the variable. An empty text, an empty list, 0 and `false` say that there is
 * none.
 */
export interface KeyNotes {
  /** Names a person or a team. Example: `Checkout team`. */
  readonly owner?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Holds the day on which the flag should be gone, or on which the secret ends at its issuer. Example: `2027-01-31`. */
  readonly expires?: string | undefined
  /** Counts the days after which the value of a secret should be another one, from its last change in each environment. */
  readonly rotateEvery?: number | undefined
  /** Holds the address of a page that says how the secret is replaced. */
  readonly runbook?: string | undefined
  /** Says that one press turns the flag, in production too. */
  readonly killSwitch?: boolean | undefined
  /** Says that environments are meant to have different values, which is no drift. */
  readonly expectedToDiffer?: boolean | undefined
  /**
   * Names the environment variable, where it is not what the key's name becomes. Example:
   * `ConnectionStrings__Default`.
   */
  readonly variable?: string | undefined
}

/**
 * Describes a key of a schema as it is declared. Example: `{ type: 'string', tier: 'public', constraints: { format:
 * 'uri' } }`.
 */
export interface KeyDefinition extends KeyNotes {
  readonly type: ValueType
  /**
   * Names the tier. Default: `featureFlags` for a boolean, `secret` for anything else, so that nothing is published
   * by accident.
   */
  readonly tier?: Tier | undefined
  readonly description?: string | undefined
  readonly default?: ConfigValue | undefined
  /** Says what becomes of the stored default where `default` is left out: `true` keeps it, `false` deletes it. */
  readonly hasDefault?: boolean | undefined
  /** Says whether an environment without a value is reported as incomplete. Default: true unless there is a default. */
  readonly required?: boolean | undefined
  /** Holds a JSON Schema 2020-12 fragment about the value, such as `{ minLength: 3, format: 'email' }`. */
  readonly constraints?: Readonly<Record<string, unknown>> | undefined
  /** Says that the validator in the code checks more than `constraints`: the server enforces only a part. */
  readonly partial?: boolean | undefined
  /** Says that rules may serve other values of a public key to some contexts. */
  readonly targeted?: boolean | undefined
  /** Lists the variants of a flag. The flag has the first one with its value where no rule chooses one. */
  readonly variants?: readonly FlagVariant[] | undefined
  /** Says that nobody should begin to use the key. Left out, it stays as it is stored: a push cannot say it. */
  readonly deprecated?: boolean | undefined
  /** Names the place that declares the key. Default `code`: a push, or the API. */
  readonly declaredIn?: KeyOrigin | undefined
}

/** Lists the places that declare a key: the code of an application, which pushes it, or the dashboard. */
export const keyOrigins = ['code', 'dashboard'] as const
export type KeyOrigin = (typeof keyOrigins)[number]

/** Maps the name of each key to its declaration. */
export type SchemaDefinition = Readonly<Record<string, KeyDefinition>>

/** Returns the tier of a key that names none. */
export function defaultTier(type: ValueType): Tier {
  return type === 'boolean' ? 'featureFlags' : 'secret'
}

/** Returns whether rules may decide the value of a key: of every flag, and of a targeted public key. */
export function takesRules({
  tier,
  targeted,
}: {
  readonly tier?: Tier | undefined
  readonly targeted?: boolean | undefined
}): boolean {
  return tier === 'featureFlags' || targeted === true
}

/** Lists the sources of a resolved value. `inherited`: set in a parent environment. `missing`: there is none. */
export const valueSources = ['set', 'inherited', 'default', 'missing'] as const
export type ValueSource = (typeof valueSources)[number]

/** Describes a snapshot as a browser key reads it. It cannot hold a secret. */
export interface BrowserSnapshot {
  readonly format: 1
  readonly schemaId: string
  readonly schema: string
  readonly environmentId: string
  readonly environment: string
  /** Counts only the changes that a browser can see. */
  readonly version: number
  readonly public: Readonly<Record<string, ConfigValue>>
  readonly featureFlags: Readonly<Record<string, boolean>>
  /** Maps keys to their variables, where a definition names them. Absent when there are none. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Describes a snapshot as a server key reads it. Its `version` counts every change, so it differs from the browser's. */
export interface ServerSnapshot extends BrowserSnapshot {
  readonly secret: Readonly<Record<string, ConfigValue>>
  /** Holds the rules of flags. Absent when there are none. Browsers never receive them: conditions may name customers. */
  readonly flagRules?: FlagRules
  /**
   * Holds targeted keys with rules, and flags with variants. Absent when there are none. Readers that don't know it get the value
   * of the environment.
   */
  readonly targeting?: Readonly<Record<string, Targeting>>
}

/** Describes the `data` of `event: config` on a snapshot's stream. */
export interface ConfigEvent {
  readonly version: number
  readonly etag: string
}

import type { ConfigValue } from '@signalbox/contract'
import type { Sealer } from '../vault/organization-keys.ts'
import type { Definition } from './definition.ts'
import type { CurrentValues, SecretEntry } from './current-values.ts'
import type { ResolvedValues } from './resolve-values.ts'

/**
 * Returns what binds a secret value to the row and key that hold it. A sealed text opens with the same address only.
 */
export function valueAddress(of: {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  readonly key: string
}): string {
  const { orgId, schemaId, environmentId, key } = of
  return `${orgId}|current_values|${schemaId}|${environmentId}|${key}`
}

/** Returns what binds the default of a secret key to its schema. A sealed text opens with the same address only. */
export function defaultAddress(orgId: string, schemaId: string, key: string): string {
  return `${orgId}|config_schemas|${schemaId}|${key}`
}

/** Returns the JSON text of a value that was sealed for `address`. */
export function openText(sealer: Sealer, address: string, sealed: string): string {
  return sealer.open(address, Buffer.from(sealed, 'base64')).toString()
}

/** Returns a value that was sealed for `address`. */
export function openValue(sealer: Sealer, address: string, sealed: string): ConfigValue {
  const value: ConfigValue = JSON.parse(openText(sealer, address, sealed))
  return value
}

/** Opens the secrets of a schema. Each seal is opened once, however many environments inherit it. */
export interface SecretOpener {
  /** Returns the JSON text of each secret that there is. */
  open(resolved: ResolvedValues): ReadonlyMap<string, string>
}

/** Names the schema whose secrets are opened, and holds the sealer for them. */
export interface SecretsOf {
  readonly sealer: Sealer
  readonly orgId: string
  readonly schemaId: string
}

/** Maps a secret key to a value that was sealed for an environment. */
export type SealedSecrets = ReadonlyMap<string, Pick<SecretEntry, 'sealed' | 'type'>>

/**
 * Seals those of some values whose keys are secret. With `isCompared`, it leaves out a secret that the environment holds already,
 * so that it keeps its seal.
 */
export function sealSecrets(
  {
    sealer,
    orgId,
    schemaId,
    definition,
    isCompared,
  }: SecretsOf & { readonly definition: Definition; readonly isCompared: boolean },
  { environmentId, secretValues }: CurrentValues,
  values: ReadonlyMap<string, ConfigValue>,
): SealedSecrets {
  const secrets = new Map<string, Pick<SecretEntry, 'sealed' | 'type'>>()
  for (const [key, value] of values) {
    const rule = definition.get(key)
    if (rule?.tier !== 'secret') continue
    const address = valueAddress({ orgId, schemaId, environmentId, key })
    const text = JSON.stringify(value)
    const known = isCompared ? secretValues[key] : undefined
    if (known !== undefined && openText(sealer, address, known.sealed) === text) continue
    const sealed = sealer.seal(address, text).toString('base64')
    secrets.set(key, { sealed, type: rule.type })
  }
  return secrets
}

/** Creates an opener that remembers what it has opened for as long as it lives. */
export function createSecretOpener(sealer: Sealer, orgId: string, schemaId: string): SecretOpener {
  const texts = new Map<string, string>()
  return {
    open(resolved) {
      const byKey = new Map<string, string>()
      for (const [key, { sealed, environmentId }] of resolved) {
        if (sealed === undefined) continue
        const secret = { key, sealed, environmentId }
        const text = texts.get(sealed) ?? openSecret({ sealer, orgId, schemaId }, secret)
        texts.set(sealed, text)
        byKey.set(key, text)
      }
      return byKey
    },
  }
}

/** Returns the JSON text of a secret that an environment sets, or without an environment of a default. */
export function openSecret(
  { sealer, orgId, schemaId }: SecretsOf,
  { key, sealed, environmentId }: SealedSecret,
): string {
  const address =
    environmentId === undefined
      ? defaultAddress(orgId, schemaId, key)
      : valueAddress({ orgId, schemaId, environmentId, key })
  return openText(sealer, address, sealed)
}

/** Describes a secret as it is stored: at the environment that sets it, or as a default. */
export interface SealedSecret {
  readonly environmentId: string | undefined
  readonly key: string
  readonly sealed: string
}

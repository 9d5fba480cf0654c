import type { Sealer } from '../../vault/organization-keys.ts'
import { openText } from './edit-head.ts'
import type { ResolvedValues } from './resolve-values.ts'
import { defaultPlace, valuePlace } from './sealed-place.ts'

/** Opens the secrets of a schema. Each seal is opened once, however many environments inherit it. */
export interface SecretOpener {
  /** The JSON text of each secret that there is. */
  open(resolved: ResolvedValues): ReadonlyMap<string, string>
}

/** What the secrets of a schema are opened with. */
export interface SecretsOf {
  readonly sealer: Sealer
  readonly orgId: string
  readonly schemaId: string
}

export function createSecretOpener(sealer: Sealer, orgId: string, schemaId: string): SecretOpener {
  const opened = new Map<string, string>()
  return {
    open(resolved) {
      const texts = new Map<string, string>()
      for (const [key, { sealed, environmentId }] of resolved) {
        if (sealed === undefined) continue
        const secret = { key, sealed, environmentId }
        const text = opened.get(sealed) ?? openSecret({ sealer, orgId, schemaId }, secret)
        opened.set(sealed, text)
        texts.set(key, text)
      }
      return texts
    },
  }
}

/** The JSON text of a secret that an environment sets, or without one of a default. */
export function openSecret(
  { sealer, orgId, schemaId }: SecretsOf,
  { key, sealed, environmentId }: SealedSecret,
): string {
  const place =
    environmentId === undefined
      ? defaultPlace(orgId, schemaId, key)
      : valuePlace({ orgId, schemaId, environmentId, key })
  return openText(sealer, place, sealed)
}

/** A secret as it is stored: at the environment that sets it, or as a default. */
export interface SealedSecret {
  readonly environmentId: string | undefined
  readonly key: string
  readonly sealed: string
}

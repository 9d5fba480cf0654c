import type { Sealer } from '../vault/organization-keys.ts'
import { openText } from './edit-head.ts'
import type { ResolvedValues } from './resolve-values.ts'
import { defaultPlace, valuePlace } from './sealed-place.ts'

/** Opens the secrets of a schema. Each seal is opened once, however many environments inherit it. */
export interface SecretOpener {
  /** The JSON text of each secret that there is. */
  open(resolved: ResolvedValues): ReadonlyMap<string, string>
}

export function createSecretOpener(sealer: Sealer, orgId: string, schemaId: string): SecretOpener {
  const opened = new Map<string, string>()
  return {
    open(resolved) {
      const texts = new Map<string, string>()
      for (const [key, { sealed, environmentId }] of resolved) {
        if (sealed === undefined) continue
        const place =
          environmentId === undefined
            ? defaultPlace(orgId, schemaId, key)
            : valuePlace({ orgId, schemaId, environmentId, key })
        const text = opened.get(sealed) ?? openText(sealer, place, sealed)
        opened.set(sealed, text)
        texts.set(key, text)
      }
      return texts
    },
  }
}

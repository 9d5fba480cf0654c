import type { ConfigValue } from '@signalbox/contract'
import type { Sealer } from '../../vault/organization-keys.ts'
import type { SchemaRow } from './schema-rows.ts'
import { defaultAddress, openValue } from '../../config-model/sealed-secrets.ts'

/** Describes a schema as one caller may see it. */
export interface ShownSchema {
  readonly row: SchemaRow
  /** The defaults of secret keys, for a caller who may read secrets; else empty. */
  readonly secretDefaults: ReadonlyMap<string, ConfigValue>
}

/** Returns a schema without the defaults of its secrets. */
export function withoutSecrets(row: SchemaRow): ShownSchema {
  return { row, secretDefaults: new Map() }
}

/** Returns a schema with the defaults of its secrets, opened. */
export function withSecrets(sealer: Sealer, orgId: string, row: SchemaRow): ShownSchema {
  const entries = Object.entries(row.secretDefaults).map(
    ([key, sealed]) =>
      [key, openValue(sealer, defaultAddress(orgId, row.id, key), sealed)] as const,
  )
  return { row, secretDefaults: new Map(entries) }
}

/** Seals the defaults of secret keys as they are stored: key name to seal, base64. */
export function sealDefaults(
  sealer: Sealer,
  { orgId, schemaId }: { readonly orgId: string; readonly schemaId: string },
  defaults: Iterable<readonly [string, ConfigValue]>,
): Record<string, string> {
  const sealed = [...defaults].map(([key, value]) => {
    const blob = sealer.seal(defaultAddress(orgId, schemaId, key), JSON.stringify(value))
    return [key, blob.toString('base64')] as const
  })
  return Object.fromEntries(sealed)
}

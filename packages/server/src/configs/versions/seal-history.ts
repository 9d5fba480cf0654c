import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { hideRequestedValues } from '../requests/request-rows.ts'
import { forgetOldSnapshots, isShownInSnapshots } from '../publication/publication-rows.ts'
import { valueAddress } from '../../config-model/sealed-secrets.ts'
import type { ValueChange } from '../../config-model/value-changes.ts'
import { listVersionsWithOpenKeys, updateVersionValues } from './version-rows.ts'

/**
 * Seals in the history of a schema what keys held before they became secrets, and deletes the snapshots and hides the requests that show it:
 * afterwards no row has such a value in the clear.
 */
export async function sealHistory(
  tx: Tx,
  sealer: Sealer,
  of: { readonly orgId: string; readonly schemaId: string },
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  await hideRequestedValues(tx, of, keys)
  if (await isShownInSnapshots(tx, of, keys)) await forgetOldSnapshots(tx, of.orgId, of.schemaId)
  const versions = await listVersionsWithOpenKeys(tx, of, keys)
  if (versions.length === 0) return
  const sealed = versions.map(({ id, environmentId, open, rules, secret, changes }) => {
    const openValues = { ...open }
    const openRules = { ...rules }
    const secretValues = { ...secret }
    for (const key of keys) {
      const value = openValues[key]
      if (value === undefined) continue
      const address = valueAddress({ ...of, environmentId, key })
      secretValues[key] = sealer.seal(address, JSON.stringify(value)).toString('base64')
      Reflect.deleteProperty(openValues, key)
      Reflect.deleteProperty(openRules, key)
    }
    const hidden = changes.map(hideAmong(keys))
    return { id, open: openValues, rules: openRules, secret: secretValues, changes: hidden }
  })
  await updateVersionValues(tx, of.orgId, sealed)
}

function hideAmong(keys: readonly string[]): (change: ValueChange) => ValueChange {
  return (entry) =>
    keys.includes(entry.key) ? { key: entry.key, tier: 'secret', change: entry.change } : entry
}

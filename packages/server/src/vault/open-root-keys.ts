import { parseRootKey, type RootKey } from '../crypto/root-key.ts'
import { OperatorError } from '../store/operator-error.ts'
import type { Store } from '../store/store.ts'
import { verifyRootKeys } from './verify-root-keys.ts'
import {
  discardRootKeys,
  findRootKeys,
  followRootKeys,
  loadRootKeys,
  rootKeyFile,
} from './root-key-file.ts'

/** Returns the root keys of this node. Called each time, because a rotation adds one while the service runs. */
export type RootKeys = () => readonly RootKey[]

/** Describes the sources of root keys. */
export interface OpenRootKeys {
  /**
   * Lists the keys of the settings as base64url, the one in force first. Empty: the key file of the data directory is
   * used.
   */
  readonly configured: readonly string[]
  /** Names the setting that they are of. */
  readonly setting: 'SIGNALBOX_ROOT_KEY' | 'SIGNALBOX_ROOT_KEY_COMMAND'
  readonly dataDir: string
}

/**
 * Loads the root keys of this node, creates the first one of a fresh data directory, and compares them with the
 * database before anything is written to it.
 *
 * @throws {OperatorError} that names the missing key when the database was sealed with another one.
 */
export async function openRootKeys(
  { store }: { readonly store: Pick<Store, 'maintenance'> },
  { configured, setting, dataDir }: OpenRootKeys,
): Promise<RootKeys> {
  const [first, ...others] = configured.map(parseRootKey)
  if (first !== undefined) {
    await requireAdmission(store, [first, ...others], setting)
    const keys = [first, ...others]
    return () => keys
  }
  const isFresh = findRootKeys(dataDir).length === 0
  try {
    await requireAdmission(store, loadRootKeys(dataDir), rootKeyFile(dataDir))
  } catch (error) {
    if (isFresh) discardRootKeys(dataDir)
    throw error
  }
  return followRootKeys(dataDir)
}

async function requireAdmission(
  store: Pick<Store, 'maintenance'>,
  keys: readonly [RootKey, ...RootKey[]],
  location: string,
): Promise<void> {
  const admission = await verifyRootKeys({ store }, keys)
  if (!('missingId' in admission)) return
  const what =
    admission.outcome === 'wrong'
      ? 'The database belongs to another root key'
      : 'A rotation of the root key was interrupted, and needs a second root key'
  throw new OperatorError(
    `${what}, the one with the check id ${admission.missingId}. Nothing was changed.`,
    { code: 'wrong_root_key', advice: `Restore it in ${location}.` },
  )
}

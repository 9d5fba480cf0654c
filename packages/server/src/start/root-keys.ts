import { parseRootKey, type RootKey } from '../crypto/root-key.ts'
import type { Settings } from '../settings.ts'
import { findRootKeys } from '../vault/root-key-file.ts'
import { runRootKeyCommand } from '../vault/run-root-key-command.ts'

/** Tells the person who starts a node what it lacks without a root key. */
export const sealedNotice =
  'This node has no root key: it serves browser keys, and answers server keys with 503 sealed.'

/** Returns the root keys of the settings, else those of the data directory. A process that only delivers creates none. */
export function deliveryRootKeys({ rootKeys, dataDir }: Settings): readonly RootKey[] {
  return rootKeys.length > 0 ? rootKeys.map(parseRootKey) : findRootKeys(dataDir)
}

/**
 * Returns the settings with the root keys that the program of `SIGNALBOX_ROOT_KEY_COMMAND` prints. Without a program they stay as
 * they are. Whatever needs a root key calls it first, so that a program is run once and only where it is needed.
 *
 * @throws {OperatorError} when the program prints none.
 */
export async function withRootKeys(settings: Settings, signal?: AbortSignal): Promise<Settings> {
  const { rootKeyCommand: line } = settings
  if (line === undefined || settings.rootKeys.length > 0) return settings
  return { ...settings, rootKeys: await runRootKeyCommand({ line, signal }) }
}

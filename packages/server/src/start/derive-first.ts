import { deriveKey, type KeyLabel } from '../crypto/root-key.ts'
import type { RootKeys } from '../vault/open-root-keys.ts'

/** A key for one purpose, from the root key in force. */
export function deriveFirst(rootKeys: RootKeys, label: KeyLabel): Buffer {
  const [first] = rootKeys()
  if (first === undefined) throw new Error('There is no root key')
  return deriveKey(first, label)
}

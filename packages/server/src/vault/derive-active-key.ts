import { deriveKey, type KeyLabel } from '../crypto/root-key.ts'
import type { RootKeys } from './open-root-keys.ts'

/** Returns a key for one purpose, derived from the active root key: the first. */
export function deriveActiveKey(rootKeys: RootKeys, label: KeyLabel): Buffer {
  const [active] = rootKeys()
  if (active === undefined) throw new Error('There is no root key')
  return deriveKey(active, label)
}

import { Problem } from '@signalbox/contract'
import { unwrapDataKey, type WrappedDataKey } from '../../crypto/data-keys.ts'
import type { RootKey } from '../../crypto/root-key.ts'
import { open, sealedVersion, UnsealError, type DataKey } from '../../crypto/seal.ts'
import { sealedSignatureAddress } from '../../config-model/snapshot.ts'
import { secretsContext, type ServerRow } from './server-item.ts'

/** Opens the secrets of one answer at a time. */
export interface SecretBox {
  /**
   * Throws when a snapshot's secrets cannot be opened, without opening them.
   *
   * @throws {Problem} `sealed` when this node has no root key, or not the one the data key is wrapped under.
   */
  assertOpenable(row: ServerRow): void
  /** Returns the JSON text of a snapshot's secrets. @throws {Problem} `sealed` */
  open(row: ServerRow): string
  /** Returns the signature of a snapshot; `undefined` while it has none. @throws {Problem} `sealed` */
  openSignature(row: ServerRow): string | undefined
  /** Adds or replaces wrapped data keys, and returns whether anything changed. */
  apply(rows: readonly WrappedDataKey[]): boolean
  /** Returns the data keys, still wrapped, for the disk cache. */
  save(): readonly WrappedDataKey[]
}

interface Held {
  readonly row: WrappedDataKey
  key?: DataKey
}

/**
 * Creates a box without data keys. `rootKeys` is called each time: it returns none on a node that only serves browsers,
 * and two during a rotation.
 */
export function createSecretBox(rootKeys: () => readonly RootKey[]): SecretBox {
  const held = new Map<string, Held>()

  const unwrap = (entry: Held): DataKey => {
    try {
      entry.key ??= unwrapDataKey(rootKeys(), entry.row)
      return entry.key
    } catch (error) {
      if (error instanceof UnsealError && error.reason === 'unknown_key') throw sealed(error)
      throw error
    }
  }

  const keyFor = (orgId: string, sealedSecrets: Buffer): DataKey => {
    const entry = held.get(nameOf(orgId, sealedVersion(sealedSecrets)))
    if (entry === undefined) throw sealed(undefined)
    return unwrap(entry)
  }
  const assertOpenable = ({ orgId, sealedSecrets }: ServerRow) => {
    if (rootKeys().length === 0) throw sealed(undefined)
    if (sealedSecrets !== null) keyFor(orgId, sealedSecrets)
  }

  return {
    assertOpenable,
    open(row) {
      assertOpenable(row)
      const { orgId, sealedSecrets } = row
      if (sealedSecrets === null) return '{}'
      return open(keyFor(orgId, sealedSecrets), secretsContext(row), sealedSecrets).toString('utf8')
    },
    openSignature(row) {
      const { orgId, sealedSignature } = row
      if (sealedSignature === null) return undefined
      const key = keyFor(orgId, sealedSignature)
      return open(key, sealedSignatureAddress(row), sealedSignature).toString('utf8')
    },
    apply(rows) {
      let changed = false
      for (const row of rows) {
        const name = nameOf(row.orgId, row.version)
        const known = held.get(name)
        if (known?.row.wrapped.equals(row.wrapped) === true) continue
        // Retains the unwrapped key: wrapping it again does not change it.
        held.set(name, { ...known, row })
        changed = true
      }
      return changed
    },
    save: () => [...held.values()].map(({ row }) => row),
  }
}

function nameOf(orgId: string, version: number): string {
  return `${orgId}|${version}`
}

function sealed(cause: unknown): Problem {
  return new Problem(
    'sealed',
    'This node has no root key for these secrets, so it serves only browser keys. For server keys, start it with SIGNALBOX_ROOT_KEY.',
    { retryAfterSeconds: 30, cause },
  )
}

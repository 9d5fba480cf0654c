import { Problem } from '@signalbox/contract'
import { newDataKey, sealsPerDataKey, takeSealCount } from '../crypto/data-keys.ts'
import type { RootKey } from '../crypto/root-key.ts'
import { open, seal, type DataKey } from '../crypto/seal.ts'
import { recordMaintenanceEvent } from '../audit/record-event.ts'
import { systemAuthor } from '../audit/audit-event.ts'
import type { Store, Tx } from '../store/store.ts'
import { addSealsRow, insertDataKeyRow, listDataKeyRows, type WrappedKeyRow } from './rows.ts'
import { unwrapOrRefuse, wrapUnderRootKey } from './wrapping.ts'

/** Seals and opens what one organization stores. The newest data key seals, any of them opens. */
export interface Sealer {
  /** Seals a value. `context` names where it is stored: `org_…|current_values|sch_…|env_…|stripeKey`. */
  seal(context: string, plaintext: string | Buffer): Buffer
  /** @throws {UnsealError} when the value was changed, moved, or sealed with a key that is destroyed. */
  open(context: string, sealed: Buffer): Buffer
}

/** Manages the data keys of all organizations. Caches unwrapped ones for ten minutes. */
export interface OrganizationKeys {
  /** Gives an organization its first data key, in the transaction that creates the organization. */
  create(tx: Tx, orgId: string): Promise<void>
  /**
   * Reads the keys of `orgId` in `tx`, so that a key of a destroyed organization no longer opens anything.
   *
   * @throws {Problem} `sealed` when this node lacks the root key they are wrapped under.
   */
  getSealer(tx: Tx, orgId: string): Promise<Sealer>
  /**
   * Adds the seals since the last call to the stored counts, and creates an organization's next data key before the
   * current one has sealed too often. A timer calls it every minute, and the stop of the process once.
   */
  flushSealCounts(): Promise<void>
}

export interface OrganizationKeysDeps {
  readonly store: Pick<Store, 'maintenance'>
  /** Returns the root keys of this node; two during a rotation. Called each time. */
  readonly rootKeys: () => readonly RootKey[]
  readonly now: () => Date
  /** Limits the seals of a data key. Default 2^30: far below 2^32, where random nonces begin to repeat. */
  readonly sealsPerKey?: number
}

const cacheMs = 10 * 60_000

interface Held {
  readonly key: DataKey
  readonly until: number
}

/** Creates the manager of data keys. It holds no connection; call `flushSealCounts` before the process ends. */
export function createOrganizationKeys(deps: OrganizationKeysDeps): OrganizationKeys {
  const { store, rootKeys, now, sealsPerKey = sealsPerDataKey } = deps
  const held = new Map<string, Held>()
  /** Holds the keys that sealed since the last flush, including those that have left the cache. */
  const used = new Set<DataKey>()

  const unwrap = (row: WrappedKeyRow): DataKey => {
    const name = `${row.orgId}|${row.version}`
    const cached = held.get(name)
    if (cached !== undefined && cached.until > now().getTime()) return cached.key
    const key = cached?.key ?? unwrapOrRefuse(rootKeys(), row)
    held.set(name, { key, until: now().getTime() + cacheMs })
    return key
  }

  return {
    async create(tx, orgId) {
      await insertDataKey(tx, rootKeys(), orgId, 1)
    },

    async getSealer(tx, orgId) {
      forgetExpired(held, now())
      const rows = await listDataKeyRows(tx, orgId)
      const [newest] = rows
      if (newest === undefined) throw new Problem('sealed', 'The organization has no data key.')
      const sealing = unwrap(newest)
      return {
        seal(context, plaintext) {
          used.add(sealing)
          return seal(sealing, context, plaintext)
        },
        open: (context, sealed) => open(rows.map(unwrap), context, sealed),
      }
    },

    async flushSealCounts() {
      for (const key of used) {
        used.delete(key)
        const seals = takeSealCount(key)
        try {
          await store.maintenance((tx) => countSeals(tx, rootKeys(), { key, seals, sealsPerKey }))
        } catch (error) {
          key.seals.count += seals
          used.add(key)
          throw error
        }
      }
    },
  }
}

function forgetExpired(held: Map<string, Held>, now: Date): void {
  for (const [name, { until }] of held) {
    if (until > now.getTime()) return
    held.delete(name)
  }
}

interface CountSeals {
  readonly key: DataKey
  readonly seals: number
  readonly sealsPerKey: number
}

async function countSeals(
  tx: Tx,
  rootKeys: readonly RootKey[],
  { key, seals, sealsPerKey }: CountSeals,
): Promise<void> {
  const { orgId, version } = key
  const sum = await addSealsRow(tx, { orgId, version, seals })
  if (sum === undefined || sum < sealsPerKey) return
  if (!(await insertDataKey(tx, rootKeys, orgId, version + 1))) return
  recordMaintenanceEvent(tx, {
    orgId,
    actor: systemAuthor,
    action: 'dek.rotated',
    target: { type: 'data_key', id: null, name: null },
    detail: { fromVersion: version, toVersion: version + 1, seals: sum },
  })
}

async function insertDataKey(
  tx: Tx,
  rootKeys: readonly RootKey[],
  orgId: string,
  version: number,
): Promise<boolean> {
  const wrapped = await wrapUnderRootKey(tx, rootKeys, newDataKey(orgId, version))
  return insertDataKeyRow(tx, { orgId, version, ...wrapped })
}

import { setTimeout as delay } from 'node:timers/promises'
import { serverChain, type Author } from '../audit/audit-event.ts'
import { recordMaintenanceEvent } from '../audit/record-event.ts'
import { unwrapDataKey, wrapDataKey } from '../crypto/data-keys.ts'
import type { RootKey } from '../crypto/root-key.ts'
import type { Store, Tx } from '../store/store.ts'
import {
  countDataKeys,
  deleteRootKeyRow,
  insertActiveRootKeyRow,
  listRootKeyRows,
  lockDataKeyRows,
  retireRootKeyRow,
  rewrapDataKeyRows,
  walkDataKeyRows,
  type RootKeyRow,
} from './rows.ts'
import { rewrapPublisherKeys } from './publisher-keys.ts'
import { rewrapServerKeys } from './server-keys.ts'

export interface RotateRootKey {
  /** The key in force. */
  readonly from: RootKey
  /** The key that takes its place. Every node must have both before this begins. */
  readonly to: RootKey
  readonly actor: Author
  /** Called after each batch. */
  readonly onProgress?: (progress: RotationProgress) => void
  /** Default 500: a batch is one transaction of some milliseconds, so that writers hardly wait. */
  readonly batchSize?: number
}

export interface RotationProgress {
  readonly phase: 'wrapping' | 'verifying'
  readonly done: number
}

/**
 * Describes the outcome of a rotation.
 * - `rotated`: every data key opens with `to`, and `from` may be forgotten.
 * - `already_rotated`: an earlier run got to the end.
 * - `wrong_key`: `from` is not the key in force, or `to` not the one that a rotation began with; nothing was written.
 */
export type Rotation =
  | { readonly outcome: 'rotated'; readonly dataKeys: number }
  | { readonly outcome: 'already_rotated' | 'wrong_key' }

interface Deps {
  readonly store: Pick<Store, 'maintenance'>
}

/**
 * Replaces the root key while the service runs: re-wraps every data key, verifies all of them, retires the old key.
 * No value is sealed again. Killed at any point it leaves both keys valid, and a further call takes it from there.
 *
 * @throws {UnsealError} when a data key does not open. The old key is kept.
 */
export async function rotateRootKey(deps: Deps, rotation: RotateRootKey): Promise<Rotation> {
  const state = await deps.store.maintenance((tx) => beginRotation(tx, rotation))
  if (state !== 'open') return { outcome: state }
  for (;;) {
    await rewrapAll(deps, rotation)
    const dataKeys = await verifyAll(deps, rotation)
    // A node that had only the old key may have added an organization after the last batch.
    const finished = await deps.store.maintenance((tx) => finishRotation(tx, rotation, dataKeys))
    if (finished) return { outcome: 'rotated', dataKeys }
  }
}

type RotationState = 'open' | 'already_rotated' | 'wrong_key'

async function beginRotation(tx: Tx, { from, to, actor }: RotateRootKey): Promise<RotationState> {
  const rows = await listRootKeyRows(tx, 'update')
  const state = judgeRotation(rows, from, to)
  if (state !== 'new') return state
  await retireRootKeyRow(tx, from.id)
  await insertActiveRootKeyRow(tx, to.id)
  recordMaintenanceEvent(tx, {
    orgId: serverChain,
    actor,
    action: 'root_key.rotation_started',
    target: { type: 'root_key', id: from.id, name: null },
    detail: { toRootKeyId: to.id },
  })
  return 'open'
}

/** Judges a rotation from one key to another by the keys that the database knows. */
export function judgeRotation(
  rows: readonly RootKeyRow[],
  from: Pick<RootKey, 'id'>,
  to: Pick<RootKey, 'id'>,
): RotationState | 'new' {
  const stateOf = ({ id }: Pick<RootKey, 'id'>) => rows.find((row) => row.id === id)?.state
  if (from.id === to.id) return 'wrong_key'
  const alone = rows.length === 1
  if (stateOf(to) === 'active' && alone) return 'already_rotated'
  if (stateOf(to) === 'active') return stateOf(from) === undefined ? 'wrong_key' : 'open'
  return alone && stateOf(from) === 'active' ? 'new' : 'wrong_key'
}

async function rewrapAll(
  { store }: Deps,
  { from, to, onProgress, batchSize = 500 }: RotateRootKey,
): Promise<void> {
  for (let done = 0; ;) {
    const { wrapped, left } = await store.maintenance(async (tx) => {
      const rows = await lockDataKeyRows(tx, from.id, batchSize)
      const keys = rows.map((row) => ({
        orgId: row.orgId,
        version: row.version,
        wrapped: wrapDataKey(to, unwrapDataKey([from], row)),
      }))
      if (keys.length > 0) await rewrapDataKeyRows(tx, to.id, keys)
      return { wrapped: keys.length, left: await countDataKeys(tx, from.id) }
    })
    done += wrapped
    onProgress?.({ phase: 'wrapping', done })
    if (left === 0) return
    // The keys that are left are locked by another transaction, for a moment.
    if (wrapped === 0) await delay(20)
  }
}

/** Opens every data key with the new root key alone. */
async function verifyAll(
  { store }: Deps,
  { to, onProgress, batchSize = 500 }: RotateRootKey,
): Promise<number> {
  let after = { orgId: '', version: 0 }
  for (let done = 0; ;) {
    const rows = await store.maintenance((tx) => walkDataKeyRows(tx, after, batchSize))
    for (const row of rows) unwrapDataKey([to], row)
    done += rows.length
    onProgress?.({ phase: 'verifying', done })
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return done
    after = last
  }
}

async function finishRotation(
  tx: Tx,
  { from, to, actor }: RotateRootKey,
  dataKeys: number,
): Promise<boolean> {
  const rows = await listRootKeyRows(tx, 'update')
  if (!rows.some(({ id }) => id === from.id)) return true
  if ((await countDataKeys(tx, from.id)) > 0) return false
  // There is one at most, and with the root keys locked none is added.
  await rewrapServerKeys(tx, { from, to })
  await rewrapPublisherKeys(tx, { from, to })
  await deleteRootKeyRow(tx, from.id)
  recordMaintenanceEvent(tx, {
    orgId: serverChain,
    actor,
    action: 'root_key.rotation_finished',
    target: { type: 'root_key', id: to.id, name: null },
    detail: { fromRootKeyId: from.id, dataKeys },
  })
  return true
}

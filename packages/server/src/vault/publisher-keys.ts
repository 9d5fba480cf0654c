import { publisherKeyId, type SignedSnapshot } from '@signalbox/contract'
import { serverChain, systemAuthor, type AuditAction } from '../audit/audit-event.ts'
import { recordMaintenanceEvent } from '../audit/record-event.ts'
import { newDataKey, unwrapDataKey, wrapDataKey } from '../crypto/data-keys.ts'
import {
  createPublisherKey,
  renderSignatures,
  signSnapshot,
  signText,
  type PublisherKey,
} from '../crypto/publisher-key.ts'
import type { RootKey } from '../crypto/root-key.ts'
import type { Store, Tx } from '../store/store.ts'
import {
  beginEpoch,
  beginPublisherGeneration,
  findLastPublisherNumber,
  insertPublisherKeyRow,
  listPublisherKeyRows,
  lockPublisherKeyRows,
  readPublisherState,
  retireOlderPublisherKeyRows,
  rewrapPublisherKeyRows,
  type PublisherKeyRow,
} from './publisher-key-rows.ts'
import { unwrapOrRefuse, wrapUnderRootKey } from './wrapping.ts'

/** Signs the snapshots that this server publishes. */
export interface SnapshotSigner {
  /** Identifies the keys and the epoch. Snapshots that were signed in another generation are signed again. */
  readonly generation: number
  /** Returns the header of a snapshot, whose epoch is the one of the database. */
  sign(snapshot: Omit<SignedSnapshot, 'epoch'>, body: string): string
  readonly epoch: number
  /** Signs a text with each key: `dGhlIGtl=MEUCIQ…`, with a space between. */
  signText(text: string): string
}

/** Holds the keys that sign snapshots, in the memory of a node. */
export interface PublisherKeys {
  /** Returns the signer as of the last `refresh`. Takes no time, because every write calls it. */
  signer(): SnapshotSigner
  /** Reads the keys again, in `tx` where one is given, and makes the first one of a fresh database. */
  refresh(tx?: Tx): Promise<void>
}

interface Deps {
  readonly store: Pick<Store, 'maintenance'>
  readonly rootKeys: () => readonly RootKey[]
}

/** Replaces the organization where a private half is wrapped, so that it opens as nothing else. */
const wrappedAs = 'publisher'

/**
 * Opens the publisher keys. They are made by chance and wrapped by the root key, not derived from it: clients know their public
 * halves, and a rotation of the root key must not change those.
 *
 * @throws {Problem} `sealed` when this node lacks the root key.
 */
export async function openPublisherKeys({ store, rootKeys }: Deps): Promise<PublisherKeys> {
  const read = () => store.maintenance((tx) => readSigner(tx, rootKeys()))
  let signer = await read()
  return {
    signer: () => signer,
    async refresh(tx) {
      signer = tx === undefined ? await read() : await readSigner(tx, rootKeys())
    },
  }
}

async function readSigner(tx: Tx, rootKeys: readonly RootKey[]): Promise<SnapshotSigner> {
  let rows = await listPublisherKeyRows(tx)
  if (rows.length === 0) {
    await addKey(tx, rootKeys)
    // Another node may have stored its key first.
    rows = await listPublisherKeyRows(tx)
  }
  const { generation, epoch } = await readPublisherState(tx)
  const keys = rows.map((row) => openKey(rootKeys, row))
  return {
    generation,
    epoch,
    sign: (snapshot, body) => signSnapshot(keys, { ...snapshot, epoch }, body),
    signText: (text) => renderSignatures(signText(keys, text)),
  }
}

function openKey(rootKeys: readonly RootKey[], { number, wrapped }: PublisherKeyRow): PublisherKey {
  const { key } = unwrapOrRefuse(rootKeys, { orgId: wrappedAs, version: number, wrapped })
  return createPublisherKey(key.export())
}

async function addKey(tx: Tx, rootKeys: readonly RootKey[]): Promise<string> {
  const number = (await findLastPublisherNumber(tx)) + 1
  const seed = newDataKey(wrappedAs, number)
  const wrapped = await wrapUnderRootKey(tx, rootKeys, seed)
  const { publicKey } = createPublisherKey(seed.key.export())
  await insertPublisherKeyRow(tx, { number, publicKey, ...wrapped })
  return publicKey
}

/** Lists the public halves of the keys in force, the oldest first. */
export async function listPublicKeys({ store }: Pick<Deps, 'store'>): Promise<string[]> {
  const rows = await store.maintenance(listPublisherKeyRows)
  return rows.map(({ publicKey }) => publicKey)
}

/**
 * Adds a publisher key beside the one in force. From then on every snapshot has a signature by each, so that clients may
 * trust either. Changes nothing while there are two already.
 */
export async function addPublisherKey({ store, rootKeys }: Deps): Promise<'added' | 'has_two'> {
  return store.maintenance(async (tx) => {
    const rows = await listPublisherKeyRows(tx)
    if (rows.length > 1) return 'has_two'
    if (rows.length === 0) await addKey(tx, rootKeys())
    const publicKey = await addKey(tx, rootKeys())
    await beginPublisherGeneration(tx)
    record(tx, 'publisher_key.added', publicKey)
    return 'added'
  })
}

/** Retires the older of two publisher keys. Clients that know no other then refuse every snapshot. */
export async function retirePublisherKey(
  { store }: Pick<Deps, 'store'>,
  now: Date,
): Promise<readonly string[]> {
  return store.maintenance(async (tx) => {
    const retired = await retireOlderPublisherKeyRows(tx, now)
    if (retired.length > 0) await beginPublisherGeneration(tx)
    for (const publicKey of retired) record(tx, 'publisher_key.retired', publicKey)
    return retired
  })
}

/**
 * Begins another epoch, for a database that was restored to an earlier moment by other means than `import`, which does it by
 * itself. Clients that verify then take its older versions.
 *
 * @param least - an epoch that the new one must reach.
 */
export async function beginPublisherEpoch(
  { store }: Pick<Deps, 'store'>,
  now: Date,
  least?: number,
): Promise<number> {
  return store.maintenance(async (tx) => {
    await beginEpoch(tx, now, least)
    const { epoch } = await readPublisherState(tx)
    record(tx, 'publisher_key.epoch_begun', undefined)
    return epoch
  })
}

function record(tx: Tx, action: AuditAction, publicKey: string | undefined): void {
  const id = publicKey === undefined ? null : publisherKeyId(publicKey)
  const target = { type: 'publisher_key', id, name: null }
  recordMaintenanceEvent(tx, { orgId: serverChain, actor: systemAuthor, action, target })
}

/** Wraps the keys under `from` again under `to`, in the transaction that retires `from`. */
export async function rewrapPublisherKeys(
  tx: Tx,
  { from, to }: { readonly from: RootKey; readonly to: RootKey },
): Promise<void> {
  const rows = await lockPublisherKeyRows(tx, from.id)
  if (rows.length === 0) return
  const keys = rows.map(({ number, wrapped }) => {
    const stored = { orgId: wrappedAs, version: number, wrapped }
    return { number, wrapped: wrapDataKey(to, unwrapDataKey([from], stored)) }
  })
  await rewrapPublisherKeyRows(tx, to.id, keys)
}

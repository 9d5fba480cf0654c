import type { Tx } from '../store/store.ts'

/** Describes a stored publisher key, its private half wrapped by the root key. */
export interface PublisherKeyRow {
  readonly number: number
  readonly publicKey: string
  readonly wrapped: Buffer
}

/** Lists the publisher keys in force, the oldest first. */
export async function listPublisherKeyRows(tx: Tx): Promise<PublisherKeyRow[]> {
  return tx.query<PublisherKeyRow>({
    name: 'list-publisher-keys',
    text: `select number, public_key as "publicKey", wrapped from publisher_keys where retired_at is null order by number`,
    values: [],
  })
}

/** Stores a publisher key. A number that exists already is left alone. */
export async function insertPublisherKeyRow(
  tx: Tx,
  key: PublisherKeyRow & { readonly rootKeyId: string },
): Promise<void> {
  await tx.query({
    name: 'insert-publisher-key',
    text: `insert into publisher_keys (number, public_key, wrapped, root_key_id) values ($1, $2, $3, $4)
      on conflict do nothing`,
    values: [key.number, key.publicKey, key.wrapped, key.rootKeyId],
  })
}

/** Retires every key in force except the newest. Returns their public halves. */
export async function retireOlderPublisherKeyRows(tx: Tx, now: Date): Promise<string[]> {
  const rows = await tx.query<{ publicKey: string }>({
    name: 'retire-publisher-keys',
    text: `update publisher_keys set retired_at = $1
      where retired_at is null and number < (select max(number) from publisher_keys)
      returning public_key as "publicKey"`,
    values: [now],
  })
  return rows.map(({ publicKey }) => publicKey)
}

/** Returns the highest number that a publisher key has or had; 0 before the first. */
export async function findLastPublisherNumber(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ last: number | null }>({
    name: 'last-publisher-key',
    text: 'select max(number) as last from publisher_keys',
    values: [],
  })
  return row?.last ?? 0
}

/** Describes what signatures say besides the snapshot, and what tells that one is out of date. */
export interface PublisherState {
  readonly generation: number
  readonly epoch: number
}

/** Returns the state, and locks it where it is about to be changed. */
export async function readPublisherState(tx: Tx): Promise<PublisherState> {
  const [row] = await tx.query<PublisherState>({
    name: 'read-publisher-state',
    text: 'select generation, epoch from publisher_state',
    values: [],
  })
  if (row === undefined) throw new Error('The database has no row of publisher_state')
  return row
}

/** Begins another generation, after which every snapshot is signed again. */
export async function beginPublisherGeneration(tx: Tx): Promise<void> {
  await tx.query({
    name: 'begin-publisher-generation',
    text: 'update publisher_state set generation = generation + 1',
    values: [],
  })
}

/**
 * Begins another epoch and another generation. An epoch is at least the time in seconds, because a database that was restored
 * does not know how far the lost one had counted. For the same reason a trigger counts versions as lost.
 *
 * @param least - an epoch that the new one must reach, because somebody has seen the one before it.
 */
export async function beginEpoch(tx: Tx, now: Date, least = 0): Promise<void> {
  await tx.query({
    name: 'begin-epoch',
    text: 'update publisher_state set generation = generation + 1, epoch = greatest(epoch + 1, $1::bigint)',
    values: [Math.max(least, Math.floor(now.getTime() / 1000))],
  })
}

/** Locks the publisher keys under a root key. They stay locked until the transaction ends. */
export async function lockPublisherKeyRows(tx: Tx, rootKeyId: string): Promise<PublisherKeyRow[]> {
  return tx.query<PublisherKeyRow>({
    name: 'lock-publisher-keys',
    text: `select number, public_key as "publicKey", wrapped from publisher_keys where root_key_id = $1 for update`,
    values: [rootKeyId],
  })
}

/** Replaces the wrapped form of publisher keys, all in one statement. */
export async function rewrapPublisherKeyRows(
  tx: Tx,
  rootKeyId: string,
  keys: readonly Pick<PublisherKeyRow, 'number' | 'wrapped'>[],
): Promise<void> {
  await tx.query({
    name: 'rewrap-publisher-keys',
    text: `update publisher_keys set wrapped = given.wrapped, root_key_id = $1
      from unnest($2::integer[], $3::bytea[]) as given (number, wrapped)
      where publisher_keys.number = given.number`,
    values: [rootKeyId, keys.map(({ number }) => number), keys.map(({ wrapped }) => wrapped)],
  })
}

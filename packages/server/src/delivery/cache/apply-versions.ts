import { snapshotKeyOf, type SnapshotKey, type Published } from './published.ts'
import type { PublishedVersion } from './rows.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** Receives the rows of one audience: into memory, and onto the disk. */
export interface FeedTarget<Row extends Published, Item extends Published> {
  readonly snapshots: SnapshotStore<Item>
  readonly toItem: (row: Row) => Item
  /** Saves a row that was read to the disk. Called for older versions too. */
  readonly keep: (row: Row) => void
  /** Removes everything that is saved of a snapshot. */
  readonly drop: (snapshotKey: SnapshotKey) => void
  /** Removes the versions before `oldest` from the disk: they may show a value that became a secret. */
  readonly forgetBefore: (snapshotKey: SnapshotKey, oldest: number) => void
}

/** Lists the versions that a poll has seen, and fetches their rows. */
export interface VersionsToApply<Row> {
  readonly versions: readonly PublishedVersion[]
  /** Tells that `versions` has the latest version of every snapshot there is. */
  readonly whole: boolean
  readonly rowsOf: (versions: readonly PublishedVersion[]) => Promise<readonly Row[]>
}

/** Limits the rows of one query, so that it stays within the statement timeout. */
const rowsPerFetch = 50

/** Fetches the versions that the target lacks, and removes the snapshots that are gone. Repeats change nothing. */
export async function applyVersions<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  { versions, whole, rowsOf }: VersionsToApply<Row>,
): Promise<void> {
  const { snapshots } = target
  if (whole) dropAbsent(target, versions)
  for (const published of versions) if (published.gone) dropGone(target, published, whole)
  const missing = versions.filter((published) => {
    if (published.gone) return false
    const held = snapshots.find(snapshotKeyOf(published))
    if (held === undefined || held.version < published.version) return true
    // An older version counts only where it is the latest one: the database was restored.
    return (whole || held.version === published.version) && !isSame(held, published)
  })
  missing.sort((one, other) => one.version - other.version)
  for (let start = 0; start < missing.length; start += rowsPerFetch) {
    const rows = await rowsOf(missing.slice(start, start + rowsPerFetch))
    for (const row of latestOfEachSnapshot(rows)) {
      if (whole || isSignedAgain(snapshots, row)) replace(target, row)
      else snapshots.put(target.toItem(row))
    }
    for (const row of rows) target.keep(row)
  }
  for (const published of versions)
    if (!published.gone) target.forgetBefore(snapshotKeyOf(published), published.oldest)
}

function dropAbsent<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  versions: readonly PublishedVersion[],
): void {
  const present = new Set(versions.map(snapshotKeyOf))
  const absent = [...target.snapshots.list()]
    .map(snapshotKeyOf)
    .filter((snapshotKey) => !present.has(snapshotKey))
  for (const snapshotKey of absent) remove(target, snapshotKey)
}

function dropGone<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  published: PublishedVersion,
  whole: boolean,
): void {
  const snapshotKey = snapshotKeyOf(published)
  const held = target.snapshots.find(snapshotKey)
  const isNewest = held === undefined || whole || held.version < published.version
  if (!isNewest) return
  if (held !== undefined) remove(target, snapshotKey)
  const { orgId, schemaId, environmentId, ended } = published
  const environment = published.environment ?? ''
  if (ended !== null) target.snapshots.end({ orgId, schemaId, environmentId, environment, ended })
}

function remove<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  snapshotKey: SnapshotKey,
): void {
  target.snapshots.remove(snapshotKey)
  target.drop(snapshotKey)
}

/**
 * Stores the row even when it is older than the stored one. The database was restored then, and the versions since are
 * void.
 */
function replace<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  row: Row,
): void {
  const snapshotKey = snapshotKeyOf(row)
  const held = target.snapshots.find(snapshotKey)
  if (held !== undefined && held.version >= row.version) target.drop(snapshotKey)
  target.snapshots.replace(target.toItem(row))
}

/** Returns whether the snapshot is in memory in this version with another tag, which it has got by being signed again. */
function isSignedAgain<Item extends Published>(
  snapshots: SnapshotStore<Item>,
  row: Published,
): boolean {
  const held = snapshots.find(snapshotKeyOf(row))
  return held?.version === row.version && held.etag !== row.etag
}

function isSame(held: Published, published: PublishedVersion): boolean {
  return held.version === published.version && held.etag === published.etag
}

/** Returns the newest row of each snapshot: two writes within one poll are one change to listeners. */
function latestOfEachSnapshot<Row extends Published>(rows: readonly Row[]): Iterable<Row> {
  const latest = new Map<SnapshotKey, Row>()
  for (const row of rows) {
    const snapshotKey = snapshotKeyOf(row)
    const other = latest.get(snapshotKey)
    if (other === undefined || other.version < row.version) latest.set(snapshotKey, row)
  }
  return latest.values()
}

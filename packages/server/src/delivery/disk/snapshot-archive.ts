import type { SnapshotKey } from '../cache/published.ts'

/** Finds versions before the current one, which are not in memory. */
export interface SnapshotArchive<Row> {
  /** Returns the version, or `undefined` when it is on no disk and in no database. */
  find(snapshotKey: SnapshotKey, version: number): Promise<Row | undefined>
}

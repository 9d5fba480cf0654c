import type { PairKey } from '../cache/published.ts'

/** Versions before the current one, which are not held in memory. */
export interface SnapshotArchive<Row> {
  /** An older version, or `undefined` when nobody has it any more. */
  find(pair: PairKey, version: number): Promise<Row | undefined>
}

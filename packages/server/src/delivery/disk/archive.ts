import type { PairKey, Published } from '../cache/published.ts'
import type { WantedVersion } from '../cache/rows.ts'
import type { Shelf } from '../cache/shelf.ts'
import type { SnapshotArchive } from './snapshot-archive.ts'

const missesMax = 10_000

/**
 * Older versions: from the disk, and those this node has never had from the database, once each. Only the last twenty of
 * a pair are ever asked for, so no caller can make the database work.
 */
export function createArchive<Row extends Published>(
  shelf: Shelf<Published>,
  files: SnapshotArchive<Row> & { keep(row: Row): void },
  rowsOf: (wanted: readonly WantedVersion[]) => Promise<readonly Row[]>,
): SnapshotArchive<Row> {
  const misses = new Set<string>()
  const fetch = async (pair: PairKey, version: number): Promise<Row | undefined> => {
    const name = `${pair}/${version}`
    const current = shelf.find(pair)
    if (current === undefined || misses.has(name)) return undefined
    const rows = await rowsOf([{ ...current, version }]).catch(() => undefined)
    const row = rows?.[0]
    if (row !== undefined) {
      files.keep(row)
      return row
    }
    if (misses.size >= missesMax) misses.clear()
    // Without a database nobody knows whether it is missing.
    if (rows !== undefined) misses.add(name)
    return undefined
  }
  return {
    find: async (pair, version) => (await files.find(pair, version)) ?? fetch(pair, version),
  }
}

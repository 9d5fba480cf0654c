import { snapshotKeyOf, type Published, type SnapshotKey } from '../cache/published.ts'
import type { DiskCache } from './disk-cache.ts'
import type { SnapshotFiles } from './snapshot-files.ts'

/**
 * Wraps a disk cache for a process that leaves the writing to another process of its node. It reads the disk, and answers at
 * once as if it had written.
 */
export function createReadOnlyCache(cache: DiskCache): DiskCache {
  return {
    load: () => cache.load(),
    browser: createReadOnlyFiles(cache.browser),
    server: createReadOnlyFiles(cache.server),
    saveKeyCache() {},
    saveDataKeys() {},
    savePublicKeys() {},
    saveMark() {},
    saveAsOf: () => Promise.resolve(),
    flush: () => Promise.resolve(),
  }
}

/** Holds so many rows that may not be on the disk yet, so that an old version is fetched once from the database. */
const recentMax = 100

function createReadOnlyFiles<Row extends Published>(files: SnapshotFiles<Row>): SnapshotFiles<Row> {
  const recent = new Map<string, Row>()
  /** Hides versions before these, which the writer may not have removed yet. */
  const oldest = new Map<SnapshotKey, number>()
  const isForgotten = (snapshotKey: SnapshotKey, version: number) =>
    version < (oldest.get(snapshotKey) ?? 0)
  const forgetBefore = (snapshotKey: SnapshotKey, version: number) => {
    // Said of every snapshot, again and again.
    if (version <= (oldest.get(snapshotKey) ?? 0)) return
    oldest.set(snapshotKey, version)
    for (const [name, row] of recent) {
      if (snapshotKeyOf(row) === snapshotKey && row.version < version) recent.delete(name)
    }
  }
  return {
    load: () => files.load(),
    async find(snapshotKey, version) {
      if (isForgotten(snapshotKey, version)) return undefined
      return recent.get(`${snapshotKey}/${version}`) ?? files.find(snapshotKey, version)
    },
    keep(row) {
      const snapshotKey = snapshotKeyOf(row)
      // A snapshot that was gone begins again with this version.
      if (oldest.get(snapshotKey) === Number.POSITIVE_INFINITY) oldest.set(snapshotKey, row.version)
      recent.set(`${snapshotKey}/${row.version}`, row)
      if (recent.size <= recentMax) return
      const [first] = recent.keys()
      if (first !== undefined) recent.delete(first)
    },
    drop: (snapshotKey) => forgetBefore(snapshotKey, Number.POSITIVE_INFINITY),
    forgetBefore,
  }
}

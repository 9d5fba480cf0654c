import { setTimeout as delay } from 'node:timers/promises'
import type { Signed } from '../../replica/signed.ts'
import { snapshotKeyOf, type Published, type SnapshotKey } from '../cache/published.ts'
import type { DiskCache } from './disk-cache.ts'
import type { SnapshotFiles } from './snapshot-files.ts'

/** Reads so often whether the writing process has written. */
const pollMs = 5
/** Limits that wait: the process may have ended, or cannot write. */
const defaultWaitMs = 1_000

/**
 * Wraps a disk cache for a process that leaves the writing to another process of its node. It reads the disk, and answers at
 * once as if it had written. What a node without a database is about to serve it waits for, up to `waitMs`.
 */
export function createReadOnlyCache(cache: DiskCache, waitMs = defaultWaitMs): DiskCache {
  return {
    load: () => cache.load(),
    browser: createReadOnlyFiles(cache.browser),
    server: createReadOnlyFiles(cache.server),
    saveKeyCache() {},
    saveDataKeys() {},
    savePublicKeys() {},
    saveMark() {},
    writeAhead: createWriterWait(cache, waitMs),
    hasWritten: (mark) => cache.hasWritten(mark),
    saveAsOf: () => Promise.resolve(),
    flush: () => Promise.resolve(),
    hasFailed: () => false,
  }
}

/** Creates what waits until the writing process has what this one is about to serve. One that is behind already is not waited for. */
function createWriterWait(
  cache: Pick<DiskCache, 'hasWritten'>,
  waitMs: number,
): DiskCache['writeAhead'] {
  let awaited: Signed | undefined
  return async ({ mark }) => {
    const mayWait = awaited === undefined || (await cache.hasWritten(awaited))
    awaited = mark
    const deadlineMs = performance.now() + (mayWait ? waitMs : 0)
    while (!(await cache.hasWritten(mark)) && performance.now() < deadlineMs) await delay(pollMs)
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
    keepsBefore: (snapshotKey, version) => files.keepsBefore(snapshotKey, version),
  }
}

import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { WrappedDataKey } from '../../crypto/data-keys.ts'
import type { Log } from '../../telemetry/log.ts'
import type { BrowserRow } from '../browser/browser-item.ts'
import { createSaveBatcher, type SaveBatcher } from './save-batcher.ts'
import {
  asOfFormat,
  browserFormat,
  dataKeysFormat,
  markFormat,
  publicKeysFormat,
  serverFormat,
} from '../cache/saved-rows.ts'
import type { Signed } from '../../replica/signed.ts'
import type { ServerRow } from '../server/server-item.ts'
import { limitWait } from './limit-wait.ts'
import { createJournal, type Journal } from './journal.ts'
import type { ReplicaChange } from './journal-page.ts'
import { createSnapshotFiles, type SnapshotFiles } from './snapshot-files.ts'
import { readWholeFile, writeWholeFile } from '../../store/whole-file.ts'

/** Holds everything a node had saved when it stopped. */
export interface SavedDelivery {
  readonly browser: readonly BrowserRow[]
  readonly server: readonly ServerRow[]
  readonly dataKeys: readonly WrappedDataKey[]
  /** Lists the public halves of the keys that sign snapshots. */
  readonly publicKeys: readonly string[]
  /** Holds the cache of API keys as `saveKeyCache` received it; `undefined` when there is none. */
  readonly keyCache: unknown
  /** Holds when all of it was last known to equal the database; `undefined` if unknown. */
  readonly asOf: Date | undefined
  /** Holds the newest mark that a relay believed. */
  readonly mark: Signed | undefined
  /** Lists the changes that the files may lack, the oldest first. */
  readonly journal: readonly ReplicaChange[]
}

/**
 * Saves everything a node needs to serve without a database, in `<dataDir>/delivery/`: snapshots with their secrets
 * sealed, hashes of keys, wrapped data keys, public keys. Nothing in it can be opened without the root key.
 */
export interface DiskCache {
  load(): Promise<SavedDelivery>
  readonly browser: SnapshotFiles<BrowserRow>
  readonly server: SnapshotFiles<ServerRow>
  /** Saves soon, and at most once a second. `rows` is called when the file is written. */
  saveKeyCache(rows: () => unknown): void
  saveDataKeys(keys: () => readonly WrappedDataKey[]): void
  savePublicKeys(keys: readonly string[]): void
  saveMark(mark: Signed): void
  /**
   * Writes a change of a node without a database. It is on the disk when the promise resolves, so that a node that crashes after it
   * has served it begins with it. Never rejects: where the disk cannot be written, the node serves all the same.
   */
  writeAhead(change: ReplicaChange): Promise<void>
  /** Returns whether a process of this node has written what a mark names. */
  hasWritten(mark: Signed): Promise<boolean>
  /**
   * Saves everything pending and then `asOf`, the moment it was read at. Skips `asOf` when a file could not be written.
   * Rejects when `asOf` itself cannot be written.
   */
  saveAsOf(asOf: Date): Promise<void>
  /** Resolves when everything pending is on the disk. */
  flush(): Promise<void>
  /** Returns whether something could not be written and has not been written since. */
  hasFailed(): boolean
}

/** Describes where the cache is and where its errors are reported. */
export interface DiskCacheOptions {
  readonly dataDir: string
  readonly log: Log
}

// The file has an older name, under which running nodes find it after an upgrade.
const keyCacheName = 'key-ring.json'
const dataKeysName = 'data-keys.json'
const publicKeysName = 'public-keys.json'
const asOfName = 'as-of.json'
const markName = 'mark.json'

/** Limits the journal where a file cannot be written, and the changes therefore stay in it. */
const journalPagesMax = 1_000

/** Creates the cache without touching the disk; `load()` creates the directory. */
export function createDiskCache({ dataDir, log }: DiskCacheOptions): DiskCache {
  const directory = join(dataDir, 'delivery')
  const journal = createJournal({ root: directory, log })
  const batcher = createJournaledBatcher(journal, log)
  const shared = { root: directory, batcher, log }
  const browser = createSnapshotFiles({ ...shared, audience: 'browser', format: browserFormat })
  const server = createSnapshotFiles({ ...shared, audience: 'server', format: serverFormat })

  const loadFile = createFileLoader({ directory, log })
  const saveFile = (name: string, render: () => string) =>
    batcher.schedule(name, () => writeWholeFile(directory, name, render()))
  return {
    browser,
    server,
    async load() {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await chmod(directory, 0o700)
      const [browserRows, serverRows, dataKeys, publicKeys, savedKeyCache, asOf, mark, changes] =
        await Promise.all([
          browser.load(),
          server.load(),
          loadFile(dataKeysName, (text) => dataKeysFormat.parse(text)),
          loadFile(publicKeysName, (text) => publicKeysFormat.parse(text)),
          loadFile<unknown>(keyCacheName, JSON.parse),
          loadFile(asOfName, (text) => asOfFormat.parse(text)),
          loadFile(markName, (text) => markFormat.parse(text)),
          journal.load(),
        ])
      return {
        browser: browserRows,
        server: serverRows,
        dataKeys: dataKeys ?? [],
        publicKeys: publicKeys ?? [],
        keyCache: savedKeyCache,
        asOf,
        mark,
        journal: changes,
      }
    },
    saveKeyCache: (rows) => saveFile(keyCacheName, () => JSON.stringify(rows())),
    saveDataKeys: (keys) => saveFile(dataKeysName, () => dataKeysFormat.render(keys())),
    savePublicKeys: (keys) => saveFile(publicKeysName, () => publicKeysFormat.render(keys)),
    saveMark: (mark) => saveFile(markName, () => markFormat.render(mark)),
    writeAhead: limitWait((change) => batcher.saveNow('journal', () => journal.append(change))),
    hasWritten: (mark) => journal.reaches(mark),
    async saveAsOf(asOf) {
      await batcher.flush()
      if (batcher.hasFailed()) return
      saveFile(asOfName, () => asOfFormat.render(asOf))
      await batcher.flush()
    },
    flush: () => batcher.flush(),
    hasFailed: () => batcher.hasFailed(),
  }
}

/** Creates a batcher that removes from the journal what the files have. */
function createJournaledBatcher(journal: Journal, log: Log): SaveBatcher {
  return createSaveBatcher({
    log,
    onBatch() {
      const page = journal.lastPage()
      return async (isComplete) => {
        if (!isComplete && journal.size() <= journalPagesMax) return
        // Tried again after the next batch.
        await journal.removeUpTo(page).catch(() => undefined)
      }
    },
  })
}

/** Creates what reads a file of the cache. A damaged one is reported and skipped. */
function createFileLoader({ directory, log }: { readonly directory: string; readonly log: Log }) {
  return async <T>(name: string, parse: (text: string) => T): Promise<T | undefined> => {
    const path = join(directory, name)
    const file = await readWholeFile(path)
    if (file.outcome === 'absent') return undefined
    try {
      if (file.outcome === 'whole') return parse(file.text)
    } catch {
      // Reported below.
    }
    log.warn('Skipped a damaged file in the disk cache', { path })
    return undefined
  }
}

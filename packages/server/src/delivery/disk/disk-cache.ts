import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { WrappedDataKey } from '../../crypto/data-keys.ts'
import type { Log } from '../../telemetry/log.ts'
import type { BrowserRow } from '../browser/browser-item.ts'
import { createSaveRounds } from './save-rounds.ts'
import { asOfFormat, browserFormat, dataKeysFormat, serverFormat } from '../cache/saved-rows.ts'
import type { ServerRow } from '../server/server-item.ts'
import { createSnapshotFiles, type SnapshotFiles } from './snapshot-files.ts'
import { readWholeFile, writeWholeFile } from '../../store/whole-file.ts'

/** What a node had when it stopped. */
export interface SavedDelivery {
  readonly browser: readonly BrowserRow[]
  readonly server: readonly ServerRow[]
  readonly dataKeys: readonly WrappedDataKey[]
  /** What `saveRing` was given; `undefined` when there is none. */
  readonly ring: unknown
  /** When all of it was last known to equal the database; `undefined` when nobody knows. */
  readonly asOf: Date | undefined
}

/**
 * Everything a node needs to serve without a database, in `<dataDir>/delivery/`: snapshots with their secrets sealed,
 * hashes of keys, wrapped data keys, public keys. Without the root key nothing in it can be opened.
 */
export interface DiskCache {
  load(): Promise<SavedDelivery>
  readonly browser: SnapshotFiles<BrowserRow>
  readonly server: SnapshotFiles<ServerRow>
  /** Saves soon, and at most once a second: `rows` is called when it is time. */
  saveRing(rows: () => unknown): void
  saveDataKeys(keys: () => readonly WrappedDataKey[]): void
  /**
   * Saves everything that was asked for and then `asOf`, the moment that it was read at. Not when a part could not be
   * saved. Rejects when the moment cannot be.
   */
  saveAsOf(asOf: Date): Promise<void>
  /** Resolves when everything that was asked for is on the disk. */
  flush(): Promise<void>
}

export interface DiskCacheOptions {
  readonly dataDir: string
  readonly log: Log
}

const ringName = 'key-ring.json'
const dataKeysName = 'data-keys.json'
const asOfName = 'as-of.json'

export function createDiskCache({ dataDir, log }: DiskCacheOptions): DiskCache {
  const directory = join(dataDir, 'delivery')
  const rounds = createSaveRounds({ log })
  const shared = { root: directory, rounds, log }
  const browser = createSnapshotFiles({ ...shared, audience: 'browser', format: browserFormat })
  const server = createSnapshotFiles({ ...shared, audience: 'server', format: serverFormat })

  const loadFile = async <T>(name: string, parse: (text: string) => T): Promise<T | undefined> => {
    const path = join(directory, name)
    const file = await readWholeFile(path)
    if (file.outcome === 'absent') return undefined
    try {
      if (file.outcome === 'whole') return parse(file.text)
    } catch {
      // Reported below.
    }
    log.warn('A file of the disk cache is damaged and was passed over', { path })
    return undefined
  }
  const saveFile = (name: string, render: () => string) =>
    rounds.ask(name, () => writeWholeFile(directory, name, render()))
  return {
    browser,
    server,
    async load() {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await chmod(directory, 0o700)
      const [browserRows, serverRows, dataKeys, savedRing, asOf] = await Promise.all([
        browser.load(),
        server.load(),
        loadFile(dataKeysName, (text) => dataKeysFormat.parse(text)),
        loadFile<unknown>(ringName, JSON.parse),
        loadFile(asOfName, (text) => asOfFormat.parse(text)),
      ])
      return {
        browser: browserRows,
        server: serverRows,
        dataKeys: dataKeys ?? [],
        ring: savedRing,
        asOf,
      }
    },
    saveRing: (rows) => saveFile(ringName, () => JSON.stringify(rows())),
    saveDataKeys: (keys) => saveFile(dataKeysName, () => dataKeysFormat.render(keys())),
    async saveAsOf(asOf) {
      await rounds.flush()
      if (rounds.hasFailed()) return
      await writeWholeFile(directory, asOfName, asOfFormat.render(asOf))
    },
    flush: () => rounds.flush(),
  }
}

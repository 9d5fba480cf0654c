import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { WrappedDataKey } from '../crypto/data-keys.ts'
import type { Log } from '../telemetry/log.ts'
import type { BrowserRow } from './browser/browser-item.ts'
import { browserFormat, dataKeysFormat, serverFormat } from './saved-rows.ts'
import type { ServerRow } from './server/server-item.ts'
import { createSnapshotFiles, type SnapshotFiles } from './snapshot-files.ts'
import { readWholeFile } from './whole-file.ts'
import { createWriteQueue } from './write-queue.ts'

/** What a node had when it stopped. */
export interface SavedDelivery {
  readonly browser: readonly BrowserRow[]
  readonly server: readonly ServerRow[]
  readonly dataKeys: readonly WrappedDataKey[]
  /** What `saveRing` was given; `undefined` when there is none. */
  readonly ring: unknown
}

/**
 * Everything a node needs to serve without a database, in `<dataDir>/delivery/`: snapshots with their secrets sealed,
 * hashes of keys, wrapped data keys, public keys. Without the root key nothing in it can be opened.
 */
export interface DiskCache {
  load(): Promise<SavedDelivery>
  readonly browser: SnapshotFiles<BrowserRow>
  readonly server: SnapshotFiles<ServerRow>
  /** Saves soon, and at most every few seconds: `rows` is called when it is time. */
  saveRing(rows: () => unknown): void
  saveDataKeys(keys: () => readonly WrappedDataKey[]): void
  /** Resolves when everything that was asked for is on the disk. */
  flush(): Promise<void>
}

export interface DiskCacheOptions {
  readonly dataDir: string
  readonly log: Log
  /** Least time between two saves of the key ring, which is written as a whole. Default 2,000. */
  readonly ringSaveMs?: number
}

export function createDiskCache({ dataDir, log, ringSaveMs = 2_000 }: DiskCacheOptions): DiskCache {
  const directory = join(dataDir, 'delivery')
  const queue = createWriteQueue(log)
  const browser = createSnapshotFiles({
    directory: join(directory, 'browser'),
    format: browserFormat,
    queue,
    log,
  })
  const server = createSnapshotFiles({
    directory: join(directory, 'server'),
    format: serverFormat,
    queue,
    log,
  })
  const ringPath = join(directory, 'key-ring.json')
  const dataKeysPath = join(directory, 'data-keys.json')

  const loadFile = async <T>(path: string, parse: (text: string) => T): Promise<T | undefined> => {
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
  const ring = createThrottle(ringSaveMs, (rows: () => unknown) =>
    queue.write(ringPath, () => JSON.stringify(rows())),
  )
  return {
    browser,
    server,
    async load() {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await chmod(directory, 0o700)
      const [browserRows, serverRows, dataKeys, savedRing] = await Promise.all([
        browser.load(),
        server.load(),
        loadFile(dataKeysPath, (text) => dataKeysFormat.parse(text)),
        loadFile<unknown>(ringPath, JSON.parse),
      ])
      return {
        browser: browserRows,
        server: serverRows,
        dataKeys: dataKeys ?? [],
        ring: savedRing,
      }
    },
    saveRing: (rows) => ring.ask(rows),
    saveDataKeys: (keys) => queue.write(dataKeysPath, () => dataKeysFormat.render(keys())),
    flush() {
      ring.finish()
      return queue.flush()
    },
  }
}

/** Does work at once, and then at most once per `pauseMs` with what was asked for last. */
function createThrottle<T>(pauseMs: number, work: (asked: T) => void) {
  let timer: NodeJS.Timeout | undefined
  let waiting: { readonly asked: T } | undefined
  const doWaiting = () => {
    timer = undefined
    if (waiting === undefined) return
    const { asked } = waiting
    waiting = undefined
    timer = setTimeout(doWaiting, pauseMs).unref()
    work(asked)
  }
  return {
    ask(asked: T) {
      waiting = { asked }
      if (timer === undefined) doWaiting()
    },
    /** Does what is waiting without waiting. */
    finish() {
      clearTimeout(timer)
      doWaiting()
      clearTimeout(timer)
      timer = undefined
    },
  }
}

import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@signalbox/contract'
import type { Log } from '../telemetry/log.ts'
import { pairKeyOf, type PairKey, type Published } from './published.ts'
import type { RowFormat } from './saved-rows.ts'
import type { SnapshotArchive } from './snapshot-archive.ts'
import { readWholeFile, removeWhole } from './whole-file.ts'
import type { WriteQueue } from './write-queue.ts'

/** The snapshots of one audience on disk: a directory for each pair, a file for each of its last versions. */
export interface SnapshotFiles<Row> extends SnapshotArchive<Row> {
  /** The latest readable version of every pair. Damaged files are reported, removed and passed over. */
  load(): Promise<Row[]>
  /** Writes a version soon, and removes those that are too old. */
  keep(row: Row): void
  /** Removes all versions of a pair. */
  drop(pair: PairKey): void
  /** Removes the versions of a pair before `oldest`. */
  forgetBefore(pair: PairKey, oldest: number): void
}

export interface SnapshotFilesDeps<Row> {
  readonly directory: string
  readonly format: RowFormat<Row>
  readonly queue: WriteQueue
  readonly log: Log
}

const pairPattern = /^sch_[0-9a-z]+\/env_[0-9a-z]+$/
const versionPattern = /^(\d{1,10})\.json$/
const loadedAtOnce = 32

export function createSnapshotFiles<Row extends Published>(
  deps: SnapshotFilesDeps<Row>,
): SnapshotFiles<Row> {
  const { directory, format, queue, log } = deps
  const directoryOf = (pair: PairKey) => {
    if (!pairPattern.test(pair)) throw new Error('A pair is not made of ids')
    return join(directory, pair)
  }
  const fileOf = (pair: PairKey, version: number) => join(directoryOf(pair), `${version}.json`)

  const read = async (pair: PairKey, version: number): Promise<Row | undefined> => {
    const path = fileOf(pair, version)
    const file = await readWholeFile(path)
    if (file.outcome === 'absent') return undefined
    const row = file.outcome === 'whole' ? parseRow(format, file.text) : undefined
    if (row?.version === version && pairKeyOf(row) === pair) return row
    log.warn('A snapshot on disk is damaged and was removed; it is read from the database again', {
      path,
      version,
    })
    await removeWhole(path)
    return undefined
  }
  const loadPair = async (pair: PairKey): Promise<Row | undefined> => {
    const versions = await listVersions(directoryOf(pair))
    for (const outdated of versions.slice(limits.snapshotVersionsKept)) {
      await removeWhole(fileOf(pair, outdated))
    }
    for (const version of versions) {
      const row = await read(pair, version)
      if (row !== undefined) return row
    }
    return undefined
  }

  return {
    find: (pair, version) =>
      pairPattern.test(pair) ? read(pair, version) : Promise.resolve(undefined),
    async load() {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const pairs = await listPairs(directory)
      const rows: Row[] = []
      for (let start = 0; start < pairs.length; start += loadedAtOnce) {
        const found = await Promise.all(pairs.slice(start, start + loadedAtOnce).map(loadPair))
        rows.push(...found.filter((row) => row !== undefined))
      }
      return rows
    },
    keep(row) {
      const pair = pairKeyOf(row)
      queue.write(fileOf(pair, row.version), () => format.render(row))
      const outdated = row.version - limits.snapshotVersionsKept
      if (outdated > 0) queue.remove(fileOf(pair, outdated))
    },
    drop: (pair) => queue.remove(directoryOf(pair)),
    forgetBefore(pair, oldest) {
      // Older ones than these were removed when they had their turn.
      const first = Math.max(1, oldest - limits.snapshotVersionsKept)
      for (let version = first; version < oldest; version++) queue.remove(fileOf(pair, version))
    },
  }
}

function parseRow<Row>(format: RowFormat<Row>, text: string): Row | undefined {
  try {
    return format.parse(text)
  } catch {
    return undefined
  }
}

async function listPairs(directory: string): Promise<PairKey[]> {
  const pairs: PairKey[] = []
  for (const schemaId of await readdir(directory)) {
    for (const environmentId of await readdir(join(directory, schemaId)).catch(() => [])) {
      const pair: PairKey = `${schemaId}/${environmentId}`
      if (pairPattern.test(pair)) pairs.push(pair)
    }
  }
  return pairs
}

/** Newest first. */
async function listVersions(directory: string): Promise<number[]> {
  const versions = (await readdir(directory)).flatMap((name) => {
    const version = versionPattern.exec(name)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
  return versions.sort((one, other) => other - one)
}

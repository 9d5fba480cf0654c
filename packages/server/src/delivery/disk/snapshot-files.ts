import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@signalbox/contract'
import type { Log } from '../../telemetry/log.ts'
import type { FileChanges } from './file-changes.ts'
import { createPendingChanges } from './pending-changes.ts'
import { snapshotKeyOf, type SnapshotKey, type Published } from '../cache/published.ts'
import type { SaveBatcher } from './save-batcher.ts'
import type { RowFormat } from '../cache/saved-rows.ts'
import type { VersionStore } from './version-store.ts'
import {
  readWholeFile,
  removeDirectoryForGood,
  removeWhole,
  writeWholeFile,
} from '../../store/whole-file.ts'

/**
 * Stores the snapshots of one audience on disk: a directory for each snapshot, a file for each of its last versions.
 */
export interface SnapshotFiles<Row> extends VersionStore<Row> {
  /** Returns the latest readable version of every snapshot. Damaged files are reported and removed. */
  load(): Promise<Row[]>
  /** Writes a version soon, unless a newer one arrives first, and removes versions beyond the retention. */
  keep(row: Row): void
  /** Removes all versions of a snapshot. */
  drop(snapshotKey: SnapshotKey): void
  /** Removes the versions of a snapshot before `oldest`. */
  forgetBefore(snapshotKey: SnapshotKey, oldest: number): void
  /** Returns whether versions before `oldest` may be on the disk. */
  keepsBefore(snapshotKey: SnapshotKey, oldest: number): boolean
}

/** Describes where the files are and how they are written. */
export interface SnapshotFilesDeps<Row> {
  /** Names the directory of the disk cache. */
  readonly root: string
  /** Names the audience, and its directory below `root`. */
  readonly audience: 'browser' | 'server'
  readonly format: RowFormat<Row>
  readonly batcher: SaveBatcher
  readonly log: Log
}

const snapshotKeyPattern = /^sch_[0-9a-z]+\/env_[0-9a-z]+$/
const versionPattern = /^(\d{1,10})\.json$/
const loadedAtOnce = 32

/** Creates the store of one audience; `load()` creates its directory. */
export function createSnapshotFiles<Row extends Published>(
  deps: SnapshotFilesDeps<Row>,
): SnapshotFiles<Row> {
  const { root, audience, batcher } = deps
  const directory = join(root, audience)
  const directoryOf = (snapshotKey: SnapshotKey) => {
    if (!snapshotKeyPattern.test(snapshotKey)) throw new Error('A snapshot key is not made of ids')
    return join(directory, snapshotKey)
  }
  const pending = createPendingChanges<Row>({
    batcher,
    nameOf: directoryOf,
    save: (snapshotKey, changes) => saveChanges(deps, snapshotKey, changes),
  })
  /** Holds the oldest version on disk, so that a repeated `forgetBefore` costs nothing. */
  const firstKept = new Map<SnapshotKey, number>()
  const loadLatest = async (snapshotKey: SnapshotKey): Promise<Row | undefined> => {
    const versions = await listKeptVersions(directoryOf(snapshotKey))
    firstKept.set(snapshotKey, versions.at(-1) ?? 0)
    for (const version of versions) {
      const row = await readVersion(deps, snapshotKey, version)
      if (row !== undefined) return row
    }
    return undefined
  }

  return {
    async find(snapshotKey, version) {
      if (!snapshotKeyPattern.test(snapshotKey)) return undefined
      const row = pending.find(snapshotKey, version)
      if (row !== undefined) return row === 'removed' ? undefined : row
      return readVersion(deps, snapshotKey, version)
    },
    async load() {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const snapshotKeys = await listSnapshotKeys(directory)
      const rows: Row[] = []
      for (let start = 0; start < snapshotKeys.length; start += loadedAtOnce) {
        const loaded = await Promise.all(
          snapshotKeys.slice(start, start + loadedAtOnce).map(loadLatest),
        )
        rows.push(...loaded.filter((row) => row !== undefined))
      }
      return rows
    },
    keep(row) {
      const snapshotKey = snapshotKeyOf(row)
      pending.of(snapshotKey).keep(row)
      firstKept.set(snapshotKey, Math.min(row.version, firstKept.get(snapshotKey) ?? row.version))
    },
    drop(snapshotKey) {
      pending.of(snapshotKey).removeAll()
      firstKept.delete(snapshotKey)
    },
    keepsBefore: (snapshotKey, oldest) => isBefore(firstKept.get(snapshotKey), oldest),
    forgetBefore(snapshotKey, oldest) {
      if (!isBefore(firstKept.get(snapshotKey), oldest)) return
      pending.of(snapshotKey).removeBefore(oldest)
      firstKept.set(snapshotKey, oldest)
    },
  }
}

function isBefore(first: number | undefined, oldest: number): boolean {
  return first !== undefined && first < oldest
}

async function readVersion<Row extends Published>(
  { root, audience, format, log }: SnapshotFilesDeps<Row>,
  snapshotKey: SnapshotKey,
  version: number,
): Promise<Row | undefined> {
  const path = join(root, audience, snapshotKey, nameOf(version))
  const file = await readWholeFile(path)
  if (file.outcome === 'absent') return undefined
  const row = file.outcome === 'whole' ? parseRow(format, file.text) : undefined
  if (row?.version === version && snapshotKeyOf(row) === snapshotKey) return row
  log.warn('Removed a damaged snapshot from the disk cache; it is read from the database again', {
    path,
    version,
  })
  await removeWhole(path)
  return undefined
}

async function saveChanges<Row extends Published>(
  { root, audience, format }: SnapshotFilesDeps<Row>,
  snapshotKey: SnapshotKey,
  changes: FileChanges<Row>,
): Promise<void> {
  const directory = join(root, audience, snapshotKey)
  if (changes.isEmptied()) await removeDirectoryForGood(directory)
  const row = changes.row()
  if (row !== undefined)
    await writeWholeFile(
      root,
      `${audience}/${snapshotKey}/${nameOf(row.version)}`,
      format.render(row),
    )
  const oldest = changes.oldest()
  if (oldest === 0) return
  for (const version of await listVersions(directory)) {
    if (version < oldest) await removeWhole(join(directory, nameOf(version)))
  }
}

function nameOf(version: number): string {
  return `${version}.json`
}

function parseRow<Row>(format: RowFormat<Row>, text: string): Row | undefined {
  try {
    return format.parse(text)
  } catch {
    return undefined
  }
}

async function listSnapshotKeys(directory: string): Promise<SnapshotKey[]> {
  const snapshotKeys: SnapshotKey[] = []
  for (const schemaId of await readdir(directory)) {
    for (const environmentId of await readdir(join(directory, schemaId)).catch(() => [])) {
      const snapshotKey: SnapshotKey = `${schemaId}/${environmentId}`
      if (snapshotKeyPattern.test(snapshotKey)) snapshotKeys.push(snapshotKey)
    }
  }
  return snapshotKeys
}

/** Lists the retained versions, newest first, and removes older ones. */
async function listKeptVersions(directory: string): Promise<number[]> {
  const versions = await listVersions(directory)
  for (const outdated of versions.splice(limits.snapshotVersionsKept)) {
    await removeWhole(join(directory, nameOf(outdated)))
  }
  return versions
}

/** Lists the versions on disk, newest first. */
async function listVersions(directory: string): Promise<number[]> {
  const versions = (await readdir(directory)).flatMap((name) => {
    const version = versionPattern.exec(name)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
  return versions.sort((one, other) => other - one)
}

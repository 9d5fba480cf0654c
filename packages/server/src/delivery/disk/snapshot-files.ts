import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@signalbox/contract'
import type { Log } from '../../telemetry/log.ts'
import type { PairChanges } from './pair-changes.ts'
import { createPendingChanges } from './pending-changes.ts'
import { pairKeyOf, type PairKey, type Published } from '../cache/published.ts'
import type { SaveRounds } from './save-rounds.ts'
import type { RowFormat } from '../cache/saved-rows.ts'
import type { SnapshotArchive } from './snapshot-archive.ts'
import { readWholeFile, removeWhole, writeWholeFile } from '../../store/whole-file.ts'

/** The snapshots of one audience on disk: a directory for each pair, a file for each of its last versions. */
export interface SnapshotFiles<Row> extends SnapshotArchive<Row> {
  /** The latest readable version of every pair. Damaged files are reported, removed and passed over. */
  load(): Promise<Row[]>
  /** Writes a version soon, unless a newer one comes before that, and removes those that are too old. */
  keep(row: Row): void
  /** Removes all versions of a pair. */
  drop(pair: PairKey): void
  /** Removes the versions of a pair before `oldest`. */
  forgetBefore(pair: PairKey, oldest: number): void
}

export interface SnapshotFilesDeps<Row> {
  /** The directory of the disk cache. */
  readonly root: string
  /** Whose snapshots they are: the name of their directory in it. */
  readonly audience: 'browser' | 'server'
  readonly format: RowFormat<Row>
  readonly rounds: SaveRounds
  readonly log: Log
}

const pairPattern = /^sch_[0-9a-z]+\/env_[0-9a-z]+$/
const versionPattern = /^(\d{1,10})\.json$/
const loadedAtOnce = 32

export function createSnapshotFiles<Row extends Published>(
  deps: SnapshotFilesDeps<Row>,
): SnapshotFiles<Row> {
  const { root, audience, rounds } = deps
  const directory = join(root, audience)
  const directoryOf = (pair: PairKey) => {
    if (!pairPattern.test(pair)) throw new Error('A pair is not made of ids')
    return join(directory, pair)
  }
  const pending = createPendingChanges<Row>({
    rounds,
    nameOf: directoryOf,
    save: (pair, changes) => saveChanges(deps, pair, changes),
  })
  /** No version before it is kept, so that hearing of the oldest one again costs nothing. */
  const firstKept = new Map<PairKey, number>()
  const loadPair = async (pair: PairKey): Promise<Row | undefined> => {
    const versions = await listKeptVersions(directoryOf(pair))
    firstKept.set(pair, versions.at(-1) ?? 0)
    for (const version of versions) {
      const row = await readVersion(deps, pair, version)
      if (row !== undefined) return row
    }
    return undefined
  }

  return {
    async find(pair, version) {
      if (!pairPattern.test(pair)) return undefined
      const row = pending.find(pair, version)
      if (row !== undefined) return row === 'removed' ? undefined : row
      return readVersion(deps, pair, version)
    },
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
      pending.of(pair).keep(row)
      firstKept.set(pair, Math.min(row.version, firstKept.get(pair) ?? row.version))
    },
    drop(pair) {
      pending.of(pair).removeAll()
      firstKept.delete(pair)
    },
    forgetBefore(pair, oldest) {
      const first = firstKept.get(pair)
      if (first === undefined || first >= oldest) return
      pending.of(pair).removeBefore(oldest)
      firstKept.set(pair, oldest)
    },
  }
}

async function readVersion<Row extends Published>(
  { root, audience, format, log }: SnapshotFilesDeps<Row>,
  pair: PairKey,
  version: number,
): Promise<Row | undefined> {
  const path = join(root, audience, pair, nameOf(version))
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

async function saveChanges<Row extends Published>(
  { root, audience, format }: SnapshotFilesDeps<Row>,
  pair: PairKey,
  changes: PairChanges<Row>,
): Promise<void> {
  const ofPair = join(root, audience, pair)
  if (changes.isEmptied()) await removeWhole(ofPair)
  const row = changes.row()
  if (row !== undefined)
    await writeWholeFile(root, `${audience}/${pair}/${nameOf(row.version)}`, format.render(row))
  const oldest = changes.oldest()
  if (oldest === 0) return
  for (const version of await listVersions(ofPair)) {
    if (version < oldest) await removeWhole(join(ofPair, nameOf(version)))
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

/** Those that are kept, newest first; the others are removed. */
async function listKeptVersions(directory: string): Promise<number[]> {
  const versions = await listVersions(directory)
  for (const outdated of versions.splice(limits.snapshotVersionsKept)) {
    await removeWhole(join(directory, nameOf(outdated)))
  }
  return versions
}

/** Newest first. */
async function listVersions(directory: string): Promise<number[]> {
  const versions = (await readdir(directory)).flatMap((name) => {
    const version = versionPattern.exec(name)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
  return versions.sort((one, other) => other - one)
}

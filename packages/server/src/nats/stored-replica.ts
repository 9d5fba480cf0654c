import { settleInBatches } from '../delivery/relay/read-upstream.ts'
import { isOlderMark, parseMark, type Mark } from '../replica/mark.ts'
import { indexKey, markKey } from '../replica/nats-subjects.ts'
import { parseSigned } from '../replica/object-name.ts'
import { orgIdOf } from '../replica/record-header.ts'
import { isSigned } from '../replica/signed.ts'
import type { Bucket } from './bucket.ts'
import { putObject } from './bucket-objects.ts'
import type { MarkRow } from './publication-rows.ts'
import type { ReplicaView, Section } from './sections.ts'
import { ConflictError } from './nats-upstream-error.ts'
import { createUnnamedKeys } from './unnamed-keys.ts'

/** Knows what NATS has, and stores what it lacks. */
export interface StoredReplica {
  /** Reads the mark of a group that this server has signed; `undefined` where there is none. @throws {NatsUpstreamError} */
  readMark(group: string): Promise<Mark | undefined>
  /** Returns whether a mark, or a newer one, was seen to be stored. */
  isStored(row: MarkRow): boolean
  /** Lists the texts of a group that are not known to be stored. */
  missingOf(section: Section, group: string): Iterable<string>
  /** Stores what is missing, and then the marks of `groups`. @throws {NatsUpstreamError} */
  store(section: Section, groups: readonly string[]): Promise<void>
  /** Doubts everything where the stream is another one than before. `created`: when it was made. */
  noteStream(created: string): void
  /** Takes everything of a group as stored: its mark names it. */
  trust(section: Section, group: string): void
  /**
   * Compares what there is with what should be, where that is due, and removes what has not been named for an hour. Returns
   * whether it was due. @throws {NatsUpstreamError}
   */
  sweep(section: Section): Promise<boolean>
}

/** Describes the dependencies of `createStoredReplica`. */
export interface StoredReplicaDeps {
  readonly bucket: Bucket
  readonly publicKeys: () => readonly string[]
  readonly now: () => Date
}

const sweepMs = 5 * 60_000

interface Knowledge {
  readonly stored: Set<string>
  /** Maps a group to the newest mark that was seen to be stored. */
  readonly newest: Map<string, Mark>
  /** Holds when everything was compared; `undefined` while that is in doubt. */
  sweptAtMs: number | undefined
  generation: number | undefined
  /** Holds when the stream was made. */
  created: string | undefined
}

/** Creates what knows nothing about NATS yet. */
export function createStoredReplica(deps: StoredReplicaDeps): StoredReplica {
  const { bucket, now } = deps
  const known: Knowledge = {
    stored: new Set(),
    newest: new Map(),
    sweptAtMs: undefined,
    generation: undefined,
    created: undefined,
  }
  const unnamed = createUnnamedKeys()
  /** Forgets what other keys have signed since: it has the same names. */
  const scan = ({ generation }: Section) => {
    if (known.generation !== generation) known.stored.clear()
    known.generation = generation
  }
  return {
    readMark: async (group) => (await readMark(deps, known, group)).mark,
    isStored(row) {
      const mark = known.newest.get(row.group)
      return mark !== undefined && !isOlderMark(mark, row)
    },
    *missingOf(section, group) {
      scan(section)
      for (const [key, render] of wantedOf(section.view, group)) {
        if (!known.stored.has(key)) yield render()
      }
    },
    noteStream(created) {
      if (known.created !== created) {
        known.sweptAtMs = undefined
        known.newest.clear()
      }
      known.created = created
    },
    trust(section, group) {
      scan(section)
      for (const [key] of wantedOf(section.view, group)) known.stored.add(key)
    },
    async store(section, groups) {
      scan(section)
      const { view, marks } = section
      await putMissing(bucket, known, view.objects)
      await putMissing(bucket, known, indexesOf(view))
      for (const group of groups) {
        const row = marks.get(group)
        if (row !== undefined) await putMark(deps, known, row)
      }
    },
    async sweep(section) {
      scan(section)
      const nowMs = now().getTime()
      if (known.sweptAtMs !== undefined && nowMs - known.sweptAtMs < sweepMs) return false
      const listed = await bucket.list()
      const required = compare(known, section.view, listed)
      const groups = new Set(section.view.groups.keys())
      for (const key of unnamed.take({ listed, required, groups, nowMs })) await bucket.remove(key)
      known.sweptAtMs = nowMs
      return true
    },
  }
}

/** Takes as stored what is listed, and returns everything that should be. */
function compare(
  { stored }: Knowledge,
  view: ReplicaView,
  listed: ReadonlySet<string>,
): ReadonlySet<string> {
  const required = new Set([...view.objects.keys(), ...indexesOf(view).keys()])
  stored.clear()
  for (const key of required) if (listed.has(key)) stored.add(key)
  return required
}

/** Reads a mark. An older one than was seen there before, or none, means that NATS has lost something. */
async function readMark(
  { bucket, publicKeys }: StoredReplicaDeps,
  known: Knowledge,
  group: string,
): Promise<{ readonly mark: Mark | undefined; readonly sequence: number }> {
  const value = await bucket.read(markKey(group))
  const signed = value && parseSigned(Buffer.from(value.data).toString('utf8'))
  const mark = signed && isSigned(publicKeys(), signed) ? parseMark(signed.text) : undefined
  const before = known.newest.get(group)
  if (before !== undefined && (mark === undefined || isOlderMark(mark, before))) {
    known.sweptAtMs = undefined
    known.newest.delete(group)
  }
  if (mark !== undefined) known.newest.set(group, mark)
  return { mark, sequence: value?.sequence ?? 0 }
}

/** Stores a mark unless there is a newer one. Of two processes that store at once, the one that comes second reads again. */
async function putMark(deps: StoredReplicaDeps, known: Knowledge, row: MarkRow): Promise<void> {
  const { group, text, signatures } = row
  for (;;) {
    const { mark, sequence } = await readMark(deps, known, group)
    if (mark !== undefined && !isOlderMark(mark, row)) return
    try {
      const value = JSON.stringify({ text, signatures })
      await deps.bucket.put(markKey(group), value, { expected: sequence })
    } catch (error) {
      if (error instanceof ConflictError) continue
      throw error
    }
    const stored = parseMark(text)
    if (stored !== undefined) known.newest.set(group, stored)
    return
  }
}

async function putMissing(
  bucket: Bucket,
  { stored }: Knowledge,
  required: ReadonlyMap<string, () => string>,
): Promise<void> {
  const missing = [...required].filter(([key]) => !stored.has(key))
  const results = await settleInBatches(missing, async ([key, render]) => {
    await putObject(bucket, key, render())
    stored.add(key)
  })
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

function indexesOf({ groups }: ReplicaView): Map<string, () => string> {
  return new Map(
    [...groups].map(([name, { index }]) => [indexKey(name, index.sha256), () => index.text]),
  )
}

/** Lists everything that a mark of the group names. */
function* wantedOf(view: ReplicaView, group: string): Iterable<[string, () => string]> {
  const ofGroup = view.groups.get(group)
  if (ofGroup === undefined) return
  const { index, orgIds } = ofGroup
  for (const [key, render] of view.objects) {
    if (orgIds?.has(orgIdOf(key)) ?? true) yield [key, render]
  }
  yield [indexKey(group, index.sha256), () => index.text]
}

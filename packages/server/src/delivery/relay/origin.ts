import { renderMark } from '../../replica/mark.ts'
import type { Signed } from '../../replica/signed.ts'
import { isInScope, type KeyReader } from '../cache/reader.ts'
import { buildIndex, buildReplica, type BuiltObject } from './build-replica.ts'
import type { ChangeSignal } from './change-signal.ts'
import { createReplicaRecords, type ReplicaRecordsDeps } from './replica-records.ts'
import type { ReplicaRecord } from './replica-record.ts'

/** Describes what relays are fed from. */
export interface ReplicaFeed {
  /** Returns the newest mark for a relay key, signed at most a second ago. */
  mark(reader: KeyReader): Signed
  /** Returns what has this hash among what the key may read: an index, a manifest or a record. */
  find(reader: KeyReader, sha256: string): string | undefined
  /** Calls `listener` when there may be another mark. */
  onChange(listener: () => void): void
}

/** Names the stream that all relays of a node follow. */
export const replicaTopic = 'replica'

/** Lists what an origin makes records of. */
export interface OriginDeps extends Omit<ReplicaRecordsDeps, 'versionOf'> {
  /** Tells that something of it has changed. */
  readonly changes: Pick<ChangeSignal, 'onChange' | 'count'>
  readonly now: () => Date
  /** Returns the moment up to which everything is there that was committed. Default: now. */
  readonly asOf?: (() => Date | undefined) | undefined
}

type Objects = ReadonlyMap<string, Pick<BuiltObject, 'render'>>

interface View {
  readonly builtAtMs: number
  /** Holds the time in the mark. */
  readonly atMs: number
  readonly counter: number
  /** Holds when the records were last looked through. */
  readonly comparedAtMs: number
  /** Holds the count of changes at that time. */
  readonly changes: number
  readonly generation: number
  readonly index: string
  readonly mark: Signed
  readonly objects: Objects
  /** Holds the texts of the view before: a relay may still be fetching them. */
  readonly earlier: Objects
}

/** Limits how long a mark is shown, and how often one is signed for a key although more was read meanwhile. */
const viewMs = { longest: 1_000, shortest: 100 }
/** Looks through the records of a key again after this time, changed or not, so that no mistake lasts. */
const comparisonMs = 60_000

/** Creates the feed of relays in a process that can sign. */
export function createOrigin(deps: OriginDeps): ReplicaFeed {
  const views = new Map<string, View>()
  const outdated = new WeakSet<View>()
  // Before the listeners, who ask for a mark immediately.
  deps.changes.onChange(() => {
    for (const view of views.values()) outdated.add(view)
  })
  const records = createReplicaRecords({ ...deps, versionOf: versionsByTime(deps.now) })
  const viewOf = (reader: KeyReader): View => {
    const nowMs = deps.now().getTime()
    const atMs = asOf(deps).getTime()
    const before = views.get(reader.keyId)
    if (before !== undefined && !outdated.has(before) && isShown(before, { nowMs, atMs })) {
      return before
    }
    const counter = Math.max(nowMs, (before?.counter ?? 0) + 1)
    if (before !== undefined && isCurrent(deps, before, nowMs)) {
      const view = { ...before, ...signMark(deps, { nowMs, atMs, counter, index: before.index }) }
      views.set(reader.keyId, view)
      return view
    }
    const scope = {
      name: reader.keyId,
      orgIds: [reader.orgId],
      includes: isInScope.bind(undefined, reader),
    }
    const view = build(deps, {
      nowMs,
      atMs,
      counter,
      earlier: before?.objects,
      records: records.of(scope),
    })
    views.set(reader.keyId, view)
    return view
  }
  return {
    mark: (reader) => viewOf(reader).mark,
    find(reader, sha256) {
      const view = views.get(reader.keyId) ?? viewOf(reader)
      return (view.objects.get(sha256) ?? view.earlier.get(sha256))?.render()
    },
    onChange: (listener) => deps.changes.onChange(listener),
  }
}

function asOf(deps: OriginDeps): Date {
  return deps.asOf?.() ?? deps.now()
}

/** Returns whether a mark need not be signed anew: nothing was read since, or it is too soon. */
function isShown(
  { atMs: shownAtMs, builtAtMs }: View,
  { nowMs, atMs }: { readonly nowMs: number; readonly atMs: number },
): boolean {
  return nowMs - builtAtMs < (shownAtMs === atMs ? viewMs.longest : viewMs.shortest)
}

/** Returns whether the records are what they were when the view was built. */
function isCurrent({ changes, signer }: OriginDeps, view: View, nowMs: number): boolean {
  return (
    view.changes === changes.count() &&
    view.generation === signer().generation &&
    nowMs - view.comparedAtMs < comparisonMs
  )
}

/** Counts the contents of each name by the time, which orders them whichever node made them. */
function versionsByTime(now: () => Date): ReplicaRecordsDeps['versionOf'] {
  const versions = new Map<string, { readonly content: string; readonly version: number }>()
  return (name, content) => {
    const known = versions.get(name)
    if (known?.content === content) return known.version
    const version = Math.max(now().getTime(), (known?.version ?? 0) + 1)
    versions.set(name, { content, version })
    return version
  }
}

/** Signs what was current when it was read, whether or not it is what was current before. */
function signMark(
  { signer }: OriginDeps,
  { nowMs, atMs, counter, index }: Pick<Build, 'nowMs' | 'atMs' | 'counter'> & { index: string },
): Pick<View, 'builtAtMs' | 'atMs' | 'counter' | 'mark'> {
  const by = signer()
  const mark = renderMark({ epoch: by.epoch, counter, index, atMs })
  return { builtAtMs: nowMs, atMs, counter, mark: { text: mark, signatures: by.signText(mark) } }
}

interface Build {
  readonly nowMs: number
  readonly atMs: number
  readonly counter: number
  readonly earlier: Objects | undefined
  readonly records: readonly ReplicaRecord[]
}

function build(deps: OriginDeps, { nowMs, atMs, counter, earlier, records }: Build): View {
  const built = buildReplica(records)
  const index = buildIndex(built.manifests)
  return {
    ...signMark(deps, { nowMs, atMs, counter, index: index.sha256 }),
    comparedAtMs: nowMs,
    changes: deps.changes.count(),
    generation: deps.signer().generation,
    index: index.sha256,
    objects: new Map<string, Pick<BuiltObject, 'render'>>([
      ...built.objects,
      [index.sha256, { render: () => index.text }],
    ]),
    earlier: earlier ?? new Map(),
  }
}

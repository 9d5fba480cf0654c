import { buildIndex, buildReplica, type BuiltIndex } from '../delivery/relay/build-replica.ts'
import { createReplicaRecords } from '../delivery/relay/replica-records.ts'
import { isOlderMark, renderMark, type MarkOrder } from '../replica/mark.ts'
import { objectKey } from '../replica/nats-subjects.ts'
import { noPart } from '../replica/record-header.ts'
import type { NatsGroup } from '../settings/nats-settings.ts'
import type { Store, Tx } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { PublisherKeys } from '../vault/publisher-keys.ts'
import {
  deleteVersionRows,
  drawCounter,
  listMarkRows,
  listVersionRows,
  lockPublication,
  saveMarkRow,
  saveVersionRows,
  type MarkRow,
  type VersionRow,
} from './publication-rows.ts'
import type { ReplicaSource } from './replica-source.ts'
import { createUnknownOrganizations } from './unknown-organizations.ts'

/** Holds what is to be stored: everything that the marks name. */
export interface ReplicaView {
  /** Maps the key of each manifest and record to what renders it. */
  readonly objects: ReadonlyMap<string, () => string>
  /** Maps a group to its index, and to the organizations that it has; `undefined`: every one. */
  readonly groups: ReadonlyMap<string, GroupView>
}

/** Describes what a group has of a view. */
export interface GroupView {
  readonly index: BuiltIndex
  readonly orgIds: ReadonlySet<string> | undefined
}

/** Describes what a section has found. */
export interface Section {
  readonly view: ReplicaView
  /** Maps a group to its newest mark. */
  readonly marks: ReadonlyMap<string, MarkRow>
  /** Names the groups whose marks this section has made. */
  readonly made: ReadonlySet<string>
  /** Identifies the keys that have signed. */
  readonly generation: number
}

/** Says that somebody has seen a mark that this database has not made: it was restored to an earlier moment. */
export interface Restored {
  readonly restoredAfterEpoch: number
}

/** Describes the dependencies of `createSections`. */
export interface SectionsDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly source: ReplicaSource
  readonly publisherKeys: PublisherKeys
  readonly groups: readonly NatsGroup[]
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
}

/**
 * A mark is made anew after this time without a change: its age shows that somebody still publishes, and a node refuses a key
 * that it doesn't know once it has a mark of after the question.
 */
const renewMs = 750
/** Leaves the database alone for so long while nothing changes. */
const idleMs = 500

interface Built {
  readonly view: ReplicaView
  readonly changes: number
  readonly generation: number
}

interface Run {
  readonly tx: Tx
  /** Holds the moment up to which everything is in the view that was committed. */
  readonly asOf: Date
  readonly inNats: ReadonlyMap<string, MarkOrder>
  /** Draws the counter of this section with the first call. */
  readonly draw: () => Promise<number>
}

/**
 * Creates the sections of a process. In a section it holds a lock, reads what is published, and draws a counter. So a higher
 * counter always shows as much or more, whichever process has drawn it, and epoch and counter alone order marks.
 */
export function createSections(deps: SectionsDeps) {
  const { store, source, publisherKeys, now } = deps
  let built: Built | undefined
  let ranAtMs = -Infinity
  const builder = createBuilder(deps)
  return {
    /**
     * Looks at what is published and makes the marks that are due. Nothing of it may be used where it rejects. `inNats` has the
     * newest mark of each group that was read before the call. Returns `undefined` where nothing has changed since a moment ago.
     */
    async run(inNats: ReadonlyMap<string, MarkOrder>): Promise<Section | Restored | undefined> {
      // Outside of the lock, so that what takes long does not keep others waiting.
      await source.refresh()
      const isIdle = performance.now() - ranAtMs < idleMs
      if (isIdle && built?.changes === source.changes()) return undefined
      const { section, current } = await store.maintenance(async (tx) => {
        await lockPublication(tx)
        const asOf = now()
        await source.refresh()
        await publisherKeys.refresh(tx)
        const run = { tx, asOf, inNats, draw: once(() => drawCounter(tx)) }
        const { generation } = publisherKeys.signer()
        const changes = source.changes()
        const isBuilt = built?.changes === changes && built.generation === generation
        const current =
          isBuilt && built ? built : { view: await builder.build(run), changes, generation }
        return { section: await makeMarks(deps, run, current), current }
      })
      // Only now that its versions are stored.
      built = current
      ranAtMs = 'marks' in section ? performance.now() : -Infinity
      return section
    },
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= work())
}

async function makeMarks(
  { publisherKeys, groups }: SectionsDeps,
  { tx, asOf, inNats, draw }: Run,
  { view, generation }: Built,
): Promise<Section | Restored> {
  const rows = new Map((await listMarkRows(tx)).map((row) => [row.group, row]))
  const signer = publisherKeys.signer()
  const marks = new Map<string, MarkRow>()
  const made = new Set<string>()
  for (const { name } of groups) {
    const row = rows.get(name)
    const newest = inNats.get(name)
    if (newest && (await isUnknown(newest, { row, epoch: signer.epoch, draw }))) {
      return { restoredAfterEpoch: Math.max(newest.epoch, signer.epoch) }
    }
    const index = view.groups.get(name)?.index.sha256 ?? ''
    if (row !== undefined && isCurrent(row, { epoch: signer.epoch, index, now: asOf })) {
      marks.set(name, row)
      continue
    }
    const order = { epoch: signer.epoch, counter: await draw() }
    const text = renderMark({ ...order, index, atMs: asOf.getTime() })
    const signatures = signer.signText(text)
    const mark: MarkRow = { group: name, ...order, index, text, signatures, signedAt: asOf }
    await saveMarkRow(tx, mark)
    marks.set(name, mark)
    made.add(name)
  }
  return { view, marks, made, generation }
}

/** Returns whether this database has not made a mark that somebody has seen. */
async function isUnknown(
  other: MarkOrder,
  {
    row,
    epoch,
    draw,
  }: { readonly row: MarkRow | undefined; readonly epoch: number; readonly draw: Run['draw'] },
): Promise<boolean> {
  if (other.epoch < epoch) return false
  if (row !== undefined) return isOlderMark(row, other)
  // Every mark of this database was drawn before it could be seen, so its counter is below the one drawn now.
  return !isOlderMark(other, { epoch, counter: await draw() })
}

function isCurrent(
  row: MarkRow,
  { epoch, index, now }: { readonly epoch: number; readonly index: string; readonly now: Date },
): boolean {
  const ageMs = now.getTime() - row.signedAt.getTime()
  return row.epoch === epoch && row.index === index && Math.abs(ageMs) < renewMs
}

/** Creates what builds the view, and keeps the versions of records that have none of their own. */
function createBuilder({ source, publisherKeys, groups, log }: SectionsDeps) {
  const unknown = createUnknownOrganizations(log)
  const references = groups.flatMap(({ organizations }) => organizations ?? [])
  let counter = 0
  let versions = new Map<string, VersionRow>()
  let used = new Map<string, VersionRow>()
  const records = createReplicaRecords({
    ...source,
    signer: () => publisherKeys.signer(),
    versionOf(name, content) {
      const known = versions.get(name)
      const version = Math.max(counter, (known?.version ?? 0) + 1)
      const row = known?.content === content ? known : { name, content, version }
      used.set(name, row)
      return row.version
    },
  })
  return {
    async build({ tx, draw }: Run): Promise<ReplicaView> {
      counter = await draw()
      versions = new Map((await listVersionRows(tx)).map((row) => [row.name, row]))
      used = new Map()
      const { organizations } = source.keyCache.save()
      const orgIds = organizations.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
      // Without a pause, so that the view is of one moment.
      const made = records.of({ name: 'replica', orgIds: orgIds.toSorted(), includes: () => true })
      const { objects, manifests } = buildReplica(made)
      const changed = [...used.values()].filter((row) => versions.get(row.name) !== row)
      const gone = [...versions.keys()].filter((name) => !used.has(name))
      if (changed.length > 0) await saveVersionRows(tx, changed)
      if (gone.length > 0) await deleteVersionRows(tx, gone)
      const idOf = (reference: string) => source.keyCache.findOrganization(reference)?.id
      unknown.note(references.filter((reference) => idOf(reference) === undefined))
      return {
        objects: new Map(
          [...objects].map(([sha256, object]) => [
            objectKey(object.orgId, sha256),
            () => object.render(),
          ]),
        ),
        groups: new Map(
          groups.map(({ name, organizations: listed }) => {
            const orgIds = listed && new Set([noPart, ...resolve(listed, idOf)])
            return [name, { index: buildIndex(manifests, orgIds), orgIds }]
          }),
        ),
      }
    },
  }
}

function resolve(
  references: readonly string[],
  idOf: (reference: string) => string | undefined,
): string[] {
  return references.map(idOf).filter((id) => id !== undefined)
}

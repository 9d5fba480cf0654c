import { isOlderMark, type Mark, type MarkOrder } from '../replica/mark.ts'
import { renderNow } from '../replica/now-message.ts'
import { createPollLoop } from '../store/follow/poll-loop.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { beginPublisherEpoch, type PublisherKeys } from '../vault/publisher-keys.ts'
import type { Bucket } from './bucket.ts'
import type { NatsLink } from './nats-link.ts'
import { NatsUpstreamError } from './nats-upstream-error.ts'
import type { Publication } from './publication.ts'
import type { MarkRow } from './publication-rows.ts'
import type { ReplicaSource } from './replica-source.ts'
import { createSections, type Section } from './sections.ts'
import type { NatsGroup } from '../settings/nats-settings.ts'
import { createStoredReplica, type StoredReplica } from './stored-replica.ts'

/** Describes the dependencies of `createNatsPublisher`. */
export interface NatsPublisherDeps {
  readonly link: Pick<NatsLink, 'publish' | 'onConnect' | 'serverVersion'>
  readonly bucket: Bucket
  readonly store: Pick<Store, 'maintenance' | 'onAnnounce'>
  readonly source: ReplicaSource
  readonly publisherKeys: PublisherKeys
  readonly groups: readonly NatsGroup[]
  readonly now: () => Date
  readonly log: Log
}

/** Publishes everything in NATS. Any number of processes do so at once, without a leader. */
export interface NatsPublisher {
  start(): void
  /** Looks at what is published at once, and stores it. Rejects when the database or NATS is away. */
  refresh(): Promise<void>
  /** Describes whether what it publishes arrives. */
  state(): Publication
  close(): Promise<void>
}

const intervalMs = 1_000
/** Says again what is not stored yet: a message may be lost, and a node that connects meanwhile has heard nothing. */
const sayMs = 300
const saysPerSecond = 3
const saidMs = 30_000
/** Leaves a mark to the process that has made it. Then another one stores it, because that process may have ended. */
const foreignMs = 1_500

/** Holds what the two loops of a publisher share. */
interface Published {
  section: Section | undefined
  /** Maps a group to the newest mark that was seen in NATS. Undefined until NATS was asked once. */
  inNats: ReadonlyMap<string, MarkOrder> | undefined
  /** Maps a group to the mark that this process knows, and since when. */
  readonly known: Map<string, KnownMark>
}

interface KnownMark {
  readonly row: MarkRow
  readonly isOwn: boolean
  readonly sinceMs: number
}

/** Creates a publisher, which does nothing until it is started or asked to. */
export function createNatsPublisher(deps: NatsPublisherDeps): NatsPublisher {
  const { link, bucket, source, now, log } = deps
  const publication: Published = { section: undefined, inNats: undefined, known: new Map() }
  const stored = createStoredReplica({ bucket, publicKeys: () => source.publicKeys(), now })
  const say = createSayer(deps, publication, stored)
  const mark = createMarker(deps, publication)
  const { keep, rescan } = createKeeper(deps, publication, stored)
  const outcome = createOutcome()
  const marking = createPollLoop({
    async poll() {
      if (await mark()) say('new')
      storing.wake()
    },
    feature: 'Snapshots for NATS',
    intervalMs,
    log,
  })
  const storing = createPollLoop({
    poll: async () => {
      const wasAsked = publication.inNats !== undefined
      await outcome.note(keep())
      if (!wasAsked) marking.wake()
    },
    feature: 'Snapshots',
    from: 'nats',
    explain: (cause) => (cause instanceof NatsUpstreamError ? cause.message : undefined),
    intervalMs,
    retryMsMax: intervalMs,
    log,
  })
  const stops: (() => void)[] = []
  return {
    state: () => ({ ...outcome.read(), serverVersion: link.serverVersion() }),
    start() {
      stops.push(
        ...followAnnouncements(deps, () => marking.wake()),
        link.onConnect(() => {
          rescan()
          storing.wake()
        }),
      )
      const timer = setInterval(() => say('again'), sayMs).unref()
      stops.push(() => clearInterval(timer))
      storing.start()
      marking.start()
    },
    async refresh() {
      await storing.refresh()
      await marking.refresh()
      await storing.refresh()
    },
    async close() {
      for (const stop of stops) stop()
      await Promise.all([marking.close(), storing.close()])
    },
  }
}

/** Creates what remembers how the tries to store end, and for how long they fail: by what only counts up, not by a clock. */
function createOutcome() {
  let doneMs = performance.now()
  let failure: unknown
  return {
    async note(trying: Promise<void>): Promise<void> {
      try {
        await trying
        failure = undefined
        doneMs = performance.now()
      } catch (error) {
        failure = error
        throw error
      }
    },
    read: () => ({ ageSeconds: Math.round((performance.now() - doneMs) / 1000), failure }),
  }
}

/** Calls `wake` after each commit that may change a record. Returns what stops that. */
function followAnnouncements(
  { store, source }: NatsPublisherDeps,
  wake: () => void,
): (() => void)[] {
  return (['snapshots', 'credentials'] as const).map((topic) =>
    store.onAnnounce(topic, (announcement) => {
      if (announcement === 'joined') source.wake(announcement)
      wake()
    }),
  )
}

/** Creates what makes the marks that are due. It returns whether there are any. */
function createMarker(deps: NatsPublisherDeps, publication: Published) {
  const { store, publisherKeys, now, log } = deps
  const sections = createSections(deps)
  return async (): Promise<boolean> => {
    // A restored database shows only by what NATS has.
    if (publication.inNats === undefined) return false
    let section = await sections.run(publication.inNats)
    if (section !== undefined && 'restoredAfterEpoch' in section) {
      const epoch = await beginPublisherEpoch({ store }, now(), section.restoredAfterEpoch + 1)
      await publisherKeys.refresh()
      log.warn('The database is older than what NATS has: began another epoch', { epoch })
      section = await sections.run(publication.inNats)
    }
    if (section === undefined) return false
    if ('restoredAfterEpoch' in section) throw new Error('The epoch ended while it began')
    publication.section = section
    for (const [group, row] of section.marks) {
      if (publication.known.get(group)?.row.counter === row.counter) continue
      const isOwn = section.made.has(group)
      publication.known.set(group, { row, isOwn, sinceMs: now().getTime() })
    }
    return section.made.size > 0
  }
}

/** Creates what keeps NATS equal to the newest section. */
function createKeeper(
  { bucket, source, groups, now }: NatsPublisherDeps,
  publication: Published,
  stored: StoredReplica,
) {
  let isSure = false
  const readAll = async (): Promise<Map<string, Mark>> => {
    // Without the keys every stored mark would seem to be a stranger's, and a restored database would not show.
    if (source.publicKeys().length === 0) await source.refresh()
    if (!isSure) stored.noteStream(await bucket.ensure())
    // The stream may be gone where a read fails.
    isSure = false
    const marks = new Map<string, Mark>()
    for (const { name } of groups) {
      const mark = await stored.readMark(name)
      if (mark !== undefined) marks.set(name, mark)
    }
    isSure = true
    return marks
  }
  const isDue = (group: string): boolean => {
    const mark = publication.known.get(group)
    return mark === undefined || mark.isOwn || now().getTime() - mark.sinceMs > foreignMs
  }
  const keep = async (): Promise<void> => {
    const marks = await readAll()
    publication.inNats = newestOf(publication.inNats, marks)
    const { section } = publication
    if (section === undefined) return
    const wasSwept = await stored.sweep(section)
    const due: string[] = []
    for (const [group, row] of section.marks) {
      const there = marks.get(group)
      const isThere = there !== undefined && !isOlderMark(there, row)
      if (!isThere && isDue(group)) due.push(group)
      if (isThere && !wasSwept && there.index === row.index) stored.trust(section, group)
    }
    if (wasSwept || due.length > 0) await stored.store(section, due)
  }
  return {
    keep,
    /** Asks for the stream anew: behind another connection there may be another one. */
    rescan: () => {
      isSure = false
    },
  }
}

function newestOf(
  before: ReadonlyMap<string, MarkOrder> = new Map(),
  marks: ReadonlyMap<string, MarkOrder>,
): ReadonlyMap<string, MarkOrder> {
  const newest = new Map(before)
  for (const [group, mark] of marks) {
    const known = newest.get(group)
    if (known === undefined || isOlderMark(known, mark)) newest.set(group, mark)
  }
  return newest
}

/**
 * Creates what says the newest marks to those who listen: at once with what is not stored yet, again until it is, and each
 * second by itself.
 */
function createSayer(
  { link, bucket, now }: NatsPublisherDeps,
  publication: Published,
  stored: StoredReplica,
) {
  let times = 0
  const isUrgent = ({ row, isOwn, sinceMs }: KnownMark) =>
    isOwn && !stored.isStored(row) && now().getTime() - sinceMs < saidMs
  return (when: 'new' | 'again'): void => {
    if (when === 'again') times += 1
    const isSecond = when === 'again' && times % saysPerSecond === 0
    const { section, known } = publication
    if (section === undefined) return
    for (const [group, mark] of known) {
      const urgent = isUrgent(mark)
      const isRepeated = isSecond && (mark.isOwn || stored.isStored(mark.row))
      if (!urgent && !isRepeated) continue
      const message = renderNow(mark.row, urgent ? stored.missingOf(section, group) : [])
      // Leaves out what is too long for a message: it is fetched once it is stored.
      if (message !== undefined) link.publish(bucket.layout.nowOf(group), message)
    }
  }
}

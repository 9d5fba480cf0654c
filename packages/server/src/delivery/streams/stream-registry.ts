import type { SnapshotKey } from '../cache/published.ts'
import type { Asker } from '../../http/admission/fair-rate.ts'
import type { NodeCounts } from '../../http/admission/node-counts.ts'
import type { Reader } from '../cache/reader.ts'
import { createCounter, type Counted } from './counter.ts'
import { createNodeCounter } from './node-counter.ts'
import { createGroups, everyStream, findNewestOfMost } from './stream-shares.ts'

/**
 * Names the changes that a stream receives. Audiences never share a stream: the versions of browsers and servers count
 * different changes, clients of OFREP and of flagd read other forms, and relays hear of all changes.
 */
export type Audience = 'browser' | 'server' | 'ofrep' | 'flagd' | 'replica'

/** Describes the target of a stream's bytes: the response of a request, or the socket itself. */
export interface StreamSink {
  /** Holds how many bytes were written and not yet taken by the client. */
  readonly writableLength: number
  write(bytes: Buffer): unknown
  end(text: string): unknown
  /**
   * Closes a socket once the written bytes are handed to the kernel, without waiting for the client to end as well. A
   * response of node:http does so by itself.
   */
  destroySoon?(): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
}

/** Describes the subject and the owner of a stream. */
export interface StreamSubscription {
  readonly audience: Audience
  readonly snapshotKey: SnapshotKey
  readonly reader: Reader
  /** Names those for whom the stream counts. */
  readonly asker: Asker
}

/**
 * Describes one open connection. A node has ten thousand of them, so each is little more than pointers to shared
 * objects.
 */
export interface Stream {
  readonly sink: StreamSink
  readonly topic: Topic
  readonly owner: Counted<Reader>
  readonly asker: Asker
  /** Counts the streams of the asker's credential at its address. */
  readonly subject: Counted<string>
  /** Counts up with each stream. The remainder by the number of portions tells in which one it gets its heartbeats. */
  readonly number: number
}

interface Topic {
  readonly name: string
  readonly audience: Audience
  readonly streams: Set<Stream>
}

/** Holds the open streams, indexed by snapshot. */
export interface StreamRegistry {
  /** Counts the streams of this process. */
  readonly size: number
  /** Counts the streams of all processes of the node. */
  readonly sizeOfNode: number
  sizeOf(audience: Audience): number
  /** Returns how many streams of the node a credential has at its address. */
  countOf(asker: Asker): number
  /**
   * Returns the stream of this process that has to end for one of `asker` when the node is full; `undefined`: none has to.
   * The system spreads connections evenly over the processes, so who has most has some in each.
   */
  findToCut(asker: Asker, most: number): Stream | undefined
  add(subscription: StreamSubscription, sink: StreamSink): Stream
  /** Removes a stream and returns whether it was present. */
  remove(stream: Stream): boolean
  about(audience: Audience, snapshotKey: SnapshotKey): Iterable<Stream>
  all(): Iterable<Stream>
  readers(): Iterable<Reader>
}

const noStreams = { browser: 0, server: 0, ofrep: 0, flagd: 0, replica: 0 } as const

/** Creates an empty registry. `counts` joins it with those of the other processes of the node. */
export function createStreamRegistry(counts?: NodeCounts): StreamRegistry {
  const topics = createTopics()
  const owners = createCounter<Reader>()
  const heldOfSubjects = counts?.openHeld('streams')
  const subjects = createNodeCounter(heldOfSubjects)
  const groups = createGroups(counts)
  const sizes: Record<Audience, number> = { ...noStreams }
  let lastNumber = 0

  const countOwn = () => Object.values(sizes).reduce((sum, size) => sum + size, 0)
  return {
    get size() {
      return countOwn()
    },
    get sizeOfNode() {
      return countOwn() + (heldOfSubjects?.sumOfOthers() ?? 0)
    },
    sizeOf: (audience) => sizes[audience],
    countOf: ({ credentialAtAddress }) => subjects.countOf(credentialAtAddress),
    findToCut(asker, most) {
      const isCrowding = groups.findCrowding(asker, most)
      const own = subjects.countOf(asker.credentialAtAddress)
      const toCut = findNewestOfMost(topics.all(), isCrowding ?? everyStream)
      // Without a group that has more than its share, an address makes room for those that have less.
      return isCrowding !== undefined || (toCut && subjects.countOf(toCut.subject.key) > own + 1)
        ? toCut
        : undefined
    },
    add({ audience, snapshotKey, reader, asker }, sink) {
      lastNumber += 1
      const topic = topics.open(audience, snapshotKey)
      const owner = owners.add(reader)
      const subject = subjects.add(asker.credentialAtAddress)
      const stream = { sink, topic, owner, asker, subject, number: lastNumber }
      groups.add(asker)
      topic.streams.add(stream)
      sizes[audience] += 1
      return stream
    },
    remove(stream) {
      const { topic, owner, subject, asker } = stream
      if (!topic.streams.delete(stream)) return false
      if (topic.streams.size === 0) topics.close(topic)
      owners.remove(owner)
      subjects.remove(subject)
      groups.remove(asker)
      sizes[topic.audience] -= 1
      return true
    },
    about: (audience, snapshotKey) => topics.about(audience, snapshotKey),
    all: () => topics.all(),
    readers: () => owners.keys(),
  }
}

/** Creates the topics, each of which exists as long as it has streams. */
function createTopics() {
  const topics = new Map<string, Topic>()
  return {
    open(audience: Audience, snapshotKey: SnapshotKey): Topic {
      const name = nameOf(audience, snapshotKey)
      const present = topics.get(name)
      if (present !== undefined) return present
      const topic: Topic = { name, audience, streams: new Set() }
      topics.set(name, topic)
      return topic
    },
    close: ({ name }: Topic) => topics.delete(name),
    about: (audience: Audience, snapshotKey: SnapshotKey): Iterable<Stream> =>
      topics.get(nameOf(audience, snapshotKey))?.streams ?? [],
    *all(): Iterable<Stream> {
      for (const { streams } of topics.values()) yield* streams
    },
  }
}

function nameOf(audience: Audience, snapshotKey: SnapshotKey): string {
  return `${audience}:${snapshotKey}`
}

import type { SnapshotKey } from '../cache/published.ts'
import type { Reader } from '../cache/reader.ts'

/**
 * Names the changes that a stream receives. Audiences never share a stream: the versions of browsers and servers count
 * different changes, and OFREP clients read another form.
 */
export type Audience = 'browser' | 'server' | 'ofrep'

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
  /** Holds the credential and the address together. */
  readonly subject: string
}

/**
 * Describes one open connection. A node has ten thousand of them, so each is little more than pointers to shared
 * objects.
 */
export interface Stream {
  readonly sink: StreamSink
  readonly topic: Topic
  readonly owner: Counted<Reader>
  readonly subject: Counted<string>
  /** Numbers the portion of the heartbeats that the stream belongs to. */
  readonly portion: number
}

interface Topic {
  readonly name: string
  readonly audience: Audience
  readonly streams: Set<Stream>
}

interface Counted<Key> {
  readonly key: Key
  count: number
}

/** Holds the open streams, indexed by snapshot. */
export interface StreamRegistry {
  readonly size: number
  sizeOf(audience: Audience): number
  countOf(subject: string): number
  add(subscription: StreamSubscription, sink: StreamSink): Stream
  /** Removes a stream and returns whether it was present. */
  remove(stream: Stream): boolean
  about(audience: Audience, snapshotKey: SnapshotKey): Iterable<Stream>
  all(): Iterable<Stream>
  readers(): Iterable<Reader>
}

/** Creates an empty registry. Streams are assigned to `portions` in turn. */
export function createStreamRegistry(portions: number): StreamRegistry {
  const topics = new Map<string, Topic>()
  const owners = createCounter<Reader>()
  const subjects = createCounter<string>()
  const sizes: Record<Audience, number> = { browser: 0, server: 0, ofrep: 0 }
  let turn = 0

  const openTopic = (audience: Audience, snapshotKey: SnapshotKey) => {
    const name = nameOf(audience, snapshotKey)
    let topic = topics.get(name)
    if (topic === undefined) {
      topic = { name, audience, streams: new Set() }
      topics.set(name, topic)
    }
    return topic
  }
  return {
    get size() {
      return sizes.browser + sizes.server + sizes.ofrep
    },
    sizeOf: (audience) => sizes[audience],
    countOf: (subject) => subjects.countOf(subject),
    add({ audience, snapshotKey, reader, subject }, sink) {
      turn = (turn + 1) % portions
      const topic = openTopic(audience, snapshotKey)
      const owner = owners.add(reader)
      const stream = { sink, topic, owner, subject: subjects.add(subject), portion: turn }
      topic.streams.add(stream)
      sizes[audience] += 1
      return stream
    },
    remove(stream) {
      const { topic, owner, subject } = stream
      if (!topic.streams.delete(stream)) return false
      if (topic.streams.size === 0) topics.delete(topic.name)
      owners.remove(owner)
      subjects.remove(subject)
      sizes[topic.audience] -= 1
      return true
    },
    about: (audience, snapshotKey) => topics.get(nameOf(audience, snapshotKey))?.streams ?? [],
    *all() {
      for (const { streams } of topics.values()) yield* streams
    },
    readers: () => owners.keys(),
  }
}

function nameOf(audience: Audience, snapshotKey: SnapshotKey): string {
  return `${audience}:${snapshotKey}`
}

/** Counts the holders of a key, and forgets the key with the last one. */
function createCounter<Key>() {
  const counted = new Map<Key, Counted<Key>>()
  return {
    countOf: (key: Key) => counted.get(key)?.count ?? 0,
    add(key: Key): Counted<Key> {
      let entry = counted.get(key)
      if (entry === undefined) {
        entry = { key, count: 0 }
        counted.set(key, entry)
      }
      entry.count += 1
      return entry
    },
    remove(held: Counted<Key>) {
      held.count -= 1
      if (held.count === 0) counted.delete(held.key)
    },
    keys: () => counted.keys(),
  }
}

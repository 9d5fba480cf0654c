import type { PairKey } from '../cache/published.ts'
import type { Reader } from '../cache/reader.ts'

/**
 * Whose changes a stream tells of. They never share a stream, because the versions of browsers and servers count different
 * changes, and OFREP's clients read events of their own form.
 */
export type Audience = 'browser' | 'server' | 'ofrep'

/** Where a stream's bytes go: the answer of a request, or the socket itself. */
export interface StreamSink {
  /** What was written and not yet taken by the other side. */
  readonly writableLength: number
  write(bytes: Buffer): unknown
  end(text: string): unknown
  /**
   * Closes a socket once what was written has been handed on, without waiting for the other side to end as well. What is
   * an answer of node:http does so by itself.
   */
  destroySoon?(): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
}

/** What a stream is about, and whose it is. */
export interface StreamPlace {
  readonly audience: Audience
  readonly pair: PairKey
  readonly reader: Reader
  /** Credential and address together. */
  readonly subject: string
}

/** One open connection. Ten thousand of them are held, so each is little more than pointers to what many share. */
export interface Stream {
  readonly sink: StreamSink
  readonly topic: Topic
  readonly owner: Counted<Reader>
  readonly subject: Counted<string>
  /** A number below the count of portions. */
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

/** The open streams, found by what they are about. */
export interface StreamRegistry {
  readonly size: number
  sizeOf(audience: Audience): number
  countOf(subject: string): number
  add(place: StreamPlace, sink: StreamSink): Stream
  /** Answers whether it was there. */
  remove(stream: Stream): boolean
  about(audience: Audience, pair: PairKey): Iterable<Stream>
  all(): Iterable<Stream>
  readers(): Iterable<Reader>
}

/** Opens an empty registry. Streams are numbered in turn, below `portions`. */
export function createStreamRegistry(portions: number): StreamRegistry {
  const topics = new Map<string, Topic>()
  const owners = createCounter<Reader>()
  const subjects = createCounter<string>()
  const sizes: Record<Audience, number> = { browser: 0, server: 0, ofrep: 0 }
  let turn = 0

  const openTopic = (audience: Audience, pair: PairKey) => {
    const name = nameOf(audience, pair)
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
    add({ audience, pair, reader, subject }, sink) {
      turn = (turn + 1) % portions
      const topic = openTopic(audience, pair)
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
    about: (audience, pair) => topics.get(nameOf(audience, pair))?.streams ?? [],
    *all() {
      for (const { streams } of topics.values()) yield* streams
    },
    readers: () => owners.keys(),
  }
}

function nameOf(audience: Audience, pair: PairKey): string {
  return `${audience}:${pair}`
}

/** Counts how many hold a key, and forgets it with the last. */
function createCounter<Key>() {
  const counted = new Map<Key, Counted<Key>>()
  return {
    countOf: (key: Key) => counted.get(key)?.count ?? 0,
    add(key: Key): Counted<Key> {
      let found = counted.get(key)
      if (found === undefined) {
        found = { key, count: 0 }
        counted.set(key, found)
      }
      found.count += 1
      return found
    },
    remove(held: Counted<Key>) {
      held.count -= 1
      if (held.count === 0) counted.delete(held.key)
    },
    keys: () => counted.keys(),
  }
}

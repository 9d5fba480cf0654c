import type { ServerResponse } from 'node:http'
import type { PairKey } from './published.ts'
import type { Reader } from './reader.ts'

/** Whose changes a stream tells of. The two never share a stream, because their versions count different changes. */
export type Audience = 'browser' | 'server'

/** One open connection that is told of changes. */
export interface Stream {
  readonly response: ServerResponse
  readonly audience: Audience
  readonly pair: PairKey
  readonly reader: Reader
  /** Credential and address together. */
  readonly subject: string
}

/** The open streams, found by what they are about, by whose they are, and in portions of equal size. */
export interface StreamRegistry {
  readonly size: number
  count(audience: Audience): number
  countOf(subject: string): number
  add(stream: Stream): void
  /** Answers whether it was there. */
  remove(stream: Stream): boolean
  about(audience: Audience, pair: PairKey): Iterable<Stream>
  byReader(): Iterable<readonly [Reader, Iterable<Stream>]>
  portion(index: number): Iterable<Stream>
  all(): Iterable<Stream>
}

export function createStreamRegistry(portionCount: number): StreamRegistry {
  const streams = new Map<Stream, Set<Stream>>()
  const topics = new Map<string, Set<Stream>>()
  const readers = new Map<Reader, Set<Stream>>()
  const subjects = new Map<string, number>()
  const counts: Record<Audience, number> = { browser: 0, server: 0 }
  const portions: [Set<Stream>, ...Set<Stream>[]] = [new Set()]
  while (portions.length < portionCount) portions.push(new Set())

  return {
    get size() {
      return streams.size
    },
    count: (audience) => counts[audience],
    countOf: (subject) => subjects.get(subject) ?? 0,
    add(stream) {
      const { audience, pair, reader, subject } = stream
      const portion = smallest(portions)
      portion.add(stream)
      streams.set(stream, portion)
      addTo(topics, topicOf(audience, pair), stream)
      addTo(readers, reader, stream)
      subjects.set(subject, (subjects.get(subject) ?? 0) + 1)
      counts[audience] += 1
    },
    remove(stream) {
      const portion = streams.get(stream)
      if (portion === undefined) return false
      const { audience, pair, reader, subject } = stream
      portion.delete(stream)
      streams.delete(stream)
      removeFrom(topics, topicOf(audience, pair), stream)
      removeFrom(readers, reader, stream)
      const left = (subjects.get(subject) ?? 1) - 1
      if (left === 0) subjects.delete(subject)
      else subjects.set(subject, left)
      counts[audience] -= 1
      return true
    },
    about: (audience, pair) => topics.get(topicOf(audience, pair)) ?? [],
    byReader: () => readers,
    portion: (index) => portions[index] ?? [],
    all: () => streams.keys(),
  }
}

function topicOf(audience: Audience, pair: PairKey): string {
  return `${audience}:${pair}`
}

function smallest(sets: readonly [Set<Stream>, ...Set<Stream>[]]): Set<Stream> {
  return sets.reduce((least, set) => (set.size < least.size ? set : least))
}

function addTo<Key>(sets: Map<Key, Set<Stream>>, key: Key, stream: Stream): void {
  const found = sets.get(key)
  if (found === undefined) sets.set(key, new Set([stream]))
  else found.add(stream)
}

function removeFrom<Key>(sets: Map<Key, Set<Stream>>, key: Key, stream: Stream): void {
  const found = sets.get(key)
  found?.delete(stream)
  if (found?.size === 0) sets.delete(key)
}

import { limits, Problem } from '@signalbox/contract'
import { renderRetry } from './event-stream.ts'
import type { PairKey } from '../cache/published.ts'
import type { Reader } from '../cache/reader.ts'
import type { AdmitStream } from './stream-admission.ts'
import {
  createStreamRegistry,
  type Audience,
  type Stream,
  type StreamPlace,
  type StreamRegistry,
  type StreamSink,
} from './stream-registry.ts'

export interface StreamLimits {
  /** Open streams of one credential from one address. */
  readonly perSubject: number
  readonly perNode: number
  /** What a reader may leave unread before it is cut. */
  readonly queueBytes: number
}

/** 20 tabs of one office, 10,000 streams on one node, 256 KiB behind. */
const defaultStreamLimits: StreamLimits = {
  perSubject: 20,
  perNode: 10_000,
  queueBytes: limits.streamQueueBytes,
}

/** As many streams as there is memory for; slow readers are cut all the same. */
export const unlimitedStreams: Partial<StreamLimits> = {
  perSubject: Number.POSITIVE_INFINITY,
  perNode: Number.POSITIVE_INFINITY,
}

export interface OpenStream extends StreamPlace {
  /** The event the reader has missed, if any. */
  readonly missed: Buffer | undefined
  /** Called once the stream is admitted: sends the headers and `text`, and answers where the rest goes. */
  readonly begin: (text: string) => StreamSink
}

export interface StreamMetrics {
  setOpenStreams(audience: Audience, count: number): void
  recordCutStream(): void
}

/** Every open stream of this process. */
export interface Streams {
  readonly size: number
  /** Whose streams are open, each once. */
  readers(): Iterable<Reader>
  /**
   * @throws {Problem} `too_many_streams`; `overloaded` when the node has no room, `draining` when it is stopping; whatever
   * `admit` throws.
   */
  open(stream: OpenStream): void
  /** Sends the same bytes to everyone who listens to a pair. */
  send(audience: Audience, pair: PairKey, event: Buffer): void
  /** Ends the streams of a pair that is gone. */
  end(audience: Audience, pair: PairKey): void
  /** Tells every reader when to come back, ends its stream and takes no more. */
  close(): void
}

export interface StreamsOptions {
  readonly metrics: StreamMetrics
  readonly limits?: Partial<StreamLimits> | undefined
  /**
   * Asked last, about a stream that there is room for: throws when its subject, or all together, open too many. So
   * nothing is taken from what others may open for a stream that is refused.
   */
  readonly admit?: AdmitStream
  /** Default 15,000. Proxies close what is silent for 30 to 60 s. */
  readonly heartbeatMs?: number
  /** How often credentials are checked again. Default 1,000. */
  readonly checkMs?: number
  /** How long a reader may take to receive the end of its stream before it is cut. Default 2,000. */
  readonly endMs?: number
}

const heartbeat = Buffer.from(':\n\n')
/** Heartbeats go out in this many portions, so that none of them holds up an event for long. */
const portions = 15

export function createStreams(options: StreamsOptions): Streams {
  const { metrics, endMs = 2_000 } = options
  const most: StreamLimits = { ...defaultStreamLimits, ...options.limits }
  const registry = createStreamRegistry(portions)
  let closing = false

  const report = (audience: Audience) => metrics.setOpenStreams(audience, registry.sizeOf(audience))
  const forget = (stream: Stream) => {
    if (registry.remove(stream)) report(stream.topic.audience)
  }
  const write = (stream: Stream, bytes: Buffer) => {
    if (stream.sink.writableLength <= most.queueBytes) {
      stream.sink.write(bytes)
      return
    }
    metrics.recordCutStream()
    forget(stream)
    stream.sink.destroy()
  }
  const finish = (stream: Stream) => {
    forget(stream)
    endSoon(stream.sink, endMs)
  }
  const stopTimers = startTimers(registry, { write, finish, options })

  return {
    get size() {
      return registry.size
    },
    readers: () => registry.readers(),
    open(given) {
      const { begin, missed, subject, audience } = given
      if (closing) throw draining()
      if (registry.size >= most.perNode) throw nodeIsFull()
      if (registry.countOf(subject) >= most.perSubject) throw tooMany(most.perSubject)
      options.admit?.(subject)
      const sink = begin(missed === undefined ? renderRetry() : renderRetry() + missed.toString())
      const stream = registry.add(given, sink)
      sink.on('close', () => forget(stream))
      report(audience)
    },
    send(audience, pair, event) {
      for (const stream of registry.about(audience, pair)) write(stream, event)
    },
    end(audience, pair) {
      for (const stream of registry.about(audience, pair)) finish(stream)
    },
    close() {
      closing = true
      stopTimers()
      for (const stream of registry.all()) finish(stream)
    },
  }
}

/** Ends a stream that is not counted any more, so its connection must not outlast it, whatever the other side does. */
function endSoon(sink: StreamSink, endMs: number): void {
  sink.end(renderRetry())
  sink.destroySoon?.()
  const cut = setTimeout(() => sink.destroy(), endMs).unref()
  sink.on('close', () => clearTimeout(cut))
}

interface TimedWork {
  readonly write: (stream: Stream, bytes: Buffer) => void
  readonly finish: (stream: Stream) => void
  readonly options: StreamsOptions
}

/** Keeps silent streams alive, and ends those whose credential does not hold any more. */
function startTimers(registry: StreamRegistry, { write, finish, options }: TimedWork): () => void {
  const { heartbeatMs = 15_000, checkMs = 1_000 } = options
  let turn = 0
  const beating = setInterval(() => {
    turn = (turn + 1) % portions
    for (const stream of registry.all()) if (stream.portion === turn) write(stream, heartbeat)
  }, heartbeatMs / portions).unref()
  const checking = setInterval(() => {
    const ended = new Set([...registry.readers()].filter((reader) => !reader.isValid()))
    if (ended.size === 0) return
    for (const stream of registry.all()) if (ended.has(stream.owner.key)) finish(stream)
  }, checkMs).unref()
  return () => {
    clearInterval(beating)
    clearInterval(checking)
  }
}

function draining(): Problem {
  const detail = 'This node is stopping. Connect again.'
  return new Problem('draining', detail, { retryAfterSeconds: 1 })
}

function nodeIsFull(): Problem {
  const detail = 'This node has as many streams as it can hold. Connect again later.'
  return new Problem('overloaded', detail, { retryAfterSeconds: 10 })
}

function tooMany(most: number): Problem {
  return new Problem(
    'too_many_streams',
    `At most ${most} streams of one credential may be open from one address. Close one, or poll.`,
    { retryAfterSeconds: 30 },
  )
}

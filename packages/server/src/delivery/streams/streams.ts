import { limits, Problem } from '@signalbox/contract'
import { createDraining } from '../../http/end-spread.ts'
import { renderRetry } from './event-stream.ts'
import type { SnapshotKey } from '../cache/published.ts'
import type { Asker } from '../../http/admission/fair-rate.ts'
import type { NodeCounts } from '../../http/admission/node-counts.ts'
import type { Reader } from '../cache/reader.ts'
import type { StreamAdmission } from './stream-admission.ts'
import {
  createStreamRegistry,
  type Audience,
  type Stream,
  type StreamSubscription,
  type StreamRegistry,
  type StreamSink,
} from './stream-registry.ts'

/** Limits the open streams of a node. */
export interface StreamLimits {
  /** Limits the open streams of one credential from one address. */
  readonly perSubject: number
  /** Limits the open streams of the node. On a full one, who has most gives way to who has none. */
  readonly perNode: number
  /** Limits the open streams of one process of several, which has only so many connections. */
  readonly perProcess: number
  /** Limits the unread bytes of a reader; beyond it the stream is cut. */
  readonly queueBytes: number
}

/** Allows for 1,000 tabs of one office, 10,000 streams on one node, 256 KiB of unread bytes. */
const defaultStreamLimits: StreamLimits = {
  perSubject: 1_000,
  perNode: 10_000,
  perProcess: Number.POSITIVE_INFINITY,
  queueBytes: limits.streamQueueBytes,
}

/** Allows as many streams as there is memory for. Slow readers are still cut. */
export const unlimitedStreams: Partial<StreamLimits> = {
  perSubject: Number.POSITIVE_INFINITY,
  perNode: Number.POSITIVE_INFINITY,
}

/** Describes a stream that is about to open. */
export interface OpenStream extends StreamSubscription {
  /** Holds the event that the reader has missed, if any. */
  readonly missed: Buffer | undefined
  /** Called once the stream is admitted. Sends the headers and `text`, and returns the target of later events. */
  readonly begin: (text: string) => StreamSink
}

/** Records the open streams and the cut ones. */
export interface StreamMetrics {
  setOpenStreams(audience: Audience, count: number): void
  recordCutStream(): void
}

/** Holds every open stream of this process. */
export interface Streams {
  readonly size: number
  /** Counts the streams of all processes of the node. */
  sizeOfNode(): number
  /** Returns the readers of the open streams, each once. */
  readers(): Iterable<Reader>
  /**
   * Opens a stream.
   *
   * @throws {Problem} `too_many_streams`; `overloaded` when the node has no room, `draining` when it is stopping;
   * whatever `checkAdmission` throws.
   */
  open(stream: OpenStream): void
  /** Sends the same bytes to every stream of a snapshot. */
  send(audience: Audience, snapshotKey: SnapshotKey, event: Buffer): void
  /** Ends the streams of a snapshot that is gone. */
  end(audience: Audience, snapshotKey: SnapshotKey): void
  /** Ends every stream with a `retry:` field, also those that open meanwhile, spread over `overMs`. */
  drain(overMs: number): void
  /** Ends every stream with a `retry:` field, and refuses new ones. */
  close(): void
}

/** Configures limits and timers. */
export interface StreamsOptions {
  readonly metrics: StreamMetrics
  readonly limits?: Partial<StreamLimits> | undefined
  /**
   * Checked last, for a stream that the node has room for. Throws when its subject, or all together, open too many. A
   * refused stream therefore takes nothing from any limit.
   */
  readonly checkAdmission?: StreamAdmission
  /** Joins the processes of a node, so that the limits are those of all of them together. */
  readonly counts?: NodeCounts | undefined
  /** Sets how often a silent stream gets a comment. Default 15,000: proxies close what is silent for 30 to 60 s. */
  readonly heartbeatMs?: number
  /** Limits how long a reader may take to receive the end of its stream before it is cut. Default 2,000. */
  readonly endMs?: number
}

const heartbeat = Buffer.from(':\n\n')
/** Splits heartbeats into this many portions, so that none delays an event for long. */
const portions = 15

/** Creates the streams of one process, and starts the timers of heartbeats and credential checks. */
export function createStreams(options: StreamsOptions): Streams {
  const { metrics, endMs = 2_000 } = options
  const most: StreamLimits = { ...defaultStreamLimits, ...options.limits }
  const registry = createStreamRegistry(options.counts)
  let closing = false

  const report = (audience: Audience) => metrics.setOpenStreams(audience, registry.sizeOf(audience))
  const forget = (stream: Stream) => {
    if (registry.remove(stream)) report(stream.topic.audience)
  }
  const write = (stream: Stream, bytes: Buffer) => {
    const { sink } = stream
    if (sink.writableLength <= most.queueBytes) return void sink.write(bytes)
    metrics.recordCutStream()
    forget(stream)
    return void sink.destroy()
  }
  const finish = (stream: Stream) => {
    forget(stream)
    endSoon(stream.sink, endMs)
  }
  const pause = createDraining({
    size: () => registry.size,
    all: () => registry.all(),
    end: finish,
  })
  const stopTimers = startTimers(registry, { write, finish, options })

  return {
    get size() {
      return registry.size
    },
    sizeOfNode: () => registry.sizeOfNode,
    readers: () => registry.readers(),
    open(subscription) {
      const { begin, missed, asker, audience } = subscription
      if (closing) throw draining()
      if (registry.countOf(asker) >= most.perSubject) throw tooMany(most.perSubject)
      const toCut = findStreamToClose(registry, asker, most)
      options.checkAdmission?.(asker)
      if (toCut !== undefined) finish(toCut)
      const sink = begin(renderRetry('broken') + (missed?.toString() ?? ''))
      const stream = registry.add(subscription, sink)
      sink.on('close', () => forget(stream))
      report(audience)
    },
    send(audience, snapshotKey, event) {
      for (const stream of registry.about(audience, snapshotKey)) write(stream, event)
    },
    end(audience, snapshotKey) {
      for (const stream of registry.about(audience, snapshotKey)) finish(stream)
    },
    drain: (overMs) => pause.start(overMs),
    close() {
      closing = true
      pause.stop()
      stopTimers()
      for (const stream of registry.all()) finish(stream)
    },
  }
}

/** Returns the stream that has to make room for another one, if any. @throws {Problem} `overloaded` */
function findStreamToClose(
  registry: StreamRegistry,
  asker: Asker,
  { perNode, perProcess }: StreamLimits,
): Stream | undefined {
  if (registry.sizeOfNode < perNode && registry.size < perProcess) return undefined
  const toCut = registry.findToCut(asker, perNode)
  if (toCut === undefined) throw nodeIsFull()
  return toCut
}

/** Ends a stream. It is not counted any more, so its connection is cut if the client does not end it. */
function endSoon(sink: StreamSink, endMs: number): void {
  sink.end(renderRetry('goodbye'))
  sink.destroySoon?.()
  const cut = setTimeout(() => sink.destroy(), endMs).unref()
  sink.on('close', () => clearTimeout(cut))
}

interface TimedWork {
  readonly write: (stream: Stream, bytes: Buffer) => void
  readonly finish: (stream: Stream) => void
  readonly options: StreamsOptions
}

const checkCredentialsMs = 1_000

/** Starts the timers that keep silent streams alive and end those whose credential is no longer valid. */
function startTimers(registry: StreamRegistry, { write, finish, options }: TimedWork): () => void {
  const { heartbeatMs = 15_000 } = options
  let turn = 0
  const beating = setInterval(() => {
    turn = (turn + 1) % portions
    for (const stream of registry.all()) {
      if (stream.number % portions === turn) write(stream, heartbeat)
    }
  }, heartbeatMs / portions).unref()
  const checking = setInterval(() => {
    const ended = new Set([...registry.readers()].filter((reader) => !reader.isValid()))
    if (ended.size === 0) return
    for (const stream of registry.all()) if (ended.has(stream.owner.key)) finish(stream)
  }, checkCredentialsMs).unref()
  return () => {
    clearInterval(beating)
    clearInterval(checking)
  }
}

function draining(): Problem {
  const detail = 'This node is stopping. Reconnect.'
  return new Problem('draining', detail, { retryAfterSeconds: 1 })
}

function nodeIsFull(): Problem {
  const detail = 'This node has reached its limit of open streams. Reconnect later.'
  return new Problem('overloaded', detail, { retryAfterSeconds: 10 })
}

function tooMany(most: number): Problem {
  return new Problem(
    'too_many_streams',
    `One credential may have at most ${most} open streams from one address. Close one, or poll.`,
    { retryAfterSeconds: 30 },
  )
}

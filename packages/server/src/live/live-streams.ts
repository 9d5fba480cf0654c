import { limits, Problem } from '@signalbox/contract'
import { createDraining } from '../http/end-spread.ts'
import type { LiveChange } from './change.ts'
import { everything, renderChange, renderPosition, renderRetry } from './event-text.ts'
import type { LiveReader } from './feed.ts'
import type { ChangeRef } from './change-window.ts'
import { createLiveHistory, type LiveHistory } from './history.ts'
import {
  createLiveRegistry,
  type LivePerson,
  type LiveRegistry,
  type LiveRegistryOptions,
  type LiveSink,
  type LiveStream,
} from './live-registry.ts'
import { createChangeBatchers, type ChangeBatchersDeps } from './change-batchers.ts'

/** Describes a stream that is about to open. */
export interface OpenLiveStream extends LivePerson {
  /** Holds the position that the reader has reached. */
  readonly lastEventId: string | undefined
  /** Called once the stream is admitted. Sends the headers, and returns the target of later events. */
  readonly begin: () => LiveSink
}

/** Configures limits and timers. */
export interface LiveStreamsOptions
  extends LiveRegistryOptions, Pick<ChangeBatchersDeps, 'windowMs'> {
  /** Sets how often a silent stream gets its position. Default 15,000: proxies close what is silent for 30 to 60 s. */
  readonly heartbeatMs?: number
}

/** Holds every stream of this process that a dashboard reads. */
export interface LiveStreams extends LiveReader {
  readonly size: number
  all(): Iterable<LiveStream>
  /**
   * Returns the `lastEventId` for a page that reads its data from now on. A stream opened with it sends at least the
   * changes that are missing from that data.
   */
  position(): string
  /**
   * Opens a stream.
   *
   * @throws {Problem} `too_many_streams`, `overloaded` when the node has no room, `draining` when it is stopping
   */
  open(stream: OpenLiveStream): void
  /** Sends a `retry:` field and ends the stream. */
  end(stream: LiveStream): void
  /** Ends every stream, also those that open meanwhile, spread over `overMs`. */
  drain(overMs: number): void
  /** Ends every stream and refuses new ones. */
  close(): void
}

/** Limits how long a reader may take to receive the end of its stream before it is cut. */
const endMs = 2_000

/** Creates the streams of one process, and starts their heartbeat. */
export function createLiveStreams(options: LiveStreamsOptions = {}): LiveStreams {
  const { heartbeatMs = 15_000, ...batcherOptions } = options
  const registry = createLiveRegistry(options)
  const history = createLiveHistory()
  let isClosing = false

  const send = (orgId: string, text: string) => sendToAll(registry, orgId, text)
  const batchers = createChangeBatchers({
    ...batcherOptions,
    latest: () => history.xmin,
    send: (orgId, refs, position) => send(orgId, renderChanges(refs, position)),
  })
  const positionOf = (orgId: string) => batchers.positionOf(orgId) ?? history.xmin
  const end = (stream: LiveStream) => {
    registry.remove(stream)
    endSoon(stream.sink)
  }
  const pause = createDraining({ size: () => registry.size, all: () => registry.all(), end })
  const beating = setInterval(() => {
    for (const orgId of registry.organizations()) send(orgId, renderPosition(positionOf(orgId)))
  }, heartbeatMs).unref()

  return {
    get size() {
      return registry.size
    },
    hasReaders: () => registry.size > 0,
    all: () => registry.all(),
    position: () => String(history.xmin),
    open({ orgId, credentialId, userId, lastEventId, begin }) {
      if (isClosing) throw draining()
      registry.requireCapacity({ orgId, credentialId, userId })
      const missed = lastEventId === undefined ? '' : renderMissed(history, orgId, lastEventId)
      const sink = begin()
      const stream: LiveStream = { orgId, credentialId, userId, sink }
      registry.add(stream)
      sink.on('close', () => registry.remove(stream))
      sink.write(renderRetry() + missed + renderPosition(positionOf(orgId)))
    },
    end,
    receive(changes, next) {
      const before = history.xmin
      history.add(changes, next)
      const organizations = new Set(registry.organizations())
      for (const [orgId, refs] of groupByOrganization(changes, organizations))
        batchers.offer(orgId, refs, before)
    },
    receiveGap(poll) {
      history.forget(poll)
      batchers.clear()
      for (const orgId of registry.organizations()) send(orgId, renderChange(everything, poll.xmin))
    },
    drain: (overMs) => pause.start(overMs),
    close() {
      isClosing = true
      pause.stop()
      clearInterval(beating)
      batchers.clear()
      for (const stream of registry.all()) end(stream)
    },
  }
}

/** Sends the same text to every reader of an organization, and cuts readers that left too much unread. */
function sendToAll(registry: LiveRegistry, orgId: string, text: string): void {
  if (text === '') return
  for (const stream of registry.of(orgId)) {
    if (stream.sink.writableLength <= limits.streamQueueBytes) stream.sink.write(text)
    else {
      registry.remove(stream)
      stream.sink.destroy()
    }
  }
}

function renderChanges(refs: readonly ChangeRef[], position: bigint): string {
  return refs.map((change) => renderChange(change, position)).join('')
}

function renderMissed(history: LiveHistory, orgId: string, lastEventId: string): string {
  const known = parsePosition(lastEventId)
  const missed = known === undefined ? undefined : history.since(orgId, known)
  if (missed === undefined || known === undefined) return renderChange(everything, history.xmin)
  // A reader that disconnects in the middle gets all of them again.
  return renderChanges(missed, known)
}

function groupByOrganization(
  changes: readonly LiveChange[],
  organizations: ReadonlySet<string>,
): Map<string, ChangeRef[]> {
  const groups = new Map<string, ChangeRef[]>()
  for (const { orgId, topic, id } of changes) {
    if (!organizations.has(orgId)) continue
    const refs = groups.get(orgId) ?? []
    refs.push({ topic, id })
    groups.set(orgId, refs)
  }
  return groups
}

/** Parses a position; `undefined` for any other text. */
function parsePosition(text: string): bigint | undefined {
  return /^\d{1,20}$/.test(text) ? BigInt(text) : undefined
}

/** Ends a stream. It is not counted any more, so its connection is cut if the client does not end it. */
function endSoon(sink: LiveSink): void {
  sink.end(renderRetry())
  const cut = setTimeout(() => sink.destroy(), endMs).unref()
  sink.on('close', () => clearTimeout(cut))
}

function draining(): Problem {
  const detail = 'This node is stopping. Reconnect.'
  return new Problem('draining', detail, { retryAfterSeconds: 1 })
}

import { limits, Problem } from '@signalbox/contract'
import type { LiveChange } from './change.ts'
import { everything, renderHint, renderPosition, renderRetry } from './event-text.ts'
import type { LiveReader } from './feed.ts'
import type { Hint } from './hint-window.ts'
import { createLiveHistory, type LiveHistory } from './history.ts'
import {
  createLiveRegistry,
  type LivePerson,
  type LiveRegistry,
  type LiveRegistryOptions,
  type LiveSink,
  type LiveStream,
} from './live-registry.ts'
import { createOutboxes, type OutboxesDeps } from './outboxes.ts'

export interface OpenLiveStream extends LivePerson {
  /** What the reader has seen before. */
  readonly lastEventId: string | undefined
  /** Called once the stream is admitted: sends the headers, and answers where the rest goes. */
  readonly begin: () => LiveSink
}

export interface LiveStreamsOptions extends LiveRegistryOptions, Pick<OutboxesDeps, 'windowMs'> {
  /** Default 15,000. Proxies close what is silent for 30 to 60 s. */
  readonly heartbeatMs?: number
}

/** Every stream of this process that a dashboard reads. */
export interface LiveStreams extends LiveReader {
  readonly size: number
  all(): Iterable<LiveStream>
  /** `lastEventId` of who reads from now on: a stream that is opened with it tells at least what is not in their reads. */
  position(): string
  /** @throws {Problem} `too_many_streams`, `overloaded` when the node has no room, `draining` when it is stopping */
  open(stream: OpenLiveStream): void
  /** Tells the reader when to come back, and ends the stream. */
  end(stream: LiveStream): void
  /** Ends every stream and takes no more. */
  close(): void
}

/** How long a reader may take to receive the end of its stream before it is cut. */
const endMs = 2_000

export function createLiveStreams(options: LiveStreamsOptions = {}): LiveStreams {
  const { heartbeatMs = 15_000, ...outboxOptions } = options
  const registry = createLiveRegistry(options)
  const history = createLiveHistory()
  let isClosing = false

  const send = (orgId: string, text: string) => sendToAll(registry, orgId, text)
  const outboxes = createOutboxes({
    ...outboxOptions,
    latest: () => history.horizon,
    send: (orgId, hints, position) => send(orgId, renderHints(hints, position)),
  })
  const positionOf = (orgId: string) => outboxes.positionOf(orgId) ?? history.horizon
  const end = (stream: LiveStream) => {
    registry.remove(stream)
    endSoon(stream.sink)
  }
  const beating = setInterval(() => {
    for (const orgId of registry.organizations()) send(orgId, renderPosition(positionOf(orgId)))
  }, heartbeatMs).unref()

  return {
    get size() {
      return registry.size
    },
    isWanted: () => registry.size > 0,
    all: () => registry.all(),
    position: () => String(history.horizon),
    open({ orgId, credentialId, userId, lastEventId, begin }) {
      if (isClosing) throw draining()
      registry.requireRoom({ orgId, credentialId, userId })
      const missed = lastEventId === undefined ? '' : renderMissed(history, orgId, lastEventId)
      const sink = begin()
      const stream: LiveStream = { orgId, credentialId, userId, sink }
      registry.add(stream)
      sink.on('close', () => registry.remove(stream))
      sink.write(renderRetry() + missed + renderPosition(positionOf(orgId)))
    },
    end,
    take(changes, next) {
      const before = history.horizon
      history.add(changes, next)
      const wanted = new Set(registry.organizations())
      for (const [orgId, hints] of groupHints(changes, wanted)) outboxes.offer(orgId, hints, before)
    },
    takeGap(look) {
      history.forget(look)
      outboxes.clear()
      for (const orgId of registry.organizations())
        send(orgId, renderHint(everything, look.horizon))
    },
    close() {
      isClosing = true
      clearInterval(beating)
      outboxes.clear()
      for (const stream of registry.all()) end(stream)
    },
  }
}

/** Sends the same text to everyone who reads of an organization, and cuts who left too much unread. */
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

function renderHints(hints: readonly Hint[], position: bigint): string {
  return hints.map((hint) => renderHint(hint, position)).join('')
}

function renderMissed(history: LiveHistory, orgId: string, lastEventId: string): string {
  const known = parsePosition(lastEventId)
  const missed = known === undefined ? undefined : history.since(orgId, known)
  if (missed === undefined || known === undefined) return renderHint(everything, history.horizon)
  // Whoever loses the connection in the middle is to get all of them again.
  return renderHints(missed, known)
}

function groupHints(
  changes: readonly LiveChange[],
  wanted: ReadonlySet<string>,
): Map<string, Hint[]> {
  const groups = new Map<string, Hint[]>()
  for (const { orgId, topic, id } of changes) {
    if (!wanted.has(orgId)) continue
    const hints = groups.get(orgId) ?? []
    hints.push({ topic, id })
    groups.set(orgId, hints)
  }
  return groups
}

/** `undefined` for what is no position of ours. */
function parsePosition(text: string): bigint | undefined {
  return /^\d{1,20}$/.test(text) ? BigInt(text) : undefined
}

/** Ends a stream that is not counted any more, so its connection must not outlast it, whatever the other side does. */
function endSoon(sink: LiveSink): void {
  sink.end(renderRetry())
  const cut = setTimeout(() => sink.destroy(), endMs).unref()
  sink.on('close', () => clearTimeout(cut))
}

function draining(): Problem {
  const detail = 'This node is stopping. Connect again.'
  return new Problem('draining', detail, { retryAfterSeconds: 1 })
}

import type { QueryClient } from '@tanstack/react-query'
import { noteFollowing, showsTopic } from '../api/invalidate.ts'
import { openChangeStream, type LiveChange } from './change-stream.ts'
import { liveState, type LiveState } from './live-state.ts'
import { readAgain } from './read-again.ts'

type Message =
  | { readonly kind: 'change'; readonly change: LiveChange }
  | { readonly kind: 'state'; readonly state: LiveState }
  /** Sent by a page that was opened later, to get the current state. */
  | { readonly kind: 'ask' }

const staleAfterMs = 10_000
const pollEveryMs = 15_000

/**
 * Keeps every read of an organization as fresh as the server announces. Browsers open at most six connections to a
 * host, so one page holds the stream, the one with the lock, and passes the changes on to the others. `position` is
 * older than the first read of the organization: the server sends the changes since.
 */
export function followOrganization(
  orgId: string,
  client: QueryClient,
  position: string | null,
): () => void {
  const channel = new BroadcastChannel(`changes-${orgId}`)
  const ended = new AbortController()
  let isLeader = false
  // Earlier reads may have changed while no stream announced it.
  let mayBeOld = hasRead(client)
  let lastEventId = mayBeOld ? null : position

  const take = ({ topic }: LiveChange) => readAgain(client, (query) => showsTopic(query, topic))

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'ask') {
      // Another page holds the stream. When this page takes over, it must also read what failed while the other one
      // was cut off.
      lastEventId = null
      if (mayBeOld) take({ topic: 'all' })
      mayBeOld = false
    }
    if (data.kind === 'change') take(data.change)
    else if (data.kind === 'state') liveState.set(data.state)
    else if (isLeader) channel.postMessage({ kind: 'state', state: liveState.get() })
  })
  channel.postMessage({ kind: 'ask' } satisfies Message)
  const stopNoting = liveState.subscribe(() => noteFollowing(liveState.get().kind === 'live'))

  void navigator.locks
    .request(`changes-${orgId}`, { signal: ended.signal }, () => {
      isLeader = true
      return lead(orgId, { client, channel, take, lastEventId, signal: ended.signal })
    })
    // Thrown when the page goes to another organization before it gets the lock.
    .catch(() => undefined)

  return () => {
    ended.abort()
    channel.close()
    stopNoting()
    noteFollowing(false)
  }
}

/**
 * Returns whether the page has read anything besides the signed-in person. Such a read may be older than the position
 * that came with the person.
 */
function hasRead(client: QueryClient): boolean {
  const reads = client.getQueryCache().getAll()
  return reads.some(({ queryKey, state }) => queryKey[0] !== 'GET /me' && state.data !== undefined)
}

interface Lead {
  readonly client: QueryClient
  readonly channel: BroadcastChannel
  readonly take: (change: LiveChange) => void
  readonly lastEventId: string | null
  readonly signal: AbortSignal
}

/** Holds the lock and the stream until the signal. */
async function lead(
  orgId: string,
  { client, channel, take, lastEventId, signal }: Lead,
): Promise<void> {
  /** Says whether changes may have been missed, so that everything must be read again. */
  let mayHaveMissed = lastEventId === null
  let timers: ReturnType<typeof setTimeout>[] = []
  const report = (state: LiveState) => {
    liveState.set(state)
    channel.postMessage({ kind: 'state', state } satisfies Message)
  }
  const stopTimers = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  const spread = (change: LiveChange) => {
    take(change)
    channel.postMessage({ kind: 'change', change } satisfies Message)
  }

  const close = openChangeStream(orgId, {
    lastEventId,
    onChange: spread,
    onOpen: () => {
      stopTimers()
      report({ kind: 'live' })
      if (mayHaveMissed) spread({ topic: 'all' })
    },
    // Shows at once that the person was signed out elsewhere, not only at the next read.
    onRefused: () => void client.invalidateQueries({ queryKey: ['GET /me'] }),
    onLost: () => {
      mayHaveMissed = true
      if (timers.length > 0) return
      const since = new Date()
      report({ kind: 'reconnecting', since })
      timers = [
        setTimeout(() => report({ kind: 'stale', since }), staleAfterMs),
        setInterval(() => void client.invalidateQueries(), pollEveryMs),
      ]
    },
  })
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  stopTimers()
  close()
}

import type { QueryClient } from '@tanstack/react-query'
import { openHintStream, type Hint } from './hint-stream.ts'
import { liveState, type LiveState } from './live-state.ts'
import { showsTopic } from './topics.ts'

type Message =
  | { readonly kind: 'hint'; readonly hint: Hint }
  | { readonly kind: 'state'; readonly state: LiveState }
  /** A page that was opened later asks how things stand. */
  | { readonly kind: 'ask' }

const staleAfterMs = 10_000
const pollEveryMs = 15_000

/**
 * Keeps every read of an organization as fresh as the server says. Browsers open six connections to a host at most, so
 * one page holds the stream, whoever has the lock, and passes the hints on to the others.
 */
export function followOrganization(orgId: string, client: QueryClient): () => void {
  const channel = new BroadcastChannel(`hints-${orgId}`)
  const ended = new AbortController()
  let isLeader = false

  const take = ({ topic }: Hint) =>
    void client.invalidateQueries({ predicate: (query) => showsTopic(query, topic) })

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hint') take(data.hint)
    else if (data.kind === 'state') liveState.set(data.state)
    else if (isLeader) channel.postMessage({ kind: 'state', state: liveState.get() })
  })
  channel.postMessage({ kind: 'ask' } satisfies Message)

  void navigator.locks
    .request(`hints-${orgId}`, { signal: ended.signal }, () => {
      isLeader = true
      return lead(orgId, { client, channel, take, signal: ended.signal })
    })
    // Thrown when the page goes on to another organization before it was its turn.
    .catch(() => undefined)

  return () => {
    ended.abort()
    channel.close()
  }
}

interface Lead {
  readonly client: QueryClient
  readonly channel: BroadcastChannel
  readonly take: (hint: Hint) => void
  readonly signal: AbortSignal
}

/** Holds the stream until the signal, and the lock with it. */
async function lead(orgId: string, { client, channel, take, signal }: Lead): Promise<void> {
  let timers: ReturnType<typeof setTimeout>[] = []
  const report = (state: LiveState) => {
    liveState.set(state)
    channel.postMessage({ kind: 'state', state } satisfies Message)
  }
  const stopTimers = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  const spread = (hint: Hint) => {
    take(hint)
    channel.postMessage({ kind: 'hint', hint } satisfies Message)
  }

  const close = openHintStream(orgId, {
    onHint: spread,
    onOpen: () => {
      stopTimers()
      report({ kind: 'live' })
      // What happened before was told to nobody: while the connection was lost, or after the first reads of a page.
      spread({ topic: 'all' })
    },
    // Who has been signed out elsewhere is to see it now, and not at the next look.
    onRefused: () => void client.invalidateQueries({ queryKey: ['GET /me'] }),
    onLost: () => {
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

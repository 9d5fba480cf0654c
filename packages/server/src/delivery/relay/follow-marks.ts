import { takeRandomFraction } from '../../crypto/random.ts'
import type { Egress } from '../../egress/create-egress.ts'

/** Describes the stream of marks of an upstream. */
export interface FollowMarks {
  readonly egress: Pick<Egress, 'follow'>
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Called with each event, and when the stream begins: something may have changed while there was none. */
  readonly wake: () => void
  readonly signal: AbortSignal
  /** Limits the pause before the stream is opened again. Shorter in tests. */
  readonly pauseMs?: { readonly ended: number; readonly refused: number }
}

/** Waits longer than the upstream's comments are apart, 15 s, of which one may be late. */
const silentMs = 40_000
/** Waits longer where the upstream has no stream: an older release, or a key that it does not feed. */
const longestPauseMs = { ended: 5_000, refused: 15_000 }
const longestLine = 1_024

/**
 * Follows the marks of an upstream until `signal` is aborted. Its failures are nobody's concern: the feed asks for the mark each
 * second as well, and says when that fails.
 */
export async function followMarks({
  egress,
  url,
  headers,
  wake,
  signal,
  pauseMs = longestPauseMs,
}: FollowMarks): Promise<void> {
  while (!signal.aborted) {
    const read = createEventReader(wake)
    const status = await egress
      .follow(url, { headers, silentMs, signal, onText: (text) => read(text) })
      .catch(() => undefined)
    // By chance, so that relays do not all come back at once.
    const { ended, refused } = pauseMs
    await pause(
      takeRandomFraction() * (status === undefined || status === 200 ? ended : refused),
      signal,
    )
  }
}

/** Returns what reads a stream of events, of which only the names matter (HTML, 9.2.6). */
export function createEventReader(wake: () => void): (text: string) => void {
  let unread = ''
  let isMark = false
  let isFirst = true
  return (text) => {
    if (isFirst) wake()
    isFirst = false
    const lines = (unread + text).split('\n')
    unread = (lines.pop() ?? '').slice(0, longestLine)
    for (const line of lines) {
      if (line === 'event: mark') isMark = true
      else if (line === '') {
        if (isMark) wake()
        isMark = false
      }
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms).unref()
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}

/** Announces that something of this topic changed. Whoever shows it reads it again. */
export interface LiveChange {
  readonly topic: string
}

/** Describes where a stream begins, and its handlers. */
export interface ChangeStreamOptions {
  /** Holds the position of the first stream: the server sends the changes after it. `null`: from now on. */
  readonly lastEventId: string | null
  readonly onChange: (change: LiveChange) => void
  readonly onOpen: () => void
  readonly onLost: () => void
  /** Called when the server refuses the stream, once for each loss: nobody may be signed in any more. */
  readonly onRefused: () => void
}

const longestWaitMs = 15_000

/**
 * Follows the changes of an organization until the returned function is called. An EventSource gives up for good
 * after an error response, as while the server restarts. Then a new one is opened after a growing delay.
 */
export function openChangeStream(
  orgId: string,
  { lastEventId, ...handlers }: ChangeStreamOptions,
): () => void {
  const address = `/organizations/${encodeURIComponent(orgId)}/events`
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  function open(url: string): void {
    source = new EventSource(url)
    source.addEventListener('open', () => {
      failures = 0
      handlers.onOpen()
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const change = parseChange(data)
      if (change !== undefined) handlers.onChange(change)
    })
    source.addEventListener('error', () => {
      handlers.onLost()
      if (source.readyState !== EventSource.CLOSED) return
      if (failures === 0) handlers.onRefused()
      timer = setTimeout(
        () => open(address),
        Math.min(longestWaitMs, 500 * 2 ** failures++) * (0.5 + Math.random()),
      )
    })
  }

  open(lastEventId === null ? address : `${address}?lastEventId=${lastEventId}`)
  return () => {
    clearTimeout(timer)
    source.close()
  }
}

/** Parses the data of a message. Returns `undefined` for anything that names no topic. */
export function parseChange(data: string): LiveChange | undefined {
  try {
    const change: unknown = JSON.parse(data)
    if (typeof change !== 'object' || change === null || !('topic' in change)) return undefined
    const { topic } = change
    return typeof topic === 'string' ? { topic } : undefined
  } catch {
    return undefined
  }
}

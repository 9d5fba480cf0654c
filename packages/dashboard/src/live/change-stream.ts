/** "Something of this kind changed": whoever shows it reads it again. */
export interface LiveChange {
  readonly topic: string
}

export interface ChangeStreamOptions {
  /** From where the server tells of itself what was missed, when the stream is opened for the first time. */
  readonly lastEventId: string | null
  readonly onChange: (change: LiveChange) => void
  readonly onOpen: () => void
  readonly onLost: () => void
  /** The server answered with an error, once for each loss: nobody may be signed in any more. */
  readonly onRefused: () => void
}

const longestWaitMs = 15_000

/**
 * Follows the hints of an organization until it is closed. An EventSource gives up for good when it is answered with an
 * error, as while the server starts again: a new one is opened then, after a wait that grows.
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

import type { FetchLike } from './client-types.ts'
import { createEventParser } from './event-parser.ts'
import type { Host, LiveStream } from './host.ts'
import { later } from './later.ts'

/** The server sends a heartbeat every 15 s. A stream without three of them is broken, even if no error was reported. */
const silenceMs = 45_000

async function read(
  response: Awaited<ReturnType<FetchLike>>,
  dispatch: (type: string, data: string) => void,
  heard: () => void,
): Promise<void> {
  if (!response.ok || !(response.body instanceof ReadableStream)) return
  const feed = createEventParser(({ type, data }) => dispatch(type, data))
  const decoder = new TextDecoder()
  for await (const bytes of response.body) {
    heard()
    feed(decoder.decode(bytes, { stream: true }))
  }
}

/** Returns an `EventSource` that sends the key in a header, which the platform's cannot do. It does not reconnect by itself. */
export function createFetchEventSource(request: FetchLike): NonNullable<Host['EventSource']> {
  return class FetchEventSource implements LiveStream {
    readonly #listeners = new Map<string, (event: { readonly data: string }) => void>()
    readonly #closing = new AbortController()

    constructor(url: string) {
      void this.#run(url)
    }

    addEventListener(type: string, listener: (event: { readonly data: string }) => void): void {
      this.#listeners.set(type, listener)
    }

    close(): void {
      this.#closing.abort()
    }

    async #run(url: string): Promise<void> {
      const { signal } = this.#closing
      let watchdog: ReturnType<typeof setTimeout> | undefined
      const heard = () => {
        clearTimeout(watchdog)
        watchdog = later(() => this.#fail(), silenceMs)
      }
      try {
        heard()
        const response = await request(url, { headers: { accept: 'text/event-stream' }, signal })
        await read(response, (type, data) => this.#listeners.get(type)?.({ data }), heard)
      } catch {
        // Refused, interrupted or malformed: the client reconnects in each case.
      }
      clearTimeout(watchdog)
      this.#fail()
    }

    #fail(): void {
      if (this.#closing.signal.aborted) return
      this.#closing.abort()
      this.#listeners.get('error')?.({ data: '' })
    }
  }
}

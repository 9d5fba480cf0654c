import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FetchLike } from './client-types.ts'
import { createFetchEventSource } from './fetch-event-source.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** A stream whose bytes the test sends. */
function openStream() {
  let send: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = controller
    },
  })
  const request: FetchLike = async () => new Response(body)
  const Source = createFetchEventSource(request)
  const source = new Source('http://server/stream')
  const heard: string[] = []
  source.addEventListener('config', ({ data }) => heard.push(data))
  source.addEventListener('error', () => heard.push('error'))
  return { source, heard, write: (text: string) => send?.enqueue(new TextEncoder().encode(text)) }
}

describe('a stream read through fetch', () => {
  it('dispatches its events by their type', async () => {
    const { heard, write } = openStream()
    write('event: config\ndata: 1\n\nevent: other\ndata: 2\n\n')
    await vi.advanceTimersByTimeAsync(0)
    expect(heard).toEqual(['1'])
  })

  it('that is silent for three heartbeats is given up', async () => {
    const { heard } = openStream()
    await vi.advanceTimersByTimeAsync(44_000)
    expect(heard).toEqual([])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(heard).toEqual(['error'])
  })

  it('lives on as long as it is heard of', async () => {
    const { heard, write } = openStream()
    for (let beat = 0; beat < 10; beat += 1) {
      write(': heartbeat\n\n')
      await vi.advanceTimersByTimeAsync(15_000)
    }
    expect(heard).toEqual([])
  })

  it('says nothing any more once it is closed', async () => {
    const { source, heard } = openStream()
    source.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(heard).toEqual([])
  })
})

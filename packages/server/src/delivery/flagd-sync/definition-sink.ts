import type { ServerHttp2Stream } from 'node:http2'
import type { StreamSink } from '../streams/stream-registry.ts'
import { frame, renderConfiguration } from './grpc-frames.ts'
import { renderTrailers, type GrpcStatus } from './grpc-status.ts'

/** Sends definitions to one call, each of which replaces the one before. */
export interface DefinitionSink extends StreamSink {
  send(definition: Buffer): void
}

/**
 * Begins the answer to a call. A reader that is slow gets the newest definition alone, so none waits for it. `endStatus`
 * returns the status with which the call ends: never OK, after which providers do not come back.
 */
export function createDefinitionSink(
  stream: ServerHttp2Stream,
  endStatus: () => GrpcStatus,
): DefinitionSink {
  let waiting: Buffer | undefined
  let isFull = false
  let trailers: Record<string, string> = {}
  let held: Buffer | undefined
  const send = (definition: Buffer) => {
    if (stream.writableEnded || stream.destroyed) return
    if (isFull) {
      waiting = definition
      return
    }
    // A new version of values or secrets need not have other flags.
    if (held?.equals(definition) === true) return
    held = definition
    isFull = !stream.write(frame(renderConfiguration(definition)))
  }
  stream.on('drain', () => {
    isFull = false
    const next = waiting
    waiting = undefined
    if (next !== undefined) send(next)
  })
  stream.on('wantTrailers', () => stream.sendTrailers(trailers))
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  return {
    // Nothing waits but the newest definition.
    writableLength: 0,
    send,
    // Heartbeats are for event streams. HTTP/2 has pings of its own.
    write: () => true,
    end() {
      waiting = undefined
      trailers = renderTrailers(endStatus())
      stream.end()
    },
    destroy: () => stream.destroy(),
    on: (event, listener) => stream.on(event, listener),
  }
}

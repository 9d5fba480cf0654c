import type { Socket } from 'node:net'
import { claimedTokenKind } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import type { OnStream } from '../http/answer.ts'
import type { Serving } from '../cache/serving.ts'
import { authenticate, requireReaderNetwork } from '../http/authenticate.ts'
import { readBearerToken } from '../http/bearer-token.ts'
import { originFor } from '../http/cors.ts'
import { streamHeaders } from '../streams/event-stream.ts'
import { followStream } from '../streams/follow-stream.ts'
import { parseStreamRequest, type StreamRequest } from './parse-stream-request.ts'
import { parseTarget, type Target } from '../http/target.ts'

/**
 * Receives a connection before node:http does. A plain request for a stream that can be answered at once becomes a
 * stream on the bare socket. Every other request, and every one that is refused, goes to `pass` with its bytes unread:
 * `http/routes.ts` answers it in the same way, and answers all streams where `plainStreams` is set.
 *
 * An idle stream costs a fraction of the memory that it costs node:http (bench/stream-memory.ts, docs/decisions/0051).
 */
export type AcceptStream = (socket: Socket, pass: () => void) => void

/** Closes a connection that sends nothing, as node:http does with `headersTimeout`. */
const silentMs = 10_000

/** Creates the receiver of the connections of one listener. `onStream` is called with each that has become a stream. */
export function createAcceptStream(serving: Serving, onStream: OnStream): AcceptStream {
  return (socket, pass) => {
    const onTimeout = () => socket.destroy()
    const onError = () => socket.destroy()
    const onData = (chunk: Buffer) => {
      socket.off('timeout', onTimeout).setTimeout(0)
      if (becomesStream(serving, socket, chunk)) return onStream(socket)
      socket.off('error', onError).off('end', onError).pause().unshift(chunk)
      pass()
      socket.resume()
    }
    socket.on('error', onError)
    socket.on('end', onError)
    socket.setTimeout(silentMs, onTimeout)
    socket.once('data', onData)
  }
}

/** Opens a stream when the bytes are a request for one; returns whether it did. */
function becomesStream(serving: Serving, socket: Socket, bytes: Buffer): boolean {
  const request = parseStreamRequest(bytes)
  if (request === undefined) return false
  try {
    return openFor(serving, socket, request)
  } catch {
    // The handler refuses the same request with its problem.
    return false
  }
}

function openFor(serving: Serving, socket: Socket, { url, headers }: StreamRequest): boolean {
  const target = parseTarget(url)
  if (target.route !== 'stream' || !isForKeys(target, headers)) return false
  const request = { headers, socket }
  const at = serving.now()
  const reader = authenticate(serving.authentication, {
    request,
    apiKey: target.query.apiKey,
    acceptCookies: false,
    atMs: at.getTime(),
    isTrial: true,
  })
  if (reader instanceof Promise) {
    // The handler identifies the caller again, and answers.
    reader.catch(() => undefined)
    return false
  }
  if (reader.type !== 'apiKey') return false
  const allowOrigin = originFor({ request }, reader, true)
  requireReaderNetwork(serving.authentication, request, reader)
  const { snapshotKey, query } = target
  const lastEventId = headers['last-event-id']
  const followed = followStream(serving, reader, { snapshotKey, query, lastEventId })
  serving.streams.open({
    ...followed,
    reader,
    asker: serving.allowances.subjectOf(request, reader),
    begin(text) {
      const lines = { ...streamHeaders(newId('req', at), allowOrigin), Date: at.toUTCString() }
      socket.write(`HTTP/1.1 200 OK\r\n${renderHeaders(lines)}\r\n${text}`, 'latin1')
      // Reads and ignores further bytes: only reading notices the end of the connection.
      socket.resume()
      return socket
    },
  })
  serving.answerCounts.count('stream', 200)
  return true
}

/** Returns whether the credential is a key, which is checked at once and in memory. */
function isForKeys({ query }: Target, headers: StreamRequest['headers']): boolean {
  const { authorization } = headers
  const token = authorization === undefined ? query.apiKey : readBearerToken(authorization)
  const kind = token === undefined ? undefined : claimedTokenKind(token)
  return kind === 'b2m' || kind === 'm2m'
}

/** Renders headers as they stand on the wire. Names and values must be free of line breaks. */
function renderHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
}

import type { Socket } from 'node:net'
import { claimedTokenKind } from '@signalbox/contract'
import type { Allowances } from '../http/allowances.ts'
import type { AnswerTally } from '../http/answer-tally.ts'
import type { Authenticate } from '../http/authenticate.ts'
import { readBearerToken } from '../http/bearer-token.ts'
import { originFor } from '../http/cors.ts'
import { streamHeaders } from './event-stream.ts'
import { followStream, type FollowDeps } from './follow-stream.ts'
import { toHeaderText } from '../http/header-lines.ts'
import { parseStreamRequest, type StreamRequest } from './parse-stream-request.ts'
import { createRequestIds } from '../http/request-ids.ts'
import type { Streams } from './streams.ts'
import { parseTarget, type Target } from '../http/target.ts'

export interface StreamDoorDeps extends FollowDeps {
  readonly authenticate: Authenticate
  readonly allowances: Allowances
  readonly streams: Streams
  readonly tally: AnswerTally
  readonly now: () => Date
}

/**
 * Receives a connection before node:http does. A plain request for a stream that can be answered at once becomes a stream
 * on the bare socket; everything else, every refusal included, is passed on as if nothing had looked at it.
 *
 * An open connection of node:http costs 14 kB, a parser waiting for a next request among them that never comes; a bare
 * socket costs 3 kB (bench/sse-fanout.ts).
 */
export type StreamDoor = (socket: Socket, pass: () => void) => void

/** As for node:http: who connects and says nothing does not hold the connection for long. */
const silentMs = 10_000

export function createStreamDoor(deps: StreamDoorDeps): StreamDoor {
  const open = createOpener(deps)
  return (socket, pass) => {
    const onTimeout = () => socket.destroy()
    const onError = () => socket.destroy()
    const onData = (chunk: Buffer) => {
      socket.off('timeout', onTimeout).setTimeout(0)
      if (open(socket, chunk)) return
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

/** Answers whether the bytes were a request for a stream, and the stream was opened. */
function createOpener(deps: StreamDoorDeps): (socket: Socket, bytes: Buffer) => boolean {
  const { authenticate, allowances, streams, tally, now } = deps
  const nextRequestId = createRequestIds()

  const openFor = (socket: Socket, { url, headers }: StreamRequest) => {
    const target = parseTarget(url)
    if (target.route !== 'stream' || !isForKeys(target, headers)) return false
    const request = { headers, socket }
    const at = now()
    const reader = authenticate({
      request,
      apiKey: target.query.apiKey,
      acceptCookies: false,
      atMs: at.getTime(),
      trial: true,
    })
    if (reader instanceof Promise || reader.type !== 'apiKey') return false
    const allowOrigin = originFor({ request }, reader, true)
    const { pair, query } = target
    const lastEventId = headers['last-event-id']
    const followed = followStream(deps, reader, { pair, query, lastEventId })
    streams.open({
      ...followed,
      reader,
      subject: allowances.subjectOf(request, reader).place,
      begin(text) {
        const lines = streamHeaders(nextRequestId(at.getTime()), allowOrigin)
        lines.push('Date', at.toUTCString())
        socket.write(`HTTP/1.1 200 OK\r\n${toHeaderText(lines)}\r\n${text}`, 'latin1')
        // Whatever else is sent is read, so that the end is noticed, and means nothing.
        socket.resume()
        return socket
      },
    })
    tally.count('stream', 200)
    return true
  }
  return (socket, bytes) => {
    const request = parseStreamRequest(bytes)
    if (request === undefined) return false
    try {
      return openFor(socket, request)
    } catch {
      // The same request is refused by the handler, with the problem.
      return false
    }
  }
}

/** Whether the credential is one that is checked at once and in memory. */
function isForKeys({ query }: Target, headers: StreamRequest['headers']): boolean {
  const { authorization } = headers
  const token = authorization === undefined ? query.apiKey : readBearerToken(authorization)
  const kind = token === undefined ? undefined : claimedTokenKind(token)
  return kind === 'b2m' || kind === 'm2m'
}

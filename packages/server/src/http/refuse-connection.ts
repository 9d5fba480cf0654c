import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { limits, Problem } from '@signalbox/contract'
import { newId } from '../crypto/ids.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { renderProblem } from './answers/problem-response.ts'

/** Lists what the rejection of a connection needs. */
export interface RejectionDeps {
  readonly metrics: Pick<Metrics, 'recordRefusedConnection'>
  readonly now: () => Date
}

/**
 * Creates the listener of a server's `clientError`. It answers bytes that never became a request, if the client is
 * still connected, and lets go of the connection after `leaveMs` at the latest, whatever the client does.
 */
export function createClientErrorListener(
  { metrics, now }: RejectionDeps,
  leaveMs: number,
): (error: Error, socket: Duplex) => void {
  /** Node reports each further byte of a refused connection as an error of its own. */
  const refused = new WeakSet<Duplex>()
  return (error, socket) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const problem = toConnectionProblem(error)
    metrics.recordRefusedConnection(problem?.code ?? 'reset')
    if (problem === undefined || !socket.writable || isAnswered(socket)) socket.destroy()
    else refuseConnection(socket, renderRejection(problem, newId('req', now())), leaveMs, problem)
  }
}

interface ConnectionError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

/** Returns the problem of a connection that never became a request; `undefined` when the client is gone. */
function toConnectionProblem({ code = '', rawPacket }: ConnectionError): Problem | undefined {
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return undefined
    case 'HPE_HEADER_OVERFLOW':
      return isLongTarget(rawPacket)
        ? new Problem('url_too_long', `The URL may have at most ${limits.urlBytes} bytes.`)
        : new Problem(
            'headers_too_large',
            `The headers may have at most ${limits.headerBytes} bytes.`,
          )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time. Send it again.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('body_too_large', 'The chunk extensions are too large.')
    default:
      return new Problem('invalid_header', 'The request is not valid HTTP/1.1.')
  }
}

/** Returns whether the first line of the packet alone exceeds the limit. */
function isLongTarget(packet: Buffer | undefined): boolean {
  if (packet === undefined || !/^[A-Z]{3,10} \//.test(packet.toString('latin1', 0, 16)))
    return false
  const end = packet.indexOf('\n')
  return end < 0 || end > limits.urlBytes
}

function renderRejection(problem: Problem, requestId: string): string {
  const { status, headers, body } = renderProblem(problem, requestId)
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}

/**
 * Sends the answer and closes. A client that is still sending is read until it ends or `leaveMs` are over: a connection
 * that is closed under unread bytes is reset, and the client sees no answer. After a timeout nothing more is read, because
 * the rest of the request could still arrive and be carried out.
 */
function refuseConnection(
  socket: Duplex,
  answer: string,
  leaveMs: number,
  { code }: Pick<Problem, 'code'>,
): void {
  const cut = setTimeout(() => socket.destroy(), leaveMs).unref()
  socket.once('close', () => clearTimeout(cut))
  socket.end(answer)
  if (code === 'request_timeout') closeOnceSent(socket)
}

function closeOnceSent(socket: Duplex): void {
  if (socket.writableFinished) socket.destroy()
  else socket.once('finish', () => socket.destroy())
}

/**
 * Returns whether the request that the bytes belong to has an answer, or the beginning of one. A second answer would be read
 * as part of the first, or as the answer to the next request. Node stores the answer in progress and the request that is
 * being parsed on the socket.
 */
function isAnswered(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage')
  if (typeof answer === 'object' && answer !== null) {
    return Reflect.get(answer, '_headerSent') === true
  }
  const parser: unknown = Reflect.get(socket, 'parser')
  const request: unknown = Reflect.get(Object(parser), 'incoming')
  return (
    typeof request === 'object' && request !== null && Reflect.get(request, 'complete') !== true
  )
}

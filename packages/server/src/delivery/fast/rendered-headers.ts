// oxlint-disable no-underscore-dangle -- node:http gives its fields these names
import { validateHeaderName, validateHeaderValue, type ServerResponse } from 'node:http'

/** Renders headers as they are sent, one line each, once for many answers. @throws {TypeError} for what no header may hold */
export function renderHeaders(headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name)
    validateHeaderValue(name, String(value))
    return `${name}: ${value}\r\n`
  })
  return lines.join('')
}

/** Lists what node:http makes of a status and headers. Its `writeHead` sets the same. */
interface Internals {
  _header?: string | null
  _hasBody: boolean
  readonly _keepAliveTimeout?: number
}

const statusLines = { 200: 'HTTP/1.1 200 OK', 304: 'HTTP/1.1 304 Not Modified' } as const

/** Describes an answer whose headers are rendered. */
interface RenderedAnswer {
  readonly status: 200 | 304
  readonly headers: string
  readonly now: () => Date
}

/**
 * Writes the status and the headers of an answer. `writeHead` would check and join every header again (bench/delivery-read.ts, P1).
 * It is used where the connection ends with the answer, and by a Node that keeps the headers elsewhere.
 */
export function writeRenderedHeaders(
  response: ServerResponse & Partial<Internals>,
  { status, headers, now }: RenderedAnswer,
): void {
  const keepAliveMs = response._keepAliveTimeout ?? 0
  const isPlain = response.getHeaderNames().length === 0 && response._header === null
  if (!isPlain || !response.shouldKeepAlive || keepAliveMs === 0) {
    response.writeHead(status, parseHeaders(headers))
    return
  }
  response.statusCode = status
  if (status === 304) response._hasBody = false
  response._header = `${statusLines[status]}\r\n${headers}Date: ${renderDate(now())}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`
}

function parseHeaders(headers: string): string[] {
  return headers
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const colonAt = line.indexOf(':')
      return [line.slice(0, colonAt), line.slice(colonAt + 2)]
    })
}

let renderedSecond = 0
let rendered = ''

/** Renders a moment for the header `Date`, once a second. */
function renderDate(now: Date): string {
  const second = Math.floor(now.getTime() / 1000)
  if (second !== renderedSecond) {
    renderedSecond = second
    rendered = now.toUTCString()
  }
  return rendered
}

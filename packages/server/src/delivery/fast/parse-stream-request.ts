import { limits } from '@signalbox/contract'

/** Describes a request for a stream that arrived in one piece. */
export interface StreamRequest {
  readonly url: string
  /** Maps header names in lower case to their values. */
  readonly headers: Readonly<Record<string, string>>
}

// These patterns run before authentication, so they must take linear time: no pattern has two parts of any length that
// match the same characters.
const requestLine = /^GET (\/snapshots\/[!->@-~]{1,200}\/stream(?:\?[!-~]*)?) HTTP\/1\.1$/
const headerName = /^[!#$%&'*+.^`|~\w-]+$/
const headerValue = /^[\t -~\u0080-\u00ff]*$/
/** Lists headers that only a complete HTTP parser handles: bodies, other protocols, `Expect`. */
const unusual = new Set(['content-length', 'transfer-encoding', 'upgrade', 'expect', 'trailer'])

/**
 * Parses the first bytes of a connection as a request for a stream: complete, in the plainest form, and nothing after
 * it. Returns `undefined` for everything else, which node:http then reads or refuses.
 */
export function parseStreamRequest(bytes: Buffer): StreamRequest | undefined {
  if (bytes.length > limits.headerBytes || !startsLikeStream(bytes)) return undefined
  const text = bytes.toString('latin1')
  if (text.indexOf('\r\n\r\n') !== text.length - 4) return undefined
  const [first = '', ...lines] = text.slice(0, -4).split('\r\n')
  const url = requestLine.exec(first)?.[1]
  if (url === undefined || url.length > limits.urlBytes) return undefined
  const headers = parseHeaders(lines)
  return headers === undefined || headers['host'] === undefined ? undefined : { url, headers }
}

const beginning = Buffer.from('GET /snapshots/')

function startsLikeStream(bytes: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning)
}

function parseHeaders(lines: readonly string[]): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const colonAt = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colonAt))
    const value = trimBlanks(line, colonAt + 1)
    if (!headerName.test(name) || !headerValue.test(value)) return undefined
    const lowerName = name.toLowerCase()
    // A repeated header is left to the rules of node:http.
    if (unusual.has(lowerName) || lowerName in headers) return undefined
    headers[lowerName] = value
  }
  return headers
}

/** Returns `line` from `start` on without surrounding blanks (RFC 9110 §5.6.3: spaces and tabs, no others). */
function trimBlanks(line: string, start: number): string {
  let from = start
  let to = line.length
  while (from < to && isBlank(line.charCodeAt(from))) from += 1
  while (to > from && isBlank(line.charCodeAt(to - 1))) to -= 1
  return line.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

import { connect } from 'node:net'
import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from '../http.ts'

/** After so long without an end of it, a connection is ended from here: the server waits longer for the rest. */
const patienceMs = 300

/** Sends bytes that need not be HTTP, and reads the first answer that is complete. Status 0 says that none came. */
export function sendWire(url: string, bytes: Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.setTimeout(patienceMs, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (isComplete(Buffer.concat(chunks))) socket.destroy()
    })
    // A server that refuses at once may reset a connection that still sends.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      const tookMs = performance.now() - startedAt
      resolve({ ...parseAnswer(Buffer.concat(chunks)), tookMs })
    })
    socket.write(bytes)
  })
}

function parseAnswer(bytes: Buffer): Omit<Answer, 'tookMs'> {
  const { head, body } = split(bytes)
  const [first = '', ...lines] = head.split('\r\n')
  // Only says that the answer will come.
  if (first.startsWith('HTTP/1.1 100')) return parseAnswer(body)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
  const headers: IncomingHttpHeaders = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const length = Number(headers['content-length'] ?? body.length)
  return { status, headers, rawHeaders: lines, bytes: body.subarray(0, length) }
}

function isComplete(bytes: Buffer): boolean {
  const { headers, bytes: body } = parseAnswer(bytes)
  const length = headers['content-length']
  return length !== undefined && body.length >= Number(length)
}

function split(bytes: Buffer): { head: string; body: Buffer } {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return { head: bytes.toString('latin1'), body: Buffer.alloc(0) }
  return { head: bytes.subarray(0, end).toString('latin1'), body: bytes.subarray(end + 4) }
}

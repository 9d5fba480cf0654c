import { connect, type Socket } from 'node:net'
import { pin } from './child.ts'
import { percentile } from './record.ts'

/** A request to repeat. With a body it is a POST. */
export interface LoadRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Requests to repeat for some seconds, in turn, each connection one at a time. */
export interface Load {
  readonly port: number
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
  /** Moves this process, which sends them, to a core. Undefined: it stays on any. */
  readonly core: number | undefined
  /** Sends each request once, however long that takes. */
  readonly isOnce?: boolean
  /** Names a header that has another value in each request. */
  readonly numberedBy?: string
}

export interface LoadResult {
  readonly answers: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were neither 200, 202 nor 304, and connections that broke. */
  readonly errors: number
}

/** Sums up how long each answer took, in milliseconds. */
export function summarize(timesMs: readonly number[], seconds: number, errors = 0): LoadResult {
  return {
    answers: timesMs.length,
    requestsPerSecond: timesMs.length / seconds,
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
    errors,
  }
}

const fine = new Set([200, 202, 304])
let core: number | undefined
let sent = 0

/** Sends over bare sockets, which costs a quarter of what `node:http` does, so that the server is busy and not this. */
export async function runLoad(load: Load): Promise<LoadResult> {
  if (load.core !== undefined && load.core !== core) pin(process.pid, (core = load.core))
  const messages = load.requests.map((request) => renderRequest(request, load.numberedBy))
  const timesMs: number[] = []
  let errors = 0
  const begunAt = performance.now()
  const endAt = begunAt + load.seconds * 1000
  const isOver = (turn: number) =>
    load.isOnce === true ? turn >= messages.length : performance.now() >= endAt
  const run = async (worker: number) => {
    const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
    for (let turn = worker; !isOver(turn); turn += load.connections) {
      const at = performance.now()
      const status = await ask(socket, messages[turn % messages.length]?.() ?? '')
      timesMs.push(performance.now() - at)
      if (!fine.has(status)) errors += 1
    }
    socket.destroy()
  }
  const workers = Array.from({ length: load.connections }, (_, worker) => run(worker))
  for (const result of await Promise.allSettled(workers))
    if (result.status === 'rejected') errors += 1
  return summarize(timesMs, (performance.now() - begunAt) / 1000, errors)
}

function renderRequest(
  { path, headers, body }: LoadRequest,
  numberedBy: string | undefined,
): () => string {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: '127.0.0.1', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}`
  const rest = `\r\n${body ?? ''}`
  const whole = head + rest
  // Numbers begin with the process, so that a later one does not repeat them.
  return numberedBy === undefined
    ? () => whole
    : () => `${head}${numberedBy}: ${process.pid}-${(sent += 1)}\r\n${rest}`
}

/** Sends a request, reads its answer to the end, and returns the status. Rejects when the connection ends instead. */
function ask(socket: Socket, message: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = ''
    let status = 0
    let left = Number.POSITIVE_INFINITY
    let isChunked = false
    const onData = (chunk: Buffer) => {
      let length = chunk.length
      if (status === 0) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        status = Number(head.slice(9, 12))
        isChunked = /\r\ntransfer-encoding: chunked\r\n/i.test(head.slice(0, end + 2))
        left = status === 304 ? 0 : lengthOf(head.slice(0, end))
        length = head.length - end - 4
      }
      left -= length
      const isWhole = isChunked ? chunk.subarray(-5).toString() === '0\r\n\r\n' : left <= 0
      if (!isWhole) return
      socket.off('data', onData).off('close', onClose)
      resolve(status)
    }
    const onClose = () => reject(new Error('The connection ended'))
    socket.on('data', onData).on('close', onClose)
    socket.write(message)
  })
}

function lengthOf(head: string): number {
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length)
}

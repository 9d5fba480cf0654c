import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { percentile } from './record.ts'

/**
 * Readers of one event stream, in a process of their own, over bare sockets so that they cost as little as possible.
 * Started with `{ port, path, token, count, perSecond }` as JSON. Says when all are connected; then a line of
 * `{ "<version>": <a moment> }` on the standard input is answered with how long after it the versions came.
 */
const { port, path, token, count, perSecond } = JSON.parse(process.argv[2] ?? '{}') as {
  port: number
  path: string
  token: string
  count: number
  perSecond: number
}

const now = () => performance.timeOrigin + performance.now()
/** Version -> when each reader heard of it. */
const arrivals = new Map<number, number[]>()
let open = 0
let refused = 0

function openOne(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let started = false
    socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    socket.on('data', (chunk: Buffer) => {
      const at = now()
      const text = chunk.toString('latin1')
      if (!started) {
        started = true
        if (text.startsWith('HTTP/1.1 200')) open += 1
        else refused += 1
        resolve()
      }
      for (const [, version] of text.matchAll(/^id: (\d+)$/gm)) {
        const times = arrivals.get(Number(version))
        if (times === undefined) arrivals.set(Number(version), [at])
        else times.push(at)
      }
    })
    socket.on('error', () => {
      refused += 1
      resolve()
    })
    socket.on('close', () => {
      if (started) open -= 1
    })
  })
}

const begunAt = now()
const opening: Promise<void>[] = []
const batch = Math.max(1, Math.round(perSecond / 100))
for (let started = 0; started < count; started += batch) {
  for (let index = 0; index < Math.min(batch, count - started); index += 1) opening.push(openOne())
  await new Promise((resolve) => setTimeout(resolve, 10))
}
await Promise.all(opening)
process.stdout.write(
  `${JSON.stringify({ open, refused, connectedInMs: Math.round(now() - begunAt) })}\n`,
)

const rounded = (value: number) => Math.round(value * 100) / 100

createInterface({ input: process.stdin }).on('line', (line) => {
  const published = Object.entries(JSON.parse(line) as Record<string, number>)
  const delays: number[] = []
  const lasts: number[] = []
  let missed = 0
  let superseded = 0
  for (const [version, publishedAt] of published) {
    const times = (arrivals.get(Number(version)) ?? []).map((at) => Math.max(0, at - publishedAt))
    // Two writes that are seen in one look are one event, with the later version.
    if (times.length === 0) {
      superseded += 1
      continue
    }
    missed += open - times.length
    for (const time of times) delays.push(time)
    lasts.push(times.reduce((latest, time) => Math.max(latest, time), 0))
  }
  const report = {
    open,
    refused,
    events: published.length,
    superseded,
    missed,
    p50Ms: rounded(percentile(delays, 0.5)),
    p99Ms: rounded(percentile(delays, 0.99)),
    maxMs: rounded(percentile(delays, 1)),
    lastReaderP50Ms: rounded(percentile(lasts, 0.5)),
    lastReaderP99Ms: rounded(percentile(lasts, 0.99)),
  }
  process.stdout.write(`${JSON.stringify(report)}\n`)
})

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A webhook that arrived. */
export interface Received {
  readonly event: string
  readonly guid: string
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly body: Readonly<Record<string, unknown>>
  /** Returns whether the signature is that of `secret` over the bytes that arrived. */
  isSignedWith(secret: string): boolean
}

/** A server that takes webhooks as the product does: over HTTP, from the bytes up. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Holds what it answers. Default 202. `undefined`: nothing. */
  status: number | undefined
  events(): readonly string[]
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push(read(request.headers, Buffer.concat(parts)))
      if (receiver.status === undefined) return
      response.writeHead(receiver.status, { 'x-received': String(received.length) })
      response.end('thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    status: 202,
    events: () => received.map(({ event }) => event),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

function read(headers: IncomingHttpHeaders, bytes: Buffer): Received {
  const raw = bytes.toString('utf8')
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
  const json = isForm ? (new URLSearchParams(raw).get('payload') ?? '') : raw
  return {
    event: String(headers['x-github-event']),
    guid: String(headers['x-github-delivery']),
    headers,
    raw,
    body: JSON.parse(json),
    isSignedWith(secret) {
      const wanted = Buffer.from(
        `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`,
      )
      const given = Buffer.from(String(headers['x-hub-signature-256']))
      return wanted.length === given.length && timingSafeEqual(wanted, given)
    },
  }
}

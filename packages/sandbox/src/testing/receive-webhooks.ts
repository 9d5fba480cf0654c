import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A webhook that arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly raw: string
}

/** A server that takes webhooks as the product does: over HTTP, from the bytes up. */
export interface Receiver<Webhook = Received> {
  readonly url: string
  readonly received: Webhook[]
  /** Holds what it answers. Default 202. `undefined`: nothing. */
  status: number | undefined
  close(): Promise<void>
}

/** Starts a receiver on a free port. `read` adds what the tests of a provider look at. */
export async function receiveWebhooks<Webhook>(
  read: (webhook: Received) => Webhook,
): Promise<Receiver<Webhook>> {
  const received: Webhook[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const bytes = Buffer.concat(parts)
      received.push(read({ headers: request.headers, bytes, raw: bytes.toString('utf8') }))
      if (receiver.status === undefined) return
      response.writeHead(receiver.status, { 'x-received': String(received.length) })
      response.end('thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver<Webhook> = {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    status: 202,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

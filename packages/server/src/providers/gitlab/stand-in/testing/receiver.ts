import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A server that takes webhooks as the product does: over HTTP, from the bytes up. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Holds what it answers. Default 202. */
  status: number
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const raw = Buffer.concat(parts).toString('utf8')
      received.push({ headers: request.headers, raw, body: JSON.parse(raw) })
      response.writeHead(receiver.status)
      response.end('thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
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

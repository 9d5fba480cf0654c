import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An event as it arrived. */
export interface ReceivedEvent {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly raw: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Listens for events as a product would. */
export interface EventReceiver {
  readonly url: string
  readonly received: ReceivedEvent[]
  /** Holds what the next requests are answered, in this order; then 200 again. 0: the connection is closed instead. */
  readonly answers: { status: number; headers?: Record<string, string> }[]
  /** True when the challenge is given back. */
  answersChallenge: boolean
  close(): Promise<void>
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const raw = Buffer.concat(parts).toString('utf8')
      const body = JSON.parse(raw) as Record<string, unknown>
      receiver.received.push({ headers: request.headers, raw, body })
      if (body['type'] === 'url_verification') {
        const challenge = receiver.answersChallenge ? body['challenge'] : 'another'
        response.end(JSON.stringify({ challenge }))
        return
      }
      const { status, headers } = receiver.answers.shift() ?? { status: 200 }
      if (status === 0) response.destroy()
      else response.writeHead(status, headers).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${port}/slack/events`,
    received: [],
    answers: [],
    answersChallenge: true,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../network/ports.ts'

/** Takes webhooks from a provider, and repeats each until some node has answered that it has stored it. */
export interface RetryingCourier {
  /** Holds the address that the provider sends to. */
  readonly url: string
  close(): Promise<void>
}

const pauseMs = 200

/** @param listAddresses of the nodes that are up. */
export async function openRetryingCourier(
  listAddresses: () => readonly string[],
): Promise<RetryingCourier> {
  const closing = new AbortController()
  const server = createServer(async (incoming, response) => {
    const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers
    const body = await buffer(incoming)
    const post = async (to: string) => {
      const init = { method: 'POST', headers: headers as Record<string, string>, body }
      const answer = await fetch(`${to}/webhooks/codehost`, {
        ...init,
        signal: AbortSignal.timeout(5_000),
      })
      await answer.arrayBuffer()
      return answer.status
    }
    for (let turn = 0; !closing.signal.aborted; turn += 1) {
      const addresses = listAddresses()
      const to = addresses[turn % addresses.length]
      if (to !== undefined && (await post(to).catch(() => 0)) === 202) break
      await delay(pauseMs)
    }
    response.writeHead(202).end()
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      closing.abort()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

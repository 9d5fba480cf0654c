import { once } from 'node:events'
import { Agent, createServer, request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from './network/ports.ts'

/** The way between a provider and the nodes, on which webhooks are lost, repeated and overtake each other. */
export interface Postman {
  /** Holds the address that the provider sends to. */
  readonly url: string
  /** Counts the webhooks that wait to be handed over. */
  readonly waiting: number
  /** Lists how long each took that was answered with 202, in milliseconds. */
  readonly ackMs: readonly number[]
  /** Webhooks that never arrived: the provider was told so. */
  readonly lost: number
  /** Counts how often one was sent to a node that died over it, or was not there. */
  readonly failed: number
  /**
   * Hands over what waits: a twentieth never, the others one to five times, in any order, to whichever node is up. The
   * provider hears how the last of them went: whatever no node took is in its log as failed.
   */
  handOver(): Promise<void>
  close(): Promise<void>
}

interface Item {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  isTaken: boolean
  left: number
  readonly answer: (status: number) => void
}

const lostShare = 0.05
const timesMax = 5
const connections = 16

/** @param listAddresses of the nodes that are up. */
export async function openPostman(listAddresses: () => readonly string[]): Promise<Postman> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ackMs: number[] = []
  let [lost, failed] = [0, 0]
  let items: Item[] = []
  const server = createServer(async (incoming, response) => {
    const { headers } = incoming
    const body = await buffer(incoming)
    const answer = (status: number) => void response.writeHead(status).end()
    items.push({ headers, body, isTaken: false, left: 0, answer })
  })
  // Waiting requests may take longer than usual ones.
  server.requestTimeout = 0
  const port = await listen(server)

  const send = async (item: Item) => {
    const addresses = listAddresses()
    const to = addresses[Math.floor(Math.random() * addresses.length)]
    const startedAt = performance.now()
    const status = to === undefined ? 0 : await post(agent, to, item).catch(() => 0)
    if (status === 202) {
      item.isTaken = true
      ackMs.push(performance.now() - startedAt)
    } else {
      failed += 1
    }
    item.left -= 1
    if (item.left === 0) item.answer(item.isTaken ? 202 : 502)
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    get waiting() {
      return items.length
    },
    ackMs,
    get lost() {
      return lost
    },
    get failed() {
      return failed
    },
    async handOver() {
      const [all, copies] = [items, [] as Item[]]
      items = []
      for (const item of all) {
        item.left = Math.random() < lostShare ? 0 : 1 + Math.floor(Math.random() * timesMax)
        for (let time = 0; time < item.left; time += 1) copies.push(item)
        if (item.left > 0) continue
        lost += 1
        item.answer(502)
      }
      const shuffled = copies
        .map((item) => ({ item, place: Math.random() }))
        .toSorted((one, other) => one.place - other.place)
      const work = async () => {
        for (let next = shuffled.pop(); next !== undefined; next = shuffled.pop()) {
          await send(next.item)
        }
      }
      await Promise.all(Array.from({ length: connections }, work))
    },
    async close() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function post(agent: Agent, to: string, { headers, body }: Item): Promise<number> {
  const { host: _, connection: __, ...kept } = headers
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: kept, agent, timeout: 20_000 }
    const sent = request(`${to}/webhooks/codehost`, options, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
      answer.once('error', reject)
    })
    sent.once('timeout', () => sent.destroy(new Error('No answer in twenty seconds')))
    sent.once('error', reject)
    sent.end(body)
  })
}

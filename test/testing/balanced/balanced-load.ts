import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { openStream } from '../../../packages/server/src/delivery/testing/http-client.ts'
import { bearer } from '../http.ts'

/** Says where the load goes, and which keys it uses. */
export interface BalancedPlace {
  readonly apiUrl: string
  readonly configUrl: string
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  readonly serverKey: string
  readonly browserKey: string
}

/** Counts the answers that a load has had so far. */
export interface BalancedLoad {
  readonly answered: { reads: number; writes: number; streams: number }
  /** Holds how long each follower was without a stream after one had ended, in milliseconds. */
  readonly movedMs: readonly number[]
  /** Describes each request that got no answer, or another than 200. */
  readonly failures: readonly string[]
  /** Ends the load, and resolves when every request under way has its answer. */
  stop(): Promise<void>
}

/** Leaves the processors to the nodes, which start and stop meanwhile. */
const pauseMs = 10

let written = 0

/**
 * Starts readers of the delivery and of the API, writers, and followers of streams, without a pause: half of them keep their
 * connection, and half open one for each request. A follower whose stream ends is back at once, as the most impatient client.
 */
export function startBalancedLoad(place: BalancedPlace): BalancedLoad {
  const answered = { reads: 0, writes: 0, streams: 0 }
  const movedMs: number[] = []
  const failures: string[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  const { schemaId, environmentId, orgId, browserKey, serverKey } = place
  const snapshot = `/snapshots/${schemaId}/${environmentId}`
  const values = `/organizations/${orgId}/config-values`

  const read = async (agent: Agent | false, url: string, path: string, token: string) => {
    const failure = await send({ agent, url, path, token })
    if (failure === undefined) answered.reads += 1
    else failures.push(`GET ${path}: ${failure}`)
  }
  const write = async (agent: Agent | false) => {
    const open = `rolling-${process.pid}-${++written}`
    const body = { schemaId, environmentId, values: { open } }
    const failure = await send({ agent, url: place.apiUrl, path: values, token: serverKey, body })
    if (failure !== undefined) return failures.push(`PUT ${values}: ${failure}`)
    return (answered.writes += 1)
  }
  const repeat = async (shoot: (agent: Agent | false) => Promise<unknown>, keeps: boolean) => {
    const agent = keeps ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    while (!signal.aborted) {
      await shoot(agent)
      await delay(pauseMs)
    }
    if (agent !== false) agent.destroy()
  }
  const noteMove = (tookMs: number, hintMs: number) => {
    movedMs.push(tookMs)
    // A client that waits as it was told finds a node that serves it.
    if (tookMs > hintMs) failures.push(`stream: it was away for ${tookMs} ms of ${hintMs}`)
  }
  const follow = async (token: string) => {
    const port = Number(new URL(place.configUrl).port)
    let ended: { readonly atMs: number; readonly hintMs: number } | undefined
    while (!signal.aborted) {
      try {
        const stream = await openStream(port, `${snapshot}/stream`, bearer(token))
        if (stream.status !== 200) failures.push(`stream: ${stream.status}`)
        answered.streams += 1
        if (ended !== undefined) noteMove(performance.now() - ended.atMs, ended.hintMs)
        const leave = () => stream.close()
        signal.addEventListener('abort', leave)
        await stream.ended
        signal.removeEventListener('abort', leave)
        const [, hint] = /\nretry: (\d{4,5})\n\n$/.exec(stream.text()) ?? []
        ended = hint === undefined ? undefined : { atMs: performance.now(), hintMs: Number(hint) }
        if (!signal.aborted && hint === undefined) failures.push('stream: it ended without a word')
      } catch (error) {
        failures.push(`stream: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  const clients = [true, false].flatMap((keeps) => [
    ...[browserKey, serverKey, browserKey].map((token) =>
      repeat((agent) => read(agent, place.configUrl, snapshot, token), keeps),
    ),
    repeat(
      (agent) =>
        read(
          agent,
          place.apiUrl,
          `${values}?schemaId=${schemaId}&environmentId=${environmentId}`,
          serverKey,
        ),
      keeps,
    ),
    repeat(write, keeps),
  ])
  const followers = Array.from({ length: 12 }, (_, index) =>
    follow(index % 2 === 0 ? browserKey : serverKey),
  )
  return {
    answered,
    movedMs,
    failures,
    async stop() {
      stopping.abort()
      await Promise.all([...clients, ...followers])
    },
  }
}

interface Shot {
  readonly agent: Agent | false
  readonly url: string
  readonly path: string
  readonly token: string
  /** Makes it a PUT. */
  readonly body?: object
}

/** Sends one request. Returns what went wrong, if anything. */
function send({ agent, url, path, token, body }: Shot): Promise<string | undefined> {
  const { hostname, port } = new URL(url)
  const json = body && JSON.stringify(body)
  return new Promise((resolve) => {
    const sent = request({
      hostname,
      port,
      path,
      agent,
      method: body === undefined ? 'GET' : 'PUT',
      headers: {
        ...bearer(token),
        ...(json !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(json)),
        }),
      },
    })
    sent.once('error', ({ message }) => resolve(message))
    sent.once('response', (answer) => {
      answer.once('error', ({ message }) => resolve(`broke off: ${message}`))
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve(answer.statusCode === 200 ? undefined : `answered ${answer.statusCode} ${text}`)
      })
    })
    sent.end(json)
  })
}

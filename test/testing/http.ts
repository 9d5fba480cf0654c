import { Agent, request, type IncomingHttpHeaders } from 'node:http'

/** One request, sent as it stands here: nothing of it is normalised. */
export interface Ask {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is, instead of `json`. */
  readonly bytes?: Buffer | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Names and values in the order they came. */
  readonly rawHeaders: readonly string[]
  readonly bytes: Buffer
  readonly tookMs: number
}

export interface Client {
  send(ask: Ask): Promise<Answer>
  close(): void
}

/** Opens a client that keeps its connections. */
export function createClient(baseUrl: string): Client {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    send: (ask) => send({ host: hostname, port, agent }, ask),
    close: () => agent.destroy(),
  }
}

interface Connection {
  readonly host: string
  readonly port: string
  readonly agent: Agent | false
}

/** Sends one request and collects the answer. Rejects when the connection breaks before the answer is complete. */
function send(place: Connection, { method, path, headers, json, bytes }: Ask): Promise<Answer> {
  const body = bytes ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)))
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...place,
        method,
        path,
        headers: {
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...(body !== undefined && { 'content-length': String(body.length) }),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        const finish = () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            rawHeaders: answer.rawHeaders,
            bytes: Buffer.concat(chunks),
            tookMs: performance.now() - startedAt,
          })
        answer.once('end', finish)
        // A stream does not end: its beginning is the answer.
        if (answer.headers['content-type']?.startsWith('text/event-stream') !== true) return
        answer.once('data', () => {
          finish()
          sent.destroy()
        })
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

/** The body of an answer, parsed. Fails for anything but 2xx. */
export function read(answer: Answer): unknown {
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`Answered ${answer.status}: ${answer.bytes.toString('utf8').slice(0, 500)}`)
  }
  return JSON.parse(answer.bytes.toString('utf8'))
}

/** The header that presents a token. */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/**
 * Reads everything that a relay with this key is sent: the mark, and the index, manifests and records to which it leads,
 * each by the hash under which it is fetched.
 */
export async function readReplica(
  client: Client,
  headers: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Buffer>> {
  const mark = await client.send({ method: 'GET', path: '/replica/mark', headers })
  const { text } = read(mark) as { text: string }
  const texts = new Map([['mark', mark.bytes]])
  const missing = text.split('\n').slice(3, 4)
  for (const sha256 of missing) {
    if (texts.has(sha256)) continue
    const { status, bytes } = await client.send({
      method: 'GET',
      path: `/replica/objects/${sha256}`,
      headers,
    })
    if (status !== 200) throw new Error(`What the mark leads to is answered with ${status}`)
    texts.set(sha256, bytes)
    const [form, ...lines] = bytes.toString('utf8').split('\n')
    if (form === 'signalbox-listing 1') {
      missing.push(...lines.map((line) => line.split(' ')[1] ?? ''))
    }
  }
  return texts
}

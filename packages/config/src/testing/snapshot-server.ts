import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConfigValue, FlagRules, Targeting } from '@signalbox/contract'

export const schemaId = 'sch_01jd2m4x9k0000000000000000'
export const environmentId = 'env_01jd2m4x9k0000000000000000'
export const orgId = 'acme'
export const environment = 'production'
export const schema = 'web'
export const browserKey = `sbx_b2m_${'a'.repeat(46)}`
export const serverKey = `sbx_m2m_${'b'.repeat(46)}`

/**
 * Says how requests for the snapshot are answered. `late`: with the snapshot before the newest one. `detail`: with a problem
 * document that says so.
 */
export type Behaviour = 'well' | 'late' | 'hang' | 'hangInBody' | 'cut' | 'garbage' | Rejection

interface Rejection {
  readonly status: number
  readonly detail?: string
}

export interface Content {
  readonly version: number
  readonly schemaId: string
  readonly schema: string
  readonly public: Readonly<Record<string, ConfigValue>>
  readonly featureFlags: Readonly<Record<string, boolean>>
  readonly secret: Readonly<Record<string, ConfigValue>>
  readonly flagRules?: FlagRules
  readonly targeting?: Readonly<Record<string, Targeting>> | undefined
}

export interface SnapshotServer {
  readonly url: string
  /** Every request, oldest first. Example: `GET /snapshots/…`. */
  readonly requests: readonly {
    readonly line: string
    readonly headers: IncomingMessage['headers']
  }[]
  /** Counts the snapshots that were asked for. */
  asked(): number
  openStreams(): number
  behave(snapshots: Behaviour, streams?: 'well' | { readonly status: number }): void
  /** Writes a new version and tells the streams. */
  publish(changes: Partial<Content>): void
  cutStreams(): void
  stop(): Promise<void>
  /** Listens again on the same port. */
  restart(): Promise<void>
}

const path = `/snapshots/${schemaId}/${environmentId}`
const namedPath = `/organizations/${orgId}/config/snapshot`

/** A server that speaks the protocol of snapshots over a real socket, and misbehaves on demand. */
export async function startSnapshotServer(first: Partial<Content> = {}): Promise<SnapshotServer> {
  let content: Content = {
    version: 1,
    schemaId,
    schema,
    public: { apiUrl: 'https://a.example', pageSize: 20 },
    featureFlags: { newCheckout: false },
    secret: { stripeKey: 'sk_canary' },
    ...first,
  }
  let before = content
  let snapshots: Behaviour = 'well'
  let streamBehaviour: 'well' | { readonly status: number } = 'well'
  let port = 0
  const requests: { line: string; headers: IncomingMessage['headers'] }[] = []
  const streams = new Set<ServerResponse>()

  const eventOf = ({ version }: Content) =>
    `event: config\nid: ${version}\ndata: ${JSON.stringify({ version, etag: `"v${version}"` })}\n\n`

  const sendStream = (response: ServerResponse) => {
    if (streamBehaviour !== 'well') return response.writeHead(streamBehaviour.status).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`retry: 1000\n\n: hello\n\n${eventOf(content)}`)
    streams.add(response)
    return response.on('close', () => streams.delete(response))
  }

  const sendRejection = (response: ServerResponse, { status, detail }: Rejection) => {
    if (detail !== undefined) response.setHeader('content-type', 'application/problem+json')
    return response.writeHead(status).end(JSON.stringify({ detail }))
  }

  const sendSnapshot = (request: IncomingMessage, response: ServerResponse, isServer: boolean) => {
    if (snapshots === 'hang') return undefined
    if (typeof snapshots === 'object') return sendRejection(response, snapshots)
    const { secret, flagRules, targeting, ...open } = snapshots === 'late' ? before : content
    const etag = `"v${open.version}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
    const document = {
      format: 1,
      environmentId,
      ...open,
      ...(isServer && { secret, flagRules, targeting }),
    }
    const body = snapshots === 'garbage' ? '<html>' : JSON.stringify(document)
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': isServer ? 'private, no-store' : 'public, no-cache',
      etag,
    })
    if (snapshots !== 'cut' && snapshots !== 'hangInBody') return response.end(body)
    response.write(body.slice(0, 10))
    return snapshots === 'cut' ? setTimeout(() => response.destroy(), 20) : undefined
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://server')
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers })
    response.setHeader('access-control-allow-origin', '*')
    const inUrl = url.searchParams.get('apiKey')
    const key = inUrl ?? request.headers.authorization?.replace('Bearer ', '')
    if (inUrl === serverKey) return response.writeHead(400).end('{}')
    if (key !== browserKey && key !== serverKey) return response.writeHead(401).end('{}')
    if (url.pathname === `${path}/stream`) return sendStream(response)
    const isNamed =
      url.pathname === namedPath &&
      url.searchParams.get('environment') === environment &&
      // Empty is the only one there is.
      [content.schema, '', null].includes(url.searchParams.get('schema'))
    if (url.pathname === path || isNamed) {
      return sendSnapshot(request, response, key === serverKey)
    }
    return response.writeHead(404).end('{}')
  })

  const restart = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        const address = server.address() as AddressInfo
        port = address.port
        resolve()
      })
    })
  await restart()

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    asked: () => requests.filter(({ line }) => !line.includes('/stream')).length,
    openStreams: () => streams.size,
    behave(how, streaming = 'well') {
      snapshots = how
      streamBehaviour = streaming
    },
    publish(changes) {
      before = content
      content = { ...content, version: content.version + 1, ...changes }
      for (const response of streams) response.write(eventOf(content))
    },
    cutStreams() {
      for (const response of streams) response.destroy()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    restart,
  }
}

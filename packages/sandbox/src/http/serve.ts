import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Faults, FaultKind } from './faults.ts'
import type { Mount, Provider } from './provider.ts'
import type { RequestLog } from './request-log.ts'
import { json } from './answers.ts'
import { matchPath, type Answer, type Route, type SandboxRequest } from './route.ts'
import { setTimeout as delay } from 'node:timers/promises'

/** Describes the server: its address, and everything that it serves. */
export interface ServeOptions {
  readonly host: string
  /** Holds the port. 0: any free one. */
  readonly port: number
  readonly providers: readonly Provider[]
  /** Lists the sandbox's own routes. They get no faults and are not logged. */
  readonly own: readonly Route[]
  readonly faults: Faults
  readonly log: RequestLog
}

/** Holds the running server. */
export interface Serving {
  /** Example: `http://127.0.0.1:4500`. */
  readonly origin: string
  close(): Promise<void>
}

const bodyBytesMax = 30 * 1024 * 1024

/** Serves all providers at one address, each below its prefixes. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { host, port } = options
  const mounts = options.providers
    .flatMap((provider) => provider.mounts.map((mount) => ({ provider, mount })))
    // Tries the longest prefix first: `/github/api` is no page of `/github`.
    .toSorted((one, other) => other.mount.prefix.length - one.mount.prefix.length)
  const answerAt = createAnswer(options, mounts)
  const server = createServer((request, response) => {
    void answerAt(request, response, originOf(server.address(), host)).catch(() => {
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    origin: originOf(server.address(), host),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function originOf(address: string | AddressInfo | null, host: string): string {
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

interface Mounted {
  readonly provider: Provider
  readonly mount: Mount
}

type AnswerAt = (
  incoming: IncomingMessage,
  response: ServerResponse,
  origin: string,
) => Promise<void>

function createAnswer({ own, faults, log }: ServeOptions, mounts: readonly Mounted[]): AnswerAt {
  return async (incoming, response, origin) => {
    const at = new Date().toISOString()
    const url = new URL(incoming.url ?? '/', origin)
    const read = { method: incoming.method ?? 'GET', url, origin }
    const body = await readBody(incoming)
    const headers = headersOf(incoming)
    const mounted = mounts.find(
      ({ mount: { prefix } }) => url.pathname === prefix || url.pathname.startsWith(`${prefix}/`),
    )
    if (mounted === undefined) {
      const request = toRequest({ ...read, headers, body }, '')
      send(response, await handle(own, request, nothingHere))
      return
    }
    const { provider, mount } = mounted
    const request = toRequest({ ...read, headers, body }, mount.prefix)
    if (mount.isForWatching === true) {
      send(response, await handle(mount.routes, request, mount.unknown))
      return
    }
    const fault = faults.take(provider.name, `${request.method} ${request.path}`)
    const run = async () => {
      const answer = await handle(mount.routes, request, mount.unknown)
      return { ...answer, headers: { ...mount.headers?.(request), ...answer.headers } }
    }
    const status = await answerWith(fault, response, run)
    log.add({
      at,
      provider: provider.name,
      method: request.method,
      path: `${request.path}${url.search}`,
      headers,
      body: body.toString('utf8'),
      status,
    })
  }
}

async function handle(
  routes: readonly Route[],
  request: SandboxRequest,
  unknown: (request: SandboxRequest) => Answer,
): Promise<Answer> {
  for (const route of routes) {
    if (route.method !== request.method) continue
    const params = matchPath(route.path, request.path)
    if (params !== undefined) return route.handle({ ...request, params })
  }
  return unknown(request)
}

function nothingHere({ path }: SandboxRequest): Answer {
  return json({ message: `The sandbox has nothing at ${path}.` }, 404)
}

interface ReceivedRequest {
  readonly method: string
  readonly url: URL
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

function toRequest(
  { method, url, origin, headers, body }: ReceivedRequest,
  prefix: string,
): SandboxRequest {
  const path = url.pathname.slice(prefix.length) || '/'
  return { method, path, params: {}, query: url.searchParams, headers, body, origin }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  )
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    length += part.length
    if (length > bodyBytesMax) throw new Error('The body is too large for the sandbox')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Sends the result of `run`, or fails as `fault` says. Returns the status. `undefined`: no response was sent. */
async function answerWith(
  fault: FaultKind | undefined,
  response: ServerResponse,
  run: () => Promise<Answer>,
): Promise<number | undefined> {
  switch (fault?.kind) {
    case 'drop':
      return closeConnection(response)
    case 'answer':
      return send(response, fault)
    case 'cut':
      await run()
      return closeConnection(response)
    case 'hang':
      await run()
      return undefined
    case 'drip':
      return sendByteByByte(response, await run(), fault.everyMs)
    case 'slow':
      await delay(fault.ms)
      return send(response, await run())
    case 'hold':
      await fault.until
      return send(response, await run())
    case undefined:
      return send(response, await run())
  }
}

function closeConnection(response: ServerResponse): undefined {
  response.destroy()
}

/** Sends a response, and returns its status. */
function send(response: ServerResponse, { status, headers, body }: Answer): number {
  response.writeHead(status, { ...headers })
  response.end(body)
  return status
}

async function sendByteByByte(
  response: ServerResponse,
  { status, headers, body = '' }: Answer,
  everyMs: number,
): Promise<number> {
  response.writeHead(status, { ...headers })
  for (const byte of Buffer.from(body)) {
    if (response.destroyed) return status
    response.write(Buffer.from([byte]))
    await delay(everyMs)
  }
  response.end()
  return status
}

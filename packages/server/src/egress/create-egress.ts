import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Dispatcher, request as requestOf } from 'undici'
import { createAddressGuard, portOf, type AddressGuard } from './address-guard.ts'
import { EgressError } from './egress-error.ts'
import type { ResolveHost } from './guarded-agent.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Describes a request to another server. */
export interface OutboundRequest {
  readonly method?: (typeof methods)[number]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Limits the whole call, from the name resolution to the last byte. Default 10 s. */
  readonly timeoutMs?: number
  /** Limits the decompressed answer. Default 5 MiB. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

/** Describes a request whose answer goes on. */
export interface FollowedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly onText: (text: string) => void
  /** Ends the request when nothing has come for so long, which is how a connection that is cut shows. */
  readonly silentMs: number
  readonly signal: AbortSignal
}

/** Holds the complete answer of another server, decompressed. */
export interface OutboundAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}

/**
 * Calls other servers. All outbound calls go through it. It never retries and follows no redirect: a 3xx is an answer
 * like any other.
 */
export interface Egress {
  /** Refuses an address to which no request will ever go. A name passes: where it leads is asked when something is sent. @throws {EgressError} */
  requireSendable(url: string): void
  /** Sends a request. @throws {EgressError} when there is no complete answer */
  request(url: string, options?: OutboundRequest): Promise<OutboundAnswer>
  /**
   * Reads an answer that does not end by itself, such as a stream of events, and calls `onText` with what comes. Returns the
   * status once it has ended; of any other status than 200 nothing is read. @throws {EgressError}
   */
  follow(url: string, options: FollowedRequest): Promise<number>
  /** Sends a request under the name and with the types that client libraries expect. */
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

/** Configures outbound calls. */
export interface EgressOptions {
  /** Lists what may be reached although it is not public, as `createAddressGuard` reads it. */
  readonly allow: readonly string[]
  readonly connectTimeoutMs?: number
  /** Replaces the resolver in tests. */
  readonly resolveHost?: ResolveHost
}

const defaultTimeoutMs = 10_000
const defaultMaxBytes = 5 * 1024 * 1024

/** Creates the egress. The client is loaded with the first call. */
export function createEgress({
  allow,
  connectTimeoutMs = 2_000,
  resolveHost,
}: EgressOptions): Egress {
  const guard = createAddressGuard(allow)
  let httpClient: Promise<HttpClient> | undefined
  // Loaded late, because a service that never calls another one saves nine megabytes.
  const open = async (): Promise<HttpClient> => {
    const { createGuardedAgent } = await import('./guarded-agent.ts')
    const { request } = await import('undici')
    const resolver = resolveHost === undefined ? {} : { resolveHost }
    return { guard, request, agent: createGuardedAgent({ guard, connectTimeoutMs, ...resolver }) }
  }
  const send = async (url: string, options: OutboundRequest = {}) =>
    call(await (httpClient ??= open()), url, options)
  return {
    requireSendable: (url) => void parseUrl(url, guard),
    request: send,
    follow: async (url, options) => follow(await (httpClient ??= open()), url, options),
    fetch: (input, init) => fetchThrough(send, new Request(input, init)),
    close: async () => (await httpClient)?.agent.close(),
  }
}

/** Holds the loaded client and its guard. */
interface HttpClient {
  readonly guard: AddressGuard
  readonly request: typeof requestOf
  readonly agent: Dispatcher
}

async function call(
  { guard, request, agent }: HttpClient,
  text: string,
  options: OutboundRequest,
): Promise<OutboundAnswer> {
  const url = parseUrl(text, guard)
  const { method = 'GET', headers = {}, body, timeoutMs = defaultTimeoutMs } = options
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal =
    options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal])
  try {
    const response = await request(url, {
      method,
      // A compressed answer can expand to a thousand times its size.
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body ?? null,
      dispatcher: agent,
      signal,
    })
    const maxBytes = options.maxBytes ?? defaultMaxBytes
    const packed = await readAll(response.body, maxBytes, url.host)
    const flat = flatten(response.headers)
    return {
      status: response.statusCode,
      headers: flat,
      body: await unpack(packed, flat['content-encoding'], maxBytes, url.host),
    }
  } catch (error) {
    throw toEgressError(error, url.host, deadline.aborted)
  }
}

async function follow(
  { guard, request, agent }: HttpClient,
  text: string,
  { headers, onText, silentMs, signal }: FollowedRequest,
): Promise<number> {
  const url = parseUrl(text, guard)
  try {
    const { statusCode, body } = await request(url, {
      headers: { ...headers, 'accept-encoding': 'identity' },
      dispatcher: agent,
      headersTimeout: defaultTimeoutMs,
      bodyTimeout: silentMs,
      signal,
    })
    if (statusCode === 200)
      for await (const chunk of body.setEncoding('utf8')) onText(String(chunk))
    else await body.dump()
    return statusCode
  } catch (error) {
    throw toEgressError(error, url.host, false)
  }
}

function parseUrl(text: string, guard: AddressGuard): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw new EgressError('invalid_url', 'an address that is none')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isKnown =
    url.protocol === 'https:' || (url.protocol === 'http:' && guard.isNamed(host, portOf(url)))
  if (!isKnown || url.username !== '' || url.password !== '' || url.hostname === '') {
    throw new EgressError('invalid_url', url.host)
  }
  // An address is not resolved, so the check of what a name resolves to would miss it.
  if (isIP(host) > 0 && !guard.allowsAddress(host, portOf(url))) {
    throw new EgressError('address_forbidden', url.host)
  }
  return url
}

async function readAll(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  host: string,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new EgressError('too_large', host)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const unpackers = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** Decompresses the answer of a server that ignores `accept-encoding`. The limit applies to the decompressed bytes. */
async function unpack(
  packed: Buffer<ArrayBuffer>,
  encoding: string | undefined,
  maxBytes: number,
  host: string,
): Promise<Buffer<ArrayBuffer>> {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '' || packed.length === 0) return packed
  if (name !== 'gzip' && name !== 'deflate' && name !== 'br')
    throw new EgressError('encoding', host)
  try {
    return await unpackers[name](packed, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = error instanceof RangeError
    throw new EgressError(isTooLarge ? 'too_large' : 'encoding', host, { cause: error })
  }
}

function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

const timeouts: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

function toEgressError(error: unknown, host: string, deadlinePassed: boolean): EgressError {
  if (error instanceof EgressError) return error
  if (error instanceof Error && error.cause instanceof EgressError) return error.cause
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  const isTimeout = deadlinePassed || timeouts.has(String(code))
  return new EgressError(isTimeout ? 'timeout' : 'connection', host, { cause: error })
}

async function fetchThrough(send: Egress['request'], request: Request): Promise<Response> {
  const method = methods.find((known) => known === request.method)
  if (method === undefined) throw new TypeError('This method is not sent.')
  const bytes = method === 'GET' || method === 'HEAD' ? undefined : await request.arrayBuffer()
  const { status, headers, body } = await send(request.url, {
    method,
    headers: Object.fromEntries(request.headers),
    ...(bytes !== undefined && { body: Buffer.from(bytes) }),
    signal: request.signal,
  })
  const { 'content-encoding': _unpacked, 'content-length': _packedLength, ...kept } = headers
  const hasNoBody = status === 204 || status === 205 || status === 304 || method === 'HEAD'
  return new Response(hasNoBody ? null : body, { status, headers: kept })
}

import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Dispatcher, request as requestOf } from 'undici'
import { createAddressGuard, type AddressGuard } from './address-guard.ts'
import { EgressError } from './egress-error.ts'
import type { ResolveHost } from './guarded-agent.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export interface OutboundRequest {
  readonly method?: (typeof methods)[number]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** For the whole call, from the name to the last byte. Left out: 10 s. */
  readonly timeoutMs?: number
  /** Of the answer, unpacked. Left out: 5 MiB. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}

/** The only way out. Retries nothing and follows no redirect: a 3xx is an answer like any other. */
export interface Egress {
  /** @throws {EgressError} when there is no whole answer. */
  request(url: string, options?: OutboundRequest): Promise<OutboundAnswer>
  /** The same under the name and with the types that client libraries take. */
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

export interface EgressOptions {
  /** `SIGNALBOX_EGRESS_ALLOW`: hosts, addresses and networks that may be reached although they are not public. */
  readonly allow: readonly string[]
  readonly connectTimeoutMs?: number
  /** Another resolver in tests. */
  readonly resolveHost?: ResolveHost
}

const defaultTimeoutMs = 10_000
const defaultMaxBytes = 5 * 1024 * 1024

/** Opens the way out. */
export function createEgress({
  allow,
  connectTimeoutMs = 2_000,
  resolveHost,
}: EgressOptions): Egress {
  const guard = createAddressGuard(allow)
  let opened: Promise<WayOut> | undefined
  // A service that calls nobody does without the client and its nine megabytes.
  const open = async (): Promise<WayOut> => {
    const { createGuardedAgent } = await import('./guarded-agent.ts')
    const { request } = await import('undici')
    const given = resolveHost === undefined ? {} : { resolveHost }
    return { guard, request, agent: createGuardedAgent({ guard, connectTimeoutMs, ...given }) }
  }
  const send = async (url: string, options: OutboundRequest = {}) =>
    call(await (opened ??= open()), url, options)
  return {
    request: send,
    fetch: (input, init) => fetchThrough(send, new Request(input, init)),
    close: async () => (await opened)?.agent.close(),
  }
}

/** What a call goes through. */
interface WayOut {
  readonly guard: AddressGuard
  readonly request: typeof requestOf
  readonly agent: Dispatcher
}

async function call(
  { guard, request, agent }: WayOut,
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
      // A packed answer can be a thousand times its size.
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

function parseUrl(text: string, guard: AddressGuard): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw new EgressError('invalid_url', 'an address that is none')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isKnown = url.protocol === 'https:' || (url.protocol === 'http:' && guard.isNamed(host))
  if (!isKnown || url.username !== '' || url.password !== '' || url.hostname === '') {
    throw new EgressError('invalid_url', url.host)
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

/** Some servers pack although they were asked not to. The limit holds for what comes out. */
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

function toEgressError(error: unknown, host: string, deadlinePassed: boolean): EgressError {
  if (error instanceof EgressError) return error
  if (error instanceof Error && error.cause instanceof EgressError) return error.cause
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  const isTimeout = deadlinePassed || code === 'UND_ERR_CONNECT_TIMEOUT'
  return new EgressError(isTimeout ? 'timeout' : 'connection', host, { cause: error })
}

async function fetchThrough(send: Egress['request'], asked: Request): Promise<Response> {
  const method = methods.find((known) => known === asked.method)
  if (method === undefined) throw new TypeError('This method is not sent.')
  const bytes = method === 'GET' || method === 'HEAD' ? undefined : await asked.arrayBuffer()
  const { status, headers, body } = await send(asked.url, {
    method,
    headers: Object.fromEntries(asked.headers),
    ...(bytes !== undefined && { body: Buffer.from(bytes) }),
    signal: asked.signal,
  })
  const { 'content-encoding': _unpacked, 'content-length': _packedLength, ...kept } = headers
  const hasNoBody = status === 204 || status === 205 || status === 304 || method === 'HEAD'
  return new Response(hasNoBody ? null : body, { status, headers: kept })
}

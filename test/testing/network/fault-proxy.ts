import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { listen } from './ports.ts'

/** Applies a fault between the service and the other side of its call. */
export type FaultMode = (response: ServerResponse) => void

const mebibyte = 1024 * 1024
const html = '<!doctype html><title>Sign in to the network</title><form action="/login"></form>'
const json = { 'content-type': 'application/json' }

function answer(status: number, headers: Record<string, string>, body: string | Buffer): FaultMode {
  return (response) => void response.writeHead(status, headers).end(body)
}

function flood(response: ServerResponse): void {
  const block = Buffer.alloc(mebibyte, 0x20)
  let left = 50
  const more = () => {
    while (!response.destroyed && left-- > 0 && response.write(block));
    if (left <= 0) response.end()
  }
  response.writeHead(200, json)
  response.on('drain', more)
  more()
}

function drip(response: ServerResponse): void {
  response.writeHead(200, json)
  const timer = setInterval(() => response.write('{'), 1000)
  response.on('close', () => clearInterval(timer))
}

const bomb = gzipSync(Buffer.alloc(100 * mebibyte, 0x20))

/** Every way of R7, and what each looks like to who calls. `hang` and `drip` end with the caller's patience alone. */
export const faultModes: Readonly<Record<string, FaultMode>> = {
  refuse: (response) => void response.socket?.resetAndDestroy(),
  'reset mid-body': (response) => {
    response.writeHead(200, { ...json, 'content-length': '1000' }).write('{"ok":true,"half":')
    setTimeout(() => response.socket?.resetAndDestroy(), 20)
  },
  '429 in seconds': answer(429, { ...json, 'retry-after': '1' }, '{}'),
  '429 with a date': (response) => {
    const date = new Date(Date.now() + 2_000).toUTCString()
    answer(429, { ...json, 'retry-after': date }, '{}')(response)
  },
  500: answer(500, json, '{"message":"Server Error"}'),
  502: answer(502, { 'content-type': 'text/html' }, html),
  503: answer(503, json, ''),
  '200 with ok: false': answer(200, json, '{"ok":false,"error":"fatal_error"}'),
  'a page': answer(200, { 'content-type': 'text/html' }, html),
  'half of JSON': answer(200, json, '{"ok":true,"id":7,"name":"sh'),
  'invalid UTF-8': answer(200, json, Buffer.from([0x7b, 0xff, 0xc3, 0x28, 0xfe, 0x7d])),
  '50 MB': flood,
  'gzip bomb': answer(200, { ...json, 'content-encoding': 'gzip' }, bomb),
  redirect: answer(302, { location: 'https://example.com/elsewhere' }, ''),
  'wrong content type': answer(
    200,
    { 'content-type': 'image/png' },
    Buffer.from([137, 80, 78, 71]),
  ),
  drip,
  hang: () => {},
}

/** One call through the proxy, from its first byte to the end of its connection or answer. */
export interface ProxiedCall {
  /** The first part of the path: `github`, `atlassian`, `slack`. */
  readonly provider: string
  readonly mode: string | undefined
  tookMs: number | undefined
}

/** Stands between the service and the providers, and does to every answer what it is told to. */
export interface FaultProxy {
  readonly origin: string
  /** The name of a mode; `undefined`: everything passes. */
  mode: string | undefined
  readonly calls: readonly ProxiedCall[]
  close(): Promise<void>
}

export async function openFaultProxy(target: string): Promise<FaultProxy> {
  const calls: ProxiedCall[] = []
  const proxy = { mode: undefined as string | undefined }
  const server = createServer((incoming, response) => {
    const call: ProxiedCall = {
      provider: incoming.url?.split('/')[1] ?? '',
      mode: proxy.mode,
      tookMs: undefined,
    }
    calls.push(call)
    const startedAt = performance.now()
    response.once('close', () => (call.tookMs = performance.now() - startedAt))
    response.on('error', () => response.destroy())
    const fault = proxy.mode === undefined ? undefined : faultModes[proxy.mode]
    if (fault === undefined) return pass(target, incoming, response)
    incoming.resume()
    incoming.once('end', () => fault(response))
  })
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    get mode() {
      return proxy.mode
    },
    set mode(mode) {
      proxy.mode = mode
    },
    calls,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function pass(target: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = incoming
  const options = { method, headers, agent: false }
  const forwarded = request(`${target}${incoming.url ?? '/'}`, options, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(response)
  })
  forwarded.on('error', () => response.destroy())
  incoming.pipe(forwarded)
}

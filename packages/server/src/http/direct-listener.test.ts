import { request as ask } from 'node:http'
import { Problem } from '@signalbox/contract'
import { endpoint } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../telemetry/metrics.ts'
import type { EndpointRequest } from './endpoint-request.ts'
import { createHttpServer, toNodeListener, type HttpServer } from './http-server.ts'
import { notFound } from './problem-response.ts'
import { createTestRouter } from './testing/test-router.ts'

const knock = endpoint({
  operationId: 'knock',
  method: 'POST',
  path: '/doors/{door}',
  tag: 'Test',
  summary: 'Knocks.',
  access: { kind: 'open' },
  rateClass: 'none',
  bodyLimitBytes: 2_000_000,
  response: { status: 202 },
  problems: [],
})

async function open({ params, readBytes, header }: EndpointRequest<typeof knock>) {
  if (params.door === 'none') throw notFound()
  if (params.door === 'shut') throw new Problem('invalid_signature', 'Who is there?')
  const size = (await readBytes()).length
  if (params.door === 'broken') throw new Error('a bug')
  const body = `${size} ${header('x-name') ?? 'nobody'}`
  return { status: 202, headers: { 'Content-Type': 'text/plain' }, body }
}

interface Opened {
  readonly server: HttpServer
  readonly url: string
  readonly recorded: AnsweredRequest[]
  /** Whether each request was answered past the router. */
  readonly taken: boolean[]
}

/** A server with the same endpoint, with and without what is tested. */
async function start(isDirect: boolean): Promise<Opened> {
  const recorded: AnsweredRequest[] = []
  const taken: boolean[] = []
  const metrics = {
    recordRequest: (request: AnsweredRequest) => void recorded.push(request),
    recordRateLimited() {},
    recordRefusedConnection() {},
  }
  const now = () => new Date()
  const router = createTestRouter({ metrics, now }).addDirect(knock, open)
  const [direct, api] = [router.direct(), toNodeListener(router.build(), now)]
  const server = createHttpServer({
    metrics,
    now,
    listener(request, response) {
      taken.push(isDirect && direct(request, response))
      if (taken.at(-1) === false) api(request, response)
    },
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, url, recorded, taken }
}

interface Ask {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

/** What came back, without what differs between any two answers. */
function send({ url }: Opened, { method = 'POST', path = '/doors/front', headers, body }: Ask) {
  return new Promise((resolve, reject) => {
    // As it is: a URL object would resolve the dots of a path.
    const sent = ask(url, { path, method, headers: { ...headers } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const id = String(answer.headers['x-request-id'])
        const shown = { ...answer.headers, date: '', 'x-request-id': id.slice(0, 4) }
        const text = Buffer.concat(chunks).toString().replaceAll(id, 'its id')
        resolve({ status: answer.statusCode, headers: shown, text })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

let quick: Opened
let usual: Opened
beforeAll(async () => {
  quick = await start(true)
  usual = await start(false)
})
afterAll(() => Promise.all([quick.server.close(1_000), usual.server.close(1_000)]))

const plain: readonly [what: string, ask: Ask][] = [
  ['what is fine', { body: 'hello', headers: { 'x-name': 'ada' } }],
  ['an empty body', { headers: { 'content-length': '0' } }],
  ['a header that is sent twice', { body: 'hello', headers: { 'x-name': ['ada', 'bob'] } }],
  ['a form', { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['a refusal before the body is read', { path: '/doors/shut', body: 'a'.repeat(900_000) }],
  ['a thing that is not there', { path: '/doors/none', body: 'a' }],
  ['a bug', { path: '/doors/broken', body: 'a' }],
  ['a compressed body', { body: 'a', headers: { 'content-encoding': 'gzip' } }],
  ['a page of another site', { body: 'a', headers: { origin: 'https://evil.example' } }],
  ['a bad Idempotency-Key', { body: 'a', headers: { 'idempotency-key': ' '.repeat(3) } }],
  ['a bad If-Match', { body: 'a', headers: { 'if-match': 'nonsense' } }],
]

const unusual: readonly [what: string, ask: Ask][] = [
  ['no length', { body: 'hello', headers: { 'transfer-encoding': 'chunked' } }],
  ['more than the usual size', { body: Buffer.alloc(1_500_000) }],
  ['more than is taken', { headers: { 'content-length': '2000001', connection: 'close' } }],
  ['another method', { method: 'DELETE', headers: { 'content-length': '0' } }],
  ['a query', { path: '/doors/front?a=%00', body: 'a' }],
  ['an encoded path', { path: '/doors/%66ront', body: 'a' }],
  ['a path with dots', { path: '/doors/%2e%2e', body: 'a' }],
  ['a path that is longer', { path: '/doors/front/bell', body: 'a' }],
]

describe('what is answered past the router', () => {
  it.each(plain)('is answered as by the router: %s', async (_what, asked) => {
    expect(await send(quick, asked)).toEqual(await send(usual, asked))
    expect(quick.taken.at(-1)).toBe(true)
  })

  it.each(unusual)('is left to the router where it is not plain: %s', async (_what, asked) => {
    expect(await send(quick, asked)).toEqual(await send(usual, asked))
    expect(quick.taken.at(-1)).toBe(false)
  })

  it('is counted as by the router, under the template of its path', () => {
    const counted = ({ recorded }: Opened) =>
      recorded.map(({ durationMs, ...labels }) => ({ ...labels, took: durationMs >= 0 }))
    expect(counted(quick)).toEqual(counted(usual))
    expect(counted(quick)[0]).toEqual({
      listener: 'api',
      method: 'POST',
      route: '/doors/{door}',
      status: 202,
      took: true,
    })
  })

  it('ends with its connection when the sender leaves in the middle', async () => {
    const sent = ask(new URL('/doors/front', quick.url), {
      method: 'POST',
      headers: { 'content-length': '1000' },
    })
    sent.on('error', () => undefined)
    sent.write('a')
    const before = quick.recorded.length
    await expect.poll(() => quick.taken.length).toBeGreaterThan(before)
    sent.destroy()
    await expect.poll(() => quick.recorded.length).toBe(before + 1)
    expect(await send(quick, { body: 'hello' })).toMatchObject({ status: 202 })
  })
})

import { request as ask, type IncomingMessage } from 'node:http'
import { declareEndpoints } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../telemetry/metrics.ts'
import { createHttpServer, type HttpServer } from './http-server.ts'
import { createBodyBudget } from './input/body-budget.ts'
import type { EndpointRequest } from './input/endpoint-request.ts'
import { toNodeListener } from './node-listener.ts'
import { createTestRouter } from './testing/test-router.ts'

const { upload } = declareEndpoints({ tag: 'Test', topics: [] })({
  upload: {
    method: 'POST',
    path: '/uploads/{name}',
    summary: 'Takes bytes.',
    access: { kind: 'open' },
    rateClass: 'none',
    bodyLimitBytes: 2_000_000,
    response: { status: 202 },
  },
})

/** Answers with the size of the body and the header `X-Name`; `unread` does not read the body. */
async function take({ params, readBytes, header }: EndpointRequest<typeof upload>) {
  const size = params.name === 'unread' ? 0 : (await readBytes()).length
  const body = `${size} ${header('x-name') ?? 'nobody'}`
  return { status: 202, headers: { 'Content-Type': 'text/plain' }, body }
}

const recorded: AnsweredRequest[] = []
let server: HttpServer
let url: string
beforeAll(async () => {
  const metrics = {
    recordRequest: (request: AnsweredRequest) => void recorded.push(request),
    recordRateLimited() {},
    recordRefusedConnection() {},
  }
  const now = () => new Date()
  const bodies = createBodyBudget({ totalBytes: 2_000_000, addressBytes: 100_000 })
  const app = createTestRouter({ metrics, now, bodies }).addRaw(upload, take).build()
  const timeouts = { headersMs: 400, requestMs: 400, checkEveryMs: 50, leaveMs: 100 }
  server = createHttpServer({ metrics, now, timeouts, listener: toNodeListener(app) })
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close(1_000))

interface Sent {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

function send({ path = '/uploads/file', headers, body }: Sent) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    // As it is: a URL object would resolve the dots of a path.
    const sent = ask(url, { path, method: 'POST', headers: { ...headers } })
    sent.on('error', reject)
    sent.on('response', (answer: IncomingMessage) => {
      answer.setEncoding('utf8')
      let text = ''
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.end(body)
  })
}

describe('a request over a socket', () => {
  it.each<[what: string, sent: Sent, text: string]>([
    ['with a header', { body: 'hello', headers: { 'x-name': 'ada' } }, '5 ada'],
    ['with a header that is sent twice', { headers: { 'x-name': ['ada', 'bob'] } }, '0 ada, bob'],
    ['in chunks', { body: 'hello', headers: { 'transfer-encoding': 'chunked' } }, '5 nobody'],
    ['with a large body', { body: Buffer.alloc(1_500_000) }, '1500000 nobody'],
    ['with an encoded path', { path: '/uploads/%66ile', body: 'a' }, '1 nobody'],
  ])('is answered %s', async (_what, sent, text) => {
    expect(await send(sent)).toEqual({ status: 202, text })
  })

  it('is answered without its body being read, and the next one on the same connection as well', async () => {
    const body = Buffer.alloc(900_000)
    for (let i = 0; i < 3; i++) {
      expect(await send({ path: '/uploads/unread', body })).toMatchObject({ status: 202 })
    }
  })

  it('is cut after its answer when its body has no end', async () => {
    const sent = ask(url, { path: '/uploads/unread', method: 'POST' })
    const closed = new Promise<void>((resolve) => sent.on('close', resolve))
    const answered = new Promise<number | undefined>((resolve) =>
      sent.on('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }),
    )
    sent.on('error', () => undefined)
    sent.write('a')
    expect(await answered).toBe(202)
    await closed
  })

  it('ends with its connection when the client disconnects', async () => {
    const headers = { 'content-length': '1000' }
    const sent = ask(url, { path: '/uploads/file', method: 'POST', headers })
    sent.on('error', () => undefined)
    const before = recorded.length
    await new Promise((resolve) => sent.write('a', resolve))
    sent.destroy()
    await expect.poll(() => recorded.length).toBe(before + 1)
    expect(await send({ body: 'hello' })).toMatchObject({ status: 202 })
  })

  it('keeps the bytes of a body that nobody vouches for until its time is over', async () => {
    const headers = { 'content-length': '1000000' }
    const slow = Array.from({ length: 2 }, () => {
      const sent = ask(url, { path: '/uploads/slow', method: 'POST', headers })
      const answered = new Promise<number>((resolve) =>
        sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)),
      )
      sent.on('error', () => undefined).write(Buffer.alloc(300_000))
      return answered
    })
    // The address holds one large body; what was kept of the other is let go.
    expect(await Promise.race(slow)).toBe(503)
    expect((await Promise.all(slow)).toSorted((one, other) => one - other)).toEqual([408, 503])
    const body = Buffer.alloc(900_000)
    const both = await Promise.all([send({ body }), send({ body: 'small' })])
    expect(both.map(({ status }) => status)).toEqual([202, 202])
  })

  it('is counted under the template of its path', async () => {
    await send({ body: 'hello' })
    expect(recorded.at(-1)).toMatchObject({
      listener: 'api',
      method: 'POST',
      route: '/uploads/{name}',
      status: 202,
    })
  })
})

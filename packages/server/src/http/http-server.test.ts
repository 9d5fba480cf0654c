import { connect, type Socket } from 'node:net'
import { declareEndpoints } from '@signalbox/contract/rest'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createHttpServer, type HttpServer } from './http-server.ts'
import type { ServerTimeouts } from './limit-server.ts'
import { toNodeListener } from './node-listener.ts'
import { createTestRouter } from './testing/test-router.ts'
import { collectServerSockets } from './testing/collect-server-sockets.ts'

const said = {
  method: 'POST',
  body: z.strictObject({ text: z.string() }),
  bodyLimitBytes: 100_000,
  response: { status: 200, body: z.object({ size: z.number(), ip: z.string() }) },
} as const
const { echo, wait } = declareEndpoints({
  tag: 'Test',
  summary: 'Echo.',
  access: { kind: 'open' },
  topics: [],
})({
  echo: { ...said, path: '/echo' },
  wait: { ...said, path: '/wait' },
})

const servers: HttpServer[] = []
const sockets: Socket[] = []

async function start({ timeouts = {} }: { timeouts?: Partial<ServerTimeouts> } = {}) {
  const refused: string[] = []
  const gate = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const app = createTestRouter()
    .add(echo, {
      handle: ({ body, ip }) => Promise.resolve({ size: body.text.length, ip }),
      present: (result) => result,
    })
    .add(wait, {
      handle: async ({ body, ip }) => {
        arrived.resolve()
        await gate.promise
        return { size: body.text.length, ip }
      },
      present: (result) => result,
    })
    .build()
  const now = () => new Date()
  const server = createHttpServer({
    listener: toNodeListener(app),
    metrics: { recordRefusedConnection: (reason) => refused.push(reason) },
    now,
    timeouts,
  })
  servers.push(server)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, port: Number(new URL(url).port), server, refused, gate, arrived: arrived.promise }
}

/** Sends bytes over a socket and answers everything that came back when it closed. */
function talk(port: number, send: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => send(socket))
    sockets.push(socket)
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

function problemIn(text: string): { line: string; code: string; contentType: boolean } {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const { code, instance }: { code: string; instance: string } = JSON.parse(body)
  expect(head.toLowerCase()).toContain(`x-request-id: ${instance}`)
  return {
    line: head.split('\r\n')[0] ?? '',
    code,
    contentType: /content-type: application\/problem\+json/i.test(head),
  }
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => server.close(0)))
})

describe('createHttpServer', () => {
  it('serves over a socket what the router serves, and knows the address of the sender', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '9.9.9.9' },
      body: JSON.stringify({ text: 'é' }),
    })
    expect(await response.json()).toEqual({ size: 1, ip: '127.0.0.1' })
    expect(response.headers.get('transfer-encoding')).toBeNull()
  })

  it('answers what Node itself refuses as problems too', async () => {
    const { port, refused } = await start()
    const cases = [
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, '431', 'headers_too_large'],
      [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, '414', 'url_too_long'],
      ['nonsense\r\n\r\n', '400', 'invalid_header'],
      ['GET / HTTP/1.1\r\nHost: x\r\nBad Name: 1\r\n\r\n', '400', 'invalid_header'],
      [
        'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
        '400',
        'invalid_header',
      ],
      [
        'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
        '400',
        'invalid_header',
      ],
    ] as const
    for (const [bytes, status, code] of cases) {
      const problem = problemIn(await talk(port, (socket) => socket.write(bytes)))
      expect(problem).toMatchObject({ code, contentType: true })
      expect(problem.line).toContain(status)
    }
    expect(refused).toEqual(cases.map(([, , code]) => code))
  })

  it('answers HTTP/1.0 without a Host, with which HAProxy asks for the readiness', async () => {
    const { port } = await start()
    const text = await talk(port, (socket) => socket.end('GET /nowhere HTTP/1.0\r\n\r\n'))
    expect(text).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('answers a missing Host and a strange target as problems', async () => {
    const { port } = await start()
    for (const head of [
      'GET / HTTP/1.1\r\n',
      'GET /a\\b HTTP/1.1\r\nHost: x\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\n',
    ]) {
      const text = await talk(port, (socket) => socket.end(`${head}Connection: close\r\n\r\n`))
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text).toContain('"code":"invalid_path"')
    }
  })

  it('refuses a path with dot segments in every spelling', async () => {
    const { port } = await start()
    const answerTo = async (target: string) => {
      const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      return problemIn(await talk(port, (socket) => socket.end(head)))
    }
    for (const target of [
      '/nowhere/../echo',
      '/nowhere/%2e%2e/echo',
      '/nowhere/.%2E/echo',
      '/./echo',
      '/%2e/echo',
      '/echo/..',
      '/echo/%2e',
      '/echo/x/..#y',
      'http://x/nowhere/../echo',
      'http://x/nowhere/%2e%2e/echo?y',
    ]) {
      expect([target, (await answerTo(target)).code]).toEqual([target, 'invalid_path'])
    }
    for (const target of ['/..echo', '/echo..', '/.well-known/x', '/...', '/%2e%2e%2fecho']) {
      expect([target, (await answerTo(target)).code]).toEqual([target, 'not_found'])
    }
    expect((await answerTo('http://x/echo?../..')).code).toBe('validation_failed')
  })

  it('answers a request with an unknown expectation like any other', async () => {
    const { port } = await start()
    const head = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n'
    const text = await talk(port, (socket) => socket.write(`${head}Content-Length: 2\r\n\r\n{}`))
    expect(problemIn(text)).toMatchObject({ code: 'not_found', contentType: true })
  })

  it('accepts headers of 15 KiB, and drops none', async () => {
    const { port } = await start()
    const many = Array.from({ length: 2_100 }, (_, i) => `a${i}:1\r\n`).join('')
    const text = await talk(port, (socket) =>
      socket.end(
        `GET /nowhere HTTP/1.1\r\nHost: x\r\n${many.slice(0, 15_000).replace(/[^\n]*$/, '')}Connection: close\r\n\r\n`,
      ),
    )
    expect(text).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('refuses a body over the limit without reading it, however its length is declared', async () => {
    const { port } = await start()
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    const announced = await talk(port, (socket) =>
      socket.write(`${head}Content-Length: 1073741824\r\n\r\n{`),
    )
    expect(problemIn(announced).code).toBe('body_too_large')

    const before = process.memoryUsage().rss
    let sent = 0
    const chunked = await talk(port, (socket) => {
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
      const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
      const pump = () => {
        while (!socket.destroyed && sent < 1_073_741_824) {
          sent += 65_536
          if (!socket.write(chunk)) return
        }
      }
      socket.on('drain', pump)
      pump()
    })
    expect(problemIn(chunked.slice(chunked.indexOf('HTTP/1.1'))).code).toBe('body_too_large')
    expect(sent).toBeLessThan(1_073_741_824)
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1024 * 1024)
  })

  it('cuts a slow sender, with a problem', async () => {
    const timeouts = { headersMs: 200, requestMs: 400, checkEveryMs: 50 }
    const { port } = await start({ timeouts })
    const slowHeaders = await talk(port, (socket) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n'))
    expect(problemIn(slowHeaders)).toMatchObject({ code: 'request_timeout' })
    const slowBody = await talk(port, (socket) =>
      socket.write(
        'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
      ),
    )
    expect(problemIn(slowBody)).toMatchObject({ code: 'request_timeout' })
  })

  it.each([
    ['a header that never ends', 'GET / HTTP/1.1\r\nHost: x\r\n', '408'],
    [
      'a body that never ends',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
      '408',
    ],
    ['nothing', '', '408'],
    ['no HTTP', 'nonsense\r\n\r\n', '400'],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'a'.repeat(70_000)}\r\n`, '431'],
  ])('lets go of a client that sent %s and keeps its end open', async (_, bytes, status) => {
    const accepted = collectServerSockets()
    // Refused long before its time limit, so that only the cut ends the connection.
    const ms = status === '408' ? 100 : 600_000
    const { port } = await start({
      timeouts: { headersMs: ms, requestMs: ms, checkEveryMs: 50, leaveMs: 100 },
    })
    let text = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    sockets.push(socket)
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {})
    socket.write(bytes)
    await expect.poll(() => text).toContain(`HTTP/1.1 ${status} `)
    // Sooner than a socket that nobody reads ends anyway, which is a minute.
    const areGone = () => accepted.map(({ destroyed }) => destroyed)
    await expect.poll(areGone, { timeout: 20_000 }).toEqual([true])
    expect(socket.writable).toBe(true)
  })

  it('lets go of a client that does not read its answer', async () => {
    const accepted = collectServerSockets()
    const server = createHttpServer({
      listener: (_request, response) => void response.end(Buffer.alloc(32 * 1024 * 1024)),
      metrics: { recordRefusedConnection() {} },
      now: () => new Date(),
      timeouts: { unreadMs: 200 },
    })
    servers.push(server)
    const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {}).pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => accepted.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  it('answers a request once, however its body goes on after an early answer', async () => {
    const { port } = await start()
    for (const rest of [
      '0\r\nTransfer-Encoding: chunked\r\n\r\n',
      'nonsense\r\n',
      '5;a=b\r\nabcde\r\n0\r\nContent-Length: 5\r\n\r\n',
    ]) {
      const text = await talk(port, (socket) => {
        socket.once('data', () => socket.write(rest))
        socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      })
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404'])
      const inOne = `POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n${rest}`
      const atOnce = await talk(port, (socket) => socket.write(inOne))
      expect(atOnce.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1)
    }
  })

  it('finishes accepted requests when it is closed, and takes no further ones', async () => {
    const { url, server, gate, arrived } = await start()
    const headers = { 'content-type': 'application/json' }
    const accepted = fetch(`${url}/wait`, { method: 'POST', headers, body: '{"text":"abc"}' })
    await arrived
    const closed = server.close(5_000)
    // Clients that do not know of it yet are answered for a moment, each on a connection that ends with the answer.
    const late = await fetch(`${url}/echo`)
    expect(late.headers.get('connection')).toBe('close')
    await expect
      .poll(() => fetch(`${url}/echo`).catch((error: Error) => error.message))
      .toBe('fetch failed')
    gate.resolve()
    const response = await accepted
    expect(response.headers.get('connection')).toBe('close')
    expect(await response.json()).toMatchObject({ size: 3 })
    await closed
  })

  it('cuts remaining connections after the timeout', async () => {
    const { url, server, arrived } = await start()
    const headers = { 'content-type': 'application/json' }
    const hanging = fetch(`${url}/wait`, { method: 'POST', headers, body: '{"text":"abc"}' }).catch(
      () => 'cut',
    )
    await arrived
    const begunAt = performance.now()
    await server.close(100)
    expect(performance.now() - begunAt).toBeLessThan(20_000)
    expect(await hanging).toBe('cut')
  })
})

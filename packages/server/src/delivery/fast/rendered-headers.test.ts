import { once } from 'node:events'
import { createServer, ServerResponse, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderHeaders, writeRenderedHeaders } from './rendered-headers.ts'

const headers = { ETag: '"k3x"', 'Content-Length': 5, Vary: 'Accept-Encoding, Authorization' }
const rendered = renderHeaders(headers)
const now = () => new Date()
const ok = { status: 200, now } as const

let server: Server
beforeAll(async () => {
  server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const status = request.url?.includes('held') === true ? 304 : 200
    if (request.url?.includes('closing') === true) response.shouldKeepAlive = false
    if (request.url?.includes('named') === true) response.setHeader('Signalbox-Way', 'rly_1')
    if (request.url?.includes('rendered') === true)
      writeRenderedHeaders(response, { status, headers: rendered, now })
    else response.writeHead(status, headers)
    if (status === 304 || request.method === 'HEAD') response.end()
    else response.end('hello', 'latin1')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** Sends requests in one piece, and returns all bytes of their answers, without the moment. */
async function readAll(kind: 'plain' | 'rendered', lines: readonly string[]): Promise<string> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => (text += String(chunk)))
  const last = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  socket.write(lines.map((line) => line.replace('/', `/${kind}-`)).join('') + last)
  await once(socket, 'close')
  return text.replaceAll(/Date: .*? GMT/g, 'Date: now')
}

describe('rendered headers', () => {
  it.each([
    ['a body', ['GET /a HTTP/1.1\r\nHost: a\r\n\r\n']],
    ['no body', ['HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n']],
    ['304', ['GET /held HTTP/1.1\r\nHost: a\r\n\r\n']],
    [
      'each of several in one piece',
      ['GET /a HTTP/1.1\r\nHost: a\r\n\r\n'].concat(
        Array(3).fill('GET /held HTTP/1.1\r\nHost: a\r\n\r\n'),
      ),
    ],
    ['a process that stops', ['GET /closing HTTP/1.1\r\nHost: a\r\n\r\n']],
    ['a header that was set before', ['GET /named HTTP/1.1\r\nHost: a\r\n\r\n']],
    [
      'a client that keeps an old connection',
      ['GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
    ],
    ['an old client', ['GET /a HTTP/1.0\r\n\r\n']],
    [
      'a client that announces its body',
      ['GET /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n'],
    ],
  ])('has the bytes of writeHead for %s', async (_, lines) => {
    expect(await readAll('rendered', lines)).toBe(await readAll('plain', lines))
  })

  it('says when it was sent', async () => {
    const { port } = server.address() as AddressInfo
    const before = Math.floor(Date.now() / 1000) * 1000
    const { headers: read } = await fetch(`http://127.0.0.1:${port}/rendered`)
    expect(Date.parse(read.get('date') ?? '')).toBeGreaterThanOrEqual(before)
    expect(Date.parse(read.get('date') ?? '')).toBeLessThanOrEqual(Date.now())
  })

  it('is that of writeHead in a Node that keeps it elsewhere', () => {
    const written: unknown[] = []
    const other = {
      shouldKeepAlive: true,
      getHeaderNames: () => [],
      writeHead: (...of: unknown[]) => written.push(...of),
    }
    writeRenderedHeaders(other as unknown as ServerResponse, { ...ok, headers: rendered })
    expect(written).toEqual([200, Object.entries(headers).flat().map(String)])
  })

  it('holds nothing that would begin another header', () => {
    expect(() => renderHeaders({ ETag: 'a\r\nSet-Cookie: b' })).toThrow('Invalid character')
    expect(() => renderHeaders({ 'ETag:': 'a' })).toThrow('valid HTTP token')
  })

  it('control: is used at all, without a check of each header', () => {
    const response = new ServerResponse({ method: 'GET' } as never)
    Object.assign(response, { _keepAliveTimeout: 65_000 })
    response.writeHead = () => expect.unreachable('writeHead')
    writeRenderedHeaders(response, { ...ok, headers: rendered })
    expect(response.headersSent).toBe(true)
  })
})

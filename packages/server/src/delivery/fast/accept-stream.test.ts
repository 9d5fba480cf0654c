import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { parseStreamRequest } from './parse-stream-request.ts'
import { openTestDelivery, snapshotPath, type TestDelivery } from '../testing/test-delivery.ts'

let test: TestDelivery

const path = `${snapshotPath}/stream`

/** Sends pieces over a bare socket, each after the one before it has left, and answers what came back until `pattern`. */
async function talk(pieces: readonly string[], pattern: RegExp): Promise<string> {
  const socket = connect(test.port, '127.0.0.1').setNoDelay(true)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  for (const piece of pieces) {
    const before = socket.bytesWritten
    socket.write(piece, 'latin1')
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(before)
    // Another request through the same event loop: the piece has been read by then.
    await test.ask('/healthz')
  }
  await expect.poll(() => text).toMatch(pattern)
  socket.destroy()
  return text
}

function headersOf(text: string): string[] {
  const [lines = ''] = text.split('\r\n\r\n')
  return lines
    .split('\r\n')
    .filter((line) => !/^(x-request-id|date):/i.test(line))
    .toSorted()
}

describe('a request for a stream', () => {
  afterEach(() => test.close())

  it('gets the same answer on the bare socket and from node:http, in one piece or in several', async () => {
    test = await openTestDelivery()
    await test.publish()
    const { token } = test.addKey('b2m')
    const line = `GET ${path} HTTP/1.1\r\n`
    const headers = `Host: x\r\nAuthorization: Bearer ${token}\r\n`
    const event = /event: config\nid: 1\ndata: .*\n\n/
    const bare = await talk([`${line}${headers}\r\n`], event)
    const pieces = await talk([line, headers.slice(0, 20), `${headers.slice(20)}\r\n`], event)
    const unusual = await talk([`${line}${headers}Content-Length: 0\r\n\r\n`], event)
    for (const other of [pieces, unusual]) {
      expect(headersOf(other)).toEqual(headersOf(bare))
      expect(event.exec(other)?.[0]).toBe(event.exec(bare)?.[0])
    }
    for (const each of [bare, pieces]) {
      expect(each).toMatch(/\r\nX-Request-Id: req_[0-9a-z]{26}\r\n/)
      expect(each).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/)
    }
  })

  it('is refused by node:http, with the problem', async () => {
    test = await openTestDelivery()
    await test.publish()
    const { token } = test.addKey('b2m')
    const get = (url: string, headers: string) => [
      `GET ${url} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`,
    ]
    const bearer = `Authorization: Bearer ${token}\r\n`
    expect(await talk(get(path, ''), /\}$/)).toContain('"code":"missing_credentials"')
    expect(await talk(get(path, `${bearer}X: \u0001\r\n`), /\}$/)).toContain('invalid_header')
    expect(await talk(get(`${path}?apiKey=sbx_m2m_x`, ''), /\}$/)).toContain('"code":"key_in_url"')
    expect(await talk(get('/snapshots/a/b/stream', bearer), /\}$/)).toContain('"code":"not_found"')
    expect(test.delivery.status().streams).toBe(0)
  })

  it('shares a connection with other requests only in node:http', async () => {
    test = await openTestDelivery()
    await test.publish()
    const { token } = test.addKey('b2m')
    const headers = `Host: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const both = `GET /healthz HTTP/1.1\r\n${headers}GET ${path} HTTP/1.1\r\n${headers}`
    const text = await talk([both], /id: 1\n/)
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  })

  it('is forgotten when its reader disconnects in any way', async () => {
    test = await openTestDelivery()
    await test.publish()
    const { token } = test.addKey('b2m')
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
    for (const leave of ['destroy', 'end'] as const) {
      const socket = connect(test.port, '127.0.0.1').resume()
      socket.write(request)
      await expect.poll(() => test.delivery.status().streams).toBe(1)
      socket[leave]()
      await expect.poll(() => test.delivery.status().streams).toBe(0)
    }
  })
})

describe('a stream on the bare socket', () => {
  afterEach(() => test.close())

  it('closes its connection when it ends, even when its reader keeps its own side open', async () => {
    test = await openTestDelivery()
    await test.publish()
    const { token, key } = test.addKey('b2m')
    const socket = connect({ port: test.port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    const ended = once(socket, 'end')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await expect.poll(() => text).toMatch(/id: 1\n/)
    test.changeKey(key, { revokedAt: '2026-11-21T06:00:00.000Z' })
    await ended
    expect(text).toMatch(/\n\nretry: \d+\n\n$/)
    // The server has closed the connection, so writing to it ends in a reset.
    const isReset = () => {
      socket.write('x')
      return socket.destroyed
    }
    await expect.poll(isReset).toBe(true)
  })
})

describe('parseStreamRequest', () => {
  const parse = (text: string) => parseStreamRequest(Buffer.from(text, 'latin1'))
  const line = 'GET /snapshots/a/b/stream?x=1 HTTP/1.1'

  it('reads the plainest form of a request', () => {
    expect(parse(`${line}\r\nHost: x\r\nAccept:text/event-stream \r\nEmpty:\r\n\r\n`)).toEqual({
      url: '/snapshots/a/b/stream?x=1',
      headers: { host: 'x', accept: 'text/event-stream', empty: '' },
    })
  })

  it('leaves everything else to a complete HTTP parser', () => {
    for (const text of [
      '',
      line,
      `${line}\r\nHost: x\r\n`,
      `${line}\r\n\r\n`,
      `${line}\nHost: x\n\n`,
      `${line}\r\nHost: x\r\n\r\nmore`,
      `${line}\r\nHost: x\r\nHost: y\r\n\r\n`,
      `${line}\r\nHost: x\r\n folded\r\n\r\n`,
      `${line}\r\nHost: x\r\nName : y\r\n\r\n`,
      `${line}\r\nHost: x\r\nA: \u0000\r\n\r\n`,
      `${line}\r\nHost: x\r\nA: b\nC: d\r\n\r\n`,
      `${line}\r\nHost: x\r\nContent-Length: 5\r\n\r\n`,
      `${line}\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `${line}\r\nHost: x\r\nExpect: 100-continue\r\n\r\n`,
      `POST /snapshots/a/b/stream HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /snapshots/a/b HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /snapshots/a/b/stream HTTP/1.0\r\nHost: x\r\n\r\n`,
      `GET  /snapshots/a/b/stream HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /snapshots/a/b/stream#x HTTP/1.1 \r\nHost: x\r\n\r\n`,
      `GET /snapshots/a b/stream HTTP/1.1\r\nHost: x\r\n\r\n`,
      `${line}\r\nHost: x\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`,
    ]) {
      expect([text.slice(0, 80), parse(text)]).toEqual([text.slice(0, 80), undefined])
    }
  })

  it('trims blanks around a value, and none within it', () => {
    const read = (header: string) => parse(`${line}\r\nHost: x\r\n${header}\r\n\r\n`)?.headers['a']
    expect(read('A: \t b \t c\t ')).toBe('b \t c')
    expect(read('A:b:c')).toBe('b:c')
    expect(read('A: \t ')).toBe('')
    expect(read('A:\u00a0\u00ff\u00a0')).toBe('\u00a0\u00ff\u00a0')
  })

  const headersOf = {
    plain: (length: number) => 'b'.repeat(length),
    'spaces before a control character': (length: number) => `${' '.repeat(length)}\u0001`,
    'tabs before a control character': (length: number) => `${'\t'.repeat(length)}\u0001`,
    'spaces between letters': (length: number) => `a${' '.repeat(length)}b`,
    'blanks between letters, then a control character': (length: number) =>
      `a${' \t'.repeat(length / 2)}b\u0001`,
  }

  /** Measures how long reading takes at best, in milliseconds: whatever else the machine does only adds to it. */
  function readingMs(text: string): number {
    const bytes = Buffer.from(text, 'latin1')
    const once = () => {
      const begunAt = performance.now()
      parseStreamRequest(bytes)
      return performance.now() - begunAt
    }
    return Math.min(...Array.from({ length: 20 }, once))
  }

  it.each(Object.entries(headersOf))('reads %s in time that grows with the length', (_, render) => {
    for (const length of [1_000, 4_000, 16_000]) {
      const textOf = (value: string) => `${line}\r\nHost: x\r\nA:${value}\r\n\r\n`
      const plainMs = readingMs(textOf(headersOf.plain(length)))
      // A search that begins anew at each blank takes some hundred times as long for the shortest, and more for the others.
      expect(readingMs(textOf(render(length)))).toBeLessThan(50 * plainMs + 0.1)
    }
  })
})

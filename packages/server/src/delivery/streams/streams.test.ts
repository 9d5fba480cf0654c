import { createServer } from 'node:http'
import { connect, createServer as createSocketServer, type AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import { streamHeaders } from './event-stream.ts'
import { askerOf, reader } from '../testing/asker.ts'
import { createStreams, type StreamsOptions } from './streams.ts'
import { openStream } from '../testing/http-client.ts'
import {
  openTestDelivery,
  testSnapshot,
  snapshotPath,
  type TestDelivery,
  type TestDeliveryOptions,
} from '../testing/test-delivery.ts'

let test: TestDelivery
let path = `${snapshotPath}/stream`
let plainStreams = false

/** The same guarantees hold for streams on bare sockets and for those that node:http holds. */
const ways = [
  { way: 'on a bare socket', isPlain: false },
  { way: 'by node:http', isPlain: true },
]

async function open(options?: TestDeliveryOptions): Promise<TestDelivery> {
  test = await openTestDelivery({ plainStreams, ...options })
  path = `${snapshotPath}/stream`
  return test
}

describe.each(ways)('a stream $way', ({ isPlain }) => {
  beforeEach(() => {
    plainStreams = isPlain
  })
  afterEach(() => test.close())

  it('sends a retry field, then the event its reader has missed', async () => {
    await open()
    await test.publish({ public: { a: 1 } })
    await test.publish({ public: { a: 2 } })
    const { headers } = test.addKey('b2m')
    const stream = await test.stream(path, headers)
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'content-encoding': 'identity',
      'cache-control': 'no-store, no-transform',
      'access-control-allow-origin': '*',
      connection: 'close',
    })
    expect(stream.headers['transfer-encoding']).toBeUndefined()
    const text = await stream.until(/\n\nevent: config\n.*\n\n/s)
    const retryMs = Number(/^retry: (\d+)\n\n/.exec(text)?.[1])
    expect(retryMs).toBeGreaterThanOrEqual(1_000)
    expect(retryMs).toBeLessThanOrEqual(5_000)
    const { etag } = (await test.ask(snapshotPath, { headers })).headers
    const data = JSON.stringify({ version: 2, etag })
    expect(text.replace(/^retry: \d+\n\n/, '')).toBe(`event: config\nid: 2\ndata: ${data}\n\n`)
    stream.close()
  })

  it('repeats nothing that its reader has seen, by header or by parameter', async () => {
    await open()
    await test.publish({ public: { a: 1 } })
    await test.publish({ public: { a: 2 } })
    const { headers } = test.addKey('b2m')
    let version = 2
    const heard = async (query: string, more: Record<string, string>) => {
      const stream = await test.stream(path + query, { ...headers, ...more })
      await stream.until(/^retry: \d+\n\n/)
      version += 1
      await test.publish({ public: { version } })
      const text = await stream.until(new RegExp(`id: ${version}\n.*\n\n$`, 's'))
      stream.close()
      return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    }
    expect(await heard('', { 'last-event-id': '2' })).toEqual([3])
    expect(await heard('?lastEventId=3', {})).toEqual([4])
    expect(await heard('', { 'last-event-id': '1' })).toEqual([4, 5])
    expect(await heard('?lastEventId=1', { 'last-event-id': '5' })).toEqual([6])
    expect(await heard('?lastEventId=x', {})).toEqual([6, 7])
  })

  it('sends browsers the changes they can see, and servers all of them', async () => {
    await open()
    await test.publish({ public: { a: 1 }, secret: { s: '1' } })
    const browser = await test.stream(path, test.addKey('b2m').headers)
    const server = await test.stream(path, test.addKey('m2m').headers)
    await Promise.all([browser.until(/id: 1\n/), server.until(/id: 1\n/)])
    await test.publish({ public: { a: 1 }, secret: { s: '2' } }, 'server')
    await server.until(/id: 2\n/)
    await test.publish({ public: { a: 2 }, secret: { s: '2' } })
    await Promise.all([browser.until(/id: 2\n/), server.until(/id: 3\n/)])
    expect(browser.text().match(/event: config/g)).toHaveLength(2)
    expect(server.headers['access-control-allow-origin']).toBeUndefined()
    browser.close()
    server.close()
  })

  it('ends once its key is revoked, and once it expires', async () => {
    await open()
    await test.publish()
    const revoked = test.addKey('b2m')
    const expiring = test.addKey('m2m', { expiresAt: '2026-11-21T06:00:10.000Z' })
    const kept = test.addKey('b2m')
    const streams = await Promise.all(
      [revoked, expiring, kept].map(({ headers }) => test.stream(path, headers)),
    )
    const [first, second, third] = streams
    await Promise.all(streams.map((stream) => stream.until(/id: 1\n/)))
    test.changeKey(revoked.key, { revokedAt: '2026-11-21T06:00:00.000Z' })
    test.pass(11_000)
    await Promise.all([first?.ended, second?.ended])
    await test.publish({ public: { a: 2 } })
    await third?.until(/id: 2\n/)
    expect(first?.text()).not.toContain('id: 2')
    third?.close()
  })

  it('ends when its schema or environment is deleted', async () => {
    await open()
    await test.publish()
    const { headers } = test.addKey('b2m')
    const stream = await test.stream(path, headers)
    await stream.until(/id: 1\n/)
    test.publisher.remove(testSnapshot)
    await test.delivery.refresh()
    await stream.ended
    expect((await test.ask(snapshotPath, { headers })).status).toBe(404)
    expect((await test.ask(path, { headers })).status).toBe(404)
  })

  it('is limited to so many of a key and an address', async () => {
    await open({ rateLimits: defaultRateLimits, deps: { streamLimits: { perSubject: 20 } } })
    await test.publish()
    const { headers } = test.addKey('b2m')
    const streams = await Promise.all(Array.from({ length: 20 }, () => test.stream(path, headers)))
    expect(streams.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const refused = await test.ask(path, { headers })
    expect([refused.status, refused.json()]).toEqual([
      429,
      expect.objectContaining({ code: 'too_many_streams' }),
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await test.stream(path, test.addKey('b2m').headers)).status).toBe(200)
    streams[0]?.close()
    await expect
      .poll(async () => {
        const stream = await test.stream(path, headers)
        stream.close()
        return stream.status
      })
      .toBe(200)
  })

  it.each([
    { limit: 'streamOpen', status: 503, code: 'overloaded' },
    { limit: 'streamOpenKey', status: 429, code: 'rate_limited' },
  ])(
    'that one $limit too many asks for is refused with $status $code, and for EventSource empty until later',
    async ({ limit, status, code }) => {
      await open({ rateLimits: { ...defaultRateLimits, [limit]: { perSecond: 0.001, burst: 1 } } })
      await test.publish()
      const { headers, token } = test.addKey('b2m')
      expect((await test.stream(path, headers)).status).toBe(200)
      const refused = await test.ask(path, { headers })
      expect([refused.status, refused.json()]).toMatchObject([status, { code }])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      const accept = { accept: 'text/event-stream' }
      const postponed = await test.ask(`${path}?apiKey=${token}`, { headers: accept })
      expect(postponed.headers['content-type']).toBe('text/event-stream; charset=utf-8')
      expect([postponed.status, postponed.text]).toEqual([
        200,
        expect.stringMatching(/^retry: \d{4,5}\n\n$/),
      ])
    },
  )

  describe('that a key opens', () => {
    const few = { perSecond: 0.001, burst: 20 }
    const limits = { ...defaultRateLimits, streamOpenKey: few, streamOpen: { ...few, burst: 30 } }

    it('is there while another key opens and closes without end', async () => {
      await open({ rateLimits: limits })
      await test.publish()
      const { headers } = test.addKey('b2m')
      const statuses: number[] = []
      for (let tried = 0; tried < 60; tried += 1) {
        const stream = await test.stream(path, headers)
        statuses.push(stream.status)
        stream.close()
      }
      expect(statuses).toEqual([...Array(20).fill(200), ...Array(40).fill(429)])
      expect((await test.stream(path, test.addKey('b2m').headers)).status).toBe(200)
    })

    it('is there while another key is at its limit and opens more', async () => {
      const rateLimits = { ...limits, streamOpenKey: defaultRateLimits.delivery }
      await open({ rateLimits, deps: { streamLimits: { perSubject: 20 } } })
      await test.publish()
      const { headers } = test.addKey('b2m')
      const codes: unknown[] = []
      for (let tried = 0; tried < 60; tried += 1) {
        const stream = await test.stream(path, headers)
        codes.push(stream.status === 200 || /"code":"(\w+)"/.exec(await stream.until(/\}$/))?.[1])
      }
      expect(codes).toEqual([...Array(20).fill(true), ...Array(40).fill('too_many_streams')])
      expect((await test.stream(path, test.addKey('b2m').headers)).status).toBe(200)
    })
  })

  it('answers HEAD without opening', async () => {
    await open()
    await test.publish()
    const { headers } = test.addKey('b2m')
    const answer = await test.ask(path, { headers, method: 'HEAD' })
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect(test.delivery.status().streams).toBe(0)
  })
})

describe('streams', () => {
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  async function serve(options: Partial<StreamsOptions> = {}) {
    const cut: number[] = []
    const streams = createStreams({
      metrics: { setOpenStreams() {}, recordCutStream: () => cut.push(1) },
      ...options,
    })
    const server = createServer((request, response) => {
      streams.open({
        audience: 'browser',
        snapshotKey: 'sch/env',
        reader,
        asker: askerOf(request.url ?? ''),
        missed: undefined,
        begin(text) {
          response.removeHeader('Transfer-Encoding')
          response.writeHead(200, streamHeaders('req_1', undefined))
          response.write(text)
          return response
        },
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      streams.close()
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const connections = promisify(server.getConnections.bind(server))
    return { streams, cut, connections, open: (url: string) => openStream(port, url) }
  }

  const block = Buffer.from(`: ${'x'.repeat(64 * 1024)}\n\n`)

  /** Sends until the reader is cut or has `total` bytes waiting for it. */
  async function flood(streams: ReturnType<typeof createStreams>, blocks: number) {
    for (let sent = 0; sent < blocks; sent += 1) {
      streams.send('browser', 'sch/env', block)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it('cut a reader that leaves 256 KiB unread, and no other', async () => {
    const { streams, cut, open } = await serve()
    const [stuck, good] = await Promise.all([open('/stuck'), open('/good')])
    await Promise.all([stuck.until(/retry/), good.until(/retry/)])
    stuck.pause()
    await flood(streams, 400)
    expect([cut.length, streams.size]).toEqual([1, 1])
    streams.send('browser', 'sch/env', Buffer.from('event: config\ndata: last\n\n'))
    await good.until(/data: last/)
  })

  it('control: without the limit the reader stays and its bytes pile up', async () => {
    const { streams, cut, open } = await serve({ limits: { queueBytes: Number.POSITIVE_INFINITY } })
    const stuck = await open('/stuck')
    await stuck.until(/retry/)
    stuck.pause()
    await flood(streams, 400)
    expect([cut.length, streams.size]).toEqual([0, 1])
  })

  /** Ends the streams of one reader that reads and one that has stopped to, which leaves its bytes waiting. */
  async function endBoth(endMs: number) {
    const { streams, connections, open } = await serve({
      endMs,
      limits: { queueBytes: Number.POSITIVE_INFINITY },
    })
    const [stuck, good] = await Promise.all([open('/stuck'), open('/good')])
    await Promise.all([stuck.until(/retry/), good.until(/retry/)])
    stuck.pause()
    await flood(streams, 400)
    streams.end('browser', 'sch/env')
    await good.ended
    return { streams, connections }
  }

  it('leave no connection behind when they end, even of a reader that never receives the end', async () => {
    const { streams, connections } = await endBoth(100)
    expect(streams.size).toBe(0)
    await expect.poll(connections).toBe(0)
  })

  it('control: without the bound the connection stays, and is counted nowhere', async () => {
    const { streams, connections } = await endBoth(600_000)
    expect(streams.size).toBe(0)
    await expect.poll(connections).toBe(1)
  })

  it('on bare sockets end without waiting for the reader to end its own side', async () => {
    const streams = createStreams({
      metrics: { setOpenStreams() {}, recordCutStream() {} },
      endMs: 600_000,
    })
    const server = createSocketServer({ allowHalfOpen: true }, (socket) => {
      const begin = (text: string) => {
        socket.resume().write(text)
        return socket
      }
      const asker = askerOf('key address')
      streams.open({
        audience: 'browser',
        snapshotKey: 'sch/env',
        reader,
        asker,
        missed: undefined,
        begin,
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const peer = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume()
    closing.push(() => {
      peer.destroy()
      server.close()
    })
    await expect.poll(() => streams.size).toBe(1)
    streams.close()
    await expect.poll(promisify(server.getConnections.bind(server))).toBe(0)
    // The reader has heard of the end, and has not ended its own side.
    await expect.poll(() => peer.readyState).toBe('writeOnly')
  })

  it('are kept open by a comment when nothing happens', async () => {
    const { open } = await serve({ heartbeatMs: 150 })
    const stream = await open('/')
    const text = await stream.until(/^retry: \d+\n\n:\n\n:\n\n/)
    expect(text.slice(text.indexOf(':\n\n'))).toMatch(/^(:\n\n)+$/)
  })

  it('share one buffer for an event, however many they are', async () => {
    const { streams, open } = await serve()
    const opened = await Promise.all(Array.from({ length: 50 }, (_, index) => open(`/${index}`)))
    await Promise.all(opened.map((each) => each.until(/retry/)))
    const written = new Set<unknown>()
    const event = Buffer.from('event: config\ndata: x\n\n')
    streams.send('browser', 'sch/env', event)
    for (const each of opened) written.add((await each.until(/data: x\n\n/)).replace(/^.*\n\n/, ''))
    expect(written.size).toBe(1)
  })

  it('end with a retry field, and are not opened again', async () => {
    const { streams, open } = await serve()
    const opened = await Promise.all([open('/1'), open('/2')])
    await Promise.all(opened.map((each) => each.until(/retry/)))
    streams.close()
    for (const each of opened) {
      await each.ended
      expect(each.text().match(/retry: \d+\n\n/g)).toHaveLength(2)
    }
    expect(streams.size).toBe(0)
  })
})

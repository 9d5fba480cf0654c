import { connect } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createClientAddress } from '../../http/admission/client-address.ts'
import { collectServerSockets } from '../../http/testing/collect-server-sockets.ts'
import {
  openTestDelivery,
  snapshotPath,
  type TestDelivery,
  type TestDeliveryOptions,
} from '../testing/test-delivery.ts'

const evaluatePath = '/organizations/acme/config/feature-flags/on/evaluate'

let test: TestDelivery

/** Longer than the tests that do not wait for it may take on a busy machine. */
const drainMs = 25_000

async function open(options?: TestDeliveryOptions): Promise<TestDelivery> {
  test = await openTestDelivery(options)
  return test
}

describe('the delivery listener', () => {
  afterEach(() => test.close())

  it('answers health checks whatever the database does', async () => {
    await open()
    const health = await test.ask('/healthz')
    expect([health.status, health.json()]).toEqual([200, { ok: true }])
    await test.publish({ public: { a: 1 } })
    const ready = await test.ask('/readyz')
    expect([ready.status, ready.json()]).toEqual([
      200,
      {
        ready: true,
        snapshots: { loadedFrom: 'database', count: 1, ageSeconds: 0 },
        database: { ok: true, detail: null },
        disk: { ok: true },
        streams: 0,
      },
    ])
    test.publisher.setAway(true)
    test.publisher.announce()
    await expect
      .poll(async () => (await test.ask('/readyz')).json())
      .toMatchObject({ ready: true, database: { ok: false, detail: expect.any(String) } })
    test.pass(90_000)
    expect((await test.ask('/readyz')).json()).toMatchObject({ snapshots: { ageSeconds: 90 } })
    const { headers } = test.addKey('b2m')
    expect((await test.ask(snapshotPath, { headers })).status).toBe(200)
  })

  it('answers a request with an unknown expectation like any other', async () => {
    await open()
    const answer = await test.ask('/healthz', { headers: { Expect: '200-ok' } })
    expect([answer.status, answer.json()]).toEqual([200, { ok: true }])
  })

  it.each(['GET /healthz HTTP/1.1\r\nHost: x\r\n', 'nonsense\r\n\r\n'])(
    'lets go of a client that sent %j and keeps its end open',
    async (bytes) => {
      const accepted = collectServerSockets()
      await open({ timeouts: { headersMs: 100, requestMs: 100, checkEveryMs: 50, leaveMs: 100 } })
      let text = ''
      const socket = connect({ port: test.port, host: '127.0.0.1', allowHalfOpen: true })
      onTestFinished(() => void socket.destroy())
      socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {})
      socket.write(bytes)
      await expect.poll(() => text).toMatch(/^HTTP\/1\.1 40[08] /)
      await expect.poll(() => accepted.map(({ destroyed }) => destroyed)).toEqual([true])
      expect(socket.writable).toBe(true)
    },
  )

  it.each([false, true])(
    'counts connections until they are streams, which have limits of their own (plain: %s)',
    async (plainStreams) => {
      const accepted = collectServerSockets()
      const connections = { perAddress: 2, inAll: 20, clientAddress: createClientAddress([]) }
      await open({ connections, plainStreams })
      await test.publish()
      const { headers } = test.addKey('b2m')
      for (let at = 0; at < 5; at += 1) {
        const stream = await test.stream(`${snapshotPath}/stream`, headers)
        await stream.until(/id: 1\n/)
      }
      for (let at = 0; at < 3; at += 1) {
        const silent = connect({ port: test.port, host: '127.0.0.1' }).on('error', () => {})
        onTestFinished(() => void silent.destroy())
      }
      const areDestroyed = () => accepted.map(({ destroyed }) => destroyed)
      await expect.poll(areDestroyed).toEqual([...Array<boolean>(7).fill(false), true])
    },
  )

  it('answers a request once, however its body goes on after an early answer', async () => {
    await open()
    let text = ''
    const socket = connect(test.port, '127.0.0.1')
    const closed = new Promise((resolve) => {
      socket.on('close', resolve)
    })
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {})
    socket.once('data', () => socket.write('0\r\nTransfer-Encoding: chunked\r\n\r\n'))
    const head = `POST ${evaluatePath} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`
    socket.write(head)
    await closed
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
  })

  it('is not ready before it has anything to serve', async () => {
    const { createFakePublisher } = await import('../testing/fake-publisher.ts')
    const { generateRootKey } = await import('../../crypto/root-key.ts')
    const publisher = createFakePublisher(generateRootKey())
    publisher.setAway(true)
    await open({ publisher })
    const answer = await test.ask('/readyz')
    expect([answer.status, answer.json()]).toMatchObject([503, { ready: false }])
    publisher.setAway(false)
    publisher.announce()
    await expect.poll(async () => (await test.ask('/readyz')).status).toBe(200)
  })

  it('stops in order: finishes accepted requests, ends streams with a retry field, accepts nothing more', async () => {
    await open({ drainMs })
    await test.publish({ featureFlags: { on: true }, flagSources: { on: 'set' } })
    const { headers, token } = test.addKey('b2m')
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => test.stream(`${snapshotPath}/stream`, headers)),
    )
    await Promise.all(streams.map((stream) => stream.until(/id: 1\n/)))
    const body = '{"environment":"production"}'
    const slow = connect(test.port, '127.0.0.1')
    let answer = ''
    slow.setEncoding('utf8')
    slow.on('data', (chunk: string) => {
      answer += chunk
    })
    const answered = new Promise((resolve) => {
      slow.on('close', resolve)
    })
    slow.write(
      `POST ${evaluatePath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    )
    await expect.poll(() => slow.bytesWritten).toBeGreaterThan(0)
    // A request on another connection shows that the slow one was accepted before the stop.
    await test.ask('/healthz')
    const begunAt = performance.now()
    const closed = test.listener.close()
    await Promise.all(streams.map((stream) => stream.ended))
    for (const stream of streams) expect(stream.text()).toMatch(/retry: \d+\n\n$/)
    // A request that arrives during the drain is answered, and told to close its connection.
    expect((await test.ask('/healthz')).headers.connection).toBe('close')
    const ready = await test.ask('/readyz')
    expect([ready.status, ready.json()]).toMatchObject([503, { ready: false }])
    await expect
      .poll(() => test.ask('/healthz').catch((error: Error) => error.message))
      .toMatch('ECONNREFUSED')
    slow.write(body.slice(9))
    await answered
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toContain('Connection: close')
    expect(answer.endsWith('{"value":true,"source":"set","variant":"on"}')).toBe(true)
    expect(performance.now() - begunAt).toBeLessThan(drainMs)
  })

  it.each([false, true])(
    'serves on while it drains, and says that it stops (plain streams: %s)',
    async (plainStreams) => {
      await open({ plainStreams })
      await test.publish()
      const { headers } = test.addKey('b2m')
      const path = `${snapshotPath}/stream`
      const streams = await Promise.all(Array.from({ length: 8 }, () => test.stream(path, headers)))
      const endedAt: number[] = []
      const begunAt = performance.now()
      for (const { ended } of streams)
        void ended.then(() => endedAt.push(performance.now() - begunAt))
      test.listener.drain(400)
      const ready = await test.ask('/readyz')
      expect([ready.status, ready.json()]).toMatchObject([503, { ready: false }])
      const read = await test.ask(snapshotPath, {
        headers: { ...headers, connection: 'keep-alive' },
      })
      expect([read.status, read.headers.connection]).toEqual([200, 'close'])
      // A load balancer that has not noticed yet sends it here.
      const late = await test.stream(path, headers)
      expect(late.status).toBe(200)
      await Promise.all([...streams, late].map(({ ended }) => ended))
      for (const stream of [...streams, late]) expect(stream.text()).toMatch(/retry: \d+\n\n$/)
      expect(Math.max(...endedAt) - Math.min(...endedAt)).toBeGreaterThan(100)
      expect((await test.ask('/healthz')).status).toBe(200)
    },
  )

  it('does not wait for connections that sent nothing', async () => {
    await open({ drainMs })
    const silent = connect(test.port, '127.0.0.1').resume()
    const ended = new Promise((resolve) => {
      silent.on('close', resolve)
    })
    await test.ask('/healthz')
    const begunAt = performance.now()
    await test.listener.close()
    await ended
    expect(performance.now() - begunAt).toBeLessThan(drainMs)
  })

  it('cuts what does not finish in time', async () => {
    await open({ drainMs: 100 })
    const slow = connect(test.port, '127.0.0.1').resume()
    const ended = new Promise((resolve) => {
      slow.on('close', resolve)
    })
    const { token } = test.addKey('b2m')
    slow.write(
      'POST /organizations/acme/config/feature-flags/b/evaluate HTTP/1.1\r\nHost: x\r\n' +
        `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`,
    )
    await test.ask('/healthz')
    const begunAt = performance.now()
    await test.listener.close()
    await ended
    expect(performance.now() - begunAt).toBeLessThan(20_000)
  })
})

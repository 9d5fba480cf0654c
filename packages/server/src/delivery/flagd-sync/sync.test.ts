import {
  connect,
  constants,
  createServer,
  type Http2Server,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { FlagdProvider } from '@openfeature/flagd-provider'
import { OpenFeature, ProviderEvents, ProviderStatus } from '@openfeature/server-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import {
  openTestDelivery,
  otherOrgId,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'
import { openSyncListener, type SyncListener } from './sync-listener.ts'

const flags = {
  featureFlags: { darkMode: true, newCheckout: false },
  flagSources: { darkMode: 'set', newCheckout: 'set' },
  flagRules: {
    newCheckout: [{ when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: true }],
  },
  secret: { stripeKey: 'sk_live_canary' },
} as const
const metrics = { recordRefusedConnection() {} }

let delivery: TestDelivery
let listener: SyncListener
const closing: (() => unknown)[] = []

const listen = (port = 0, requestMs?: number) =>
  openSyncListener({
    answer: delivery.delivery.answerSync(requestMs),
    host: '127.0.0.1',
    port,
    metrics,
    drainMs: 200,
  })
beforeEach(async () => {
  delivery = await openTestDelivery()
  await delivery.publish(flags)
  listener = await listen()
})
afterEach(async () => {
  await OpenFeature.close()
  for (const close of closing.splice(0).toReversed()) await close()
  await listener.close()
  await delivery.close()
})

const service = '/flagd.sync.v1.FlagSyncService/'
const raw = (bytes: Buffer) => bytes

/** The text of `flag_configuration`, which is the first and only member of each answer. */
function readDefinition(message: Buffer): { flags: Record<string, { defaultVariant: string }> } {
  const from = message.indexOf('{')
  return JSON.parse(message.toString('utf8', from)) as ReturnType<typeof readDefinition>
}

function openClient() {
  const client = new Client(`127.0.0.1:${listener.port}`, credentials.createInsecure())
  closing.push(() => client.close())
  return client
}

interface Sent {
  readonly headers?: Record<string, string>
  readonly selector?: string
  readonly message?: Buffer
}

function toMetadata({ headers = {}, selector }: Sent): Metadata {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  if (selector !== undefined) metadata.set('flagd-selector', selector)
  return metadata
}

/** One call of `FetchAllFlags`: its definition, or the code and the message of its rejection. */
function fetchAll(sent: Sent, method = 'FetchAllFlags') {
  return new Promise<{ code: number; details: string; message: Buffer }>((resolve) => {
    openClient().makeUnaryRequest(
      `${service}${method}`,
      raw,
      raw,
      sent.message ?? Buffer.alloc(0),
      toMetadata(sent),
      (error: ServiceError | null, message?: Buffer) => {
        const { code = 0, details = '' } = error ?? {}
        resolve({ code, details, message: message ?? Buffer.alloc(0) })
      },
    )
  })
}

/** A stream of `SyncFlags`: what has come, and how it ended. */
function sync(sent: Sent) {
  const received: Buffer[] = []
  const ends: { code: number; details: string }[] = []
  const call = openClient().makeServerStreamRequest(
    `${service}SyncFlags`,
    raw,
    raw,
    Buffer.alloc(0),
    toMetadata(sent),
  )
  call.on('data', (message: Buffer) => received.push(message))
  call.on('error', () => undefined)
  call.on('status', (status) => ends.push({ code: status.code, details: status.details }))
  return { call, received, ends }
}

const ownKey = () => delivery.addKey('m2m', { environmentIds: [testSnapshot.environmentId] })
const selector = 'flagSetId=web/production'

describe('FetchAllFlags', () => {
  it('answers the definition to a server key, in either header and with either selector', async () => {
    const { token, headers } = delivery.addKey('m2m')
    const named = Buffer.from(`\u0012${String.fromCharCode(selector.length)}${selector}`)
    for (const sent of [
      { headers, selector },
      { headers: { 'x-api-key': token }, selector: 'web/production' },
      { headers, message: named },
      { headers: ownKey().headers },
    ]) {
      const { code, message } = await fetchAll(sent)
      expect([code, readDefinition(message)]).toMatchObject([
        0,
        {
          flags: { darkMode: { defaultVariant: 'on' } },
          metadata: { flagSetId: 'web/production' },
        },
      ])
      expect(message.toString()).not.toContain('sk_live_canary')
    }
  })

  it.each([
    ['a browser key', 7, () => delivery.addKey('b2m').headers, selector],
    ['no key', 16, () => ({}), selector],
    ['a wrong key', 16, () => ({ authorization: 'Bearer sbx_m2m_x' }), selector],
    [
      'a key of elsewhere',
      7,
      () => delivery.addKey('m2m', { environmentIds: [] }).headers,
      selector,
    ],
    ['a foreign key', 5, () => delivery.addKey('m2m', { orgId: otherOrgId }).headers, selector],
    ['no such environment', 5, () => delivery.addKey('m2m').headers, 'web/absent'],
    ['no selector', 3, () => delivery.addKey('m2m').headers, ''],
    ['a selector that is none', 3, () => delivery.addKey('m2m').headers, 'a=b=c'],
  ])('refuses %s with the status %i, and a stream alike', async (_, code, headers, named) => {
    const sent = { headers: headers(), selector: named }
    const refused = await fetchAll(sent)
    expect(refused.code).toBe(code)
    expect(refused.details).not.toBe('')
    const { ends } = sync(sent)
    await expect.poll(() => ends).toEqual([{ code, details: refused.details }])
  })

  it('refuses what is no request, and what the service does not have', async () => {
    const { headers } = ownKey()
    expect((await fetchAll({ headers, message: Buffer.from([0x08, 1]) })).code).toBe(3)
    expect((await fetchAll({ headers, message: Buffer.alloc(5_000) })).code).toBe(3)
    expect((await fetchAll({ headers }, 'DropFlags')).code).toBe(12)
    expect((await fetchAll({ headers }, 'constructor')).code).toBe(12)
    expect(await fetchAll({ headers }, 'GetMetadata')).toMatchObject({ code: 0 })
  })

  it('is charged like a read', async () => {
    await listener.close()
    await delivery.close()
    const rateLimits = { ...defaultRateLimits, delivery: { perSecond: 0.001, burst: 2 } }
    delivery = await openTestDelivery({ rateLimits })
    await delivery.publish(flags)
    listener = await listen()
    const { headers } = ownKey()
    const codes = []
    for (let asked = 0; asked < 3; asked += 1) codes.push((await fetchAll({ headers })).code)
    expect(codes).toEqual([0, 0, 8])
  })
})

describe('SyncFlags', () => {
  it('sends the definition at once and with each change of a flag, and no other', async () => {
    const { received, ends } = sync({ headers: ownKey().headers })
    await expect.poll(() => received.length).toBe(1)
    await delivery.publish({ ...flags, secret: { stripeKey: 'another' } }, 'server')
    await delivery.publish({ ...flags, public: { apiUrl: 'https://x.example.com' } })
    await delivery.publish({ ...flags, featureFlags: { darkMode: false, newCheckout: false } })
    await expect.poll(() => received.length).toBe(2)
    const [, last] = received
    expect(readDefinition(last ?? Buffer.alloc(0)).flags['darkMode']?.defaultVariant).toBe('off')
    expect(ends).toEqual([])
    expect(delivery.delivery.status().streams).toBe(1)
  })

  it('ends with UNAUTHENTICATED within seconds after its key was revoked', async () => {
    const { headers, key } = ownKey()
    const { received, ends } = sync({ headers })
    await expect.poll(() => received.length).toBe(1)
    delivery.changeKey(key, { revokedAt: '2026-11-21T06:00:00Z' })
    await expect.poll(() => ends).toEqual([{ code: 16, details: expect.stringMatching(/revoked/) }])
    expect(delivery.delivery.status().streams).toBe(0)
  })

  it('ends with NOT_FOUND when the environment is deleted', async () => {
    const { received, ends } = sync({ headers: ownKey().headers })
    await expect.poll(() => received.length).toBe(1)
    delivery.publisher.remove(testSnapshot)
    await delivery.delivery.refresh()
    await expect.poll(() => ends).toMatchObject([{ code: 5 }])
  })

  it('goes on on its connection while the node drains, and the next call comes on another', async () => {
    const { headers } = ownKey()
    const client = connect(`http://127.0.0.1:${listener.port}`)
    closing.push(() => client.destroy())
    const signs: string[] = []
    client.on('goaway', () => signs.push('goaway'))
    const stream = client.request({ ':method': 'POST', ':path': `${service}SyncFlags`, ...headers })
    stream.on('error', () => undefined).on('close', () => signs.push('ended'))
    let bytes = 0
    stream.on('data', (chunk: Buffer) => (bytes += chunk.length))
    stream.end(Buffer.alloc(5))
    await expect.poll(() => bytes).toBeGreaterThan(0)
    listener.drain()
    await expect.poll(() => signs).toEqual(['goaway'])
    expect((await fetchAll({ headers })).code).toBe(0)
    delivery.delivery.drain(100)
    await expect.poll(() => signs.slice(0, 2)).toEqual(['goaway', 'ended'])
  })

  it('ends with UNAVAILABLE when the node stops, which opens no more', async () => {
    const { received, ends } = sync({ headers: ownKey().headers })
    await expect.poll(() => received.length).toBe(1)
    delivery.delivery.endStreams()
    await expect.poll(() => ends).toMatchObject([{ code: 14 }])
    const late = sync({ headers: ownKey().headers })
    await expect.poll(() => late.ends).toMatchObject([{ code: 14 }])
  })

  it('is counted until its reader leaves', async () => {
    const { call, received } = sync({ headers: ownKey().headers })
    await expect.poll(() => received.length).toBe(1)
    call.cancel()
    await expect.poll(() => delivery.delivery.status().streams).toBe(0)
  })
})

describe('@openfeature/flagd-provider in process', () => {
  it('reads, hears of changes, and comes back after a restart', async () => {
    const { headers } = delivery.addKey('m2m')
    // The provider has no option for credentials: something between adds the header, as a sidecar does.
    const sidecar = await openSidecar(() => listener.port, headers)
    const provider = new FlagdProvider({
      resolverType: 'in-process',
      host: '127.0.0.1',
      port: sidecar.port,
      selector,
      retryBackoffMs: 50,
      retryBackoffMaxMs: 100,
    })
    await OpenFeature.setProviderAndWait('sync', provider)
    const client = OpenFeature.getClient('sync')
    const changed: string[][] = []
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => {
      changed.push([...(event?.flagsChanged ?? [])])
    })
    expect(await client.getBooleanValue('newCheckout', false, { plan: 'pro' })).toBe(true)
    expect(await client.getBooleanValue('newCheckout', true, { plan: 'free' })).toBe(false)
    const off = { ...flags, featureFlags: { darkMode: false, newCheckout: false } }
    await delivery.publish(off)
    await expect.poll(() => changed.at(-1)).toEqual(['darkMode'])
    expect(await client.getBooleanValue('darkMode', true)).toBe(false)

    const { port } = listener
    delivery.delivery.endStreams()
    await listener.close()
    await delivery.stop()
    delivery = await openTestDelivery()
    delivery.addKey('m2m')
    await delivery.publish(flags)
    sidecar.use(delivery.addKey('m2m').headers)
    listener = await listen(port)
    await expect.poll(() => client.getBooleanValue('darkMode', false)).toBe(true)
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY)
  })
})

describe('a caller that sends its request byte by byte', () => {
  it.each([
    ['a key', () => delivery.addKey('m2m').headers, constants.NGHTTP2_CANCEL],
    // Rejected before its request is read.
    ['no key', () => ({}), constants.NGHTTP2_NO_ERROR],
  ])(
    'is ended with %s within the time that a request may take, however often a byte comes',
    async (_, access, code) => {
      await listener.close()
      listener = await listen(0, 300)
      const session = connect(`http://127.0.0.1:${listener.port}`)
      const headers = access()
      const call = session.request({
        ':method': 'POST',
        ':path': `${service}FetchAllFlags`,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...headers,
      })
      call.on('error', () => undefined)
      // A stream whose answer nobody reads may never tell that it is closed.
      call.resume()
      // Says that 4,000 bytes follow. One of them comes every 30 ms: a stream that is only watched for silence lives on.
      call.write(Buffer.from([0, 0, 0, 0x0f, 0xa0]))
      const drip = setInterval(() => call.write('x'), 30)
      closing.push(() => session.destroy())
      closing.push(() => clearInterval(drip))
      await new Promise<void>((resolve) => call.on('close', () => resolve()))
      expect(call.rstCode).toBe(code)
    },
  )
})

/** Passes calls on with a header more. */
async function openSidecar(port: () => number, headers: Record<string, string>) {
  let added = headers
  const server: Http2Server = createServer()
  server.on('stream', (incoming: ServerHttp2Stream, sent) => {
    const session = connect(`http://127.0.0.1:${port()}`)
    const refuse = () => {
      if (!incoming.headersSent && !incoming.destroyed) {
        incoming.respond({
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': '14',
        })
        incoming.end()
      }
    }
    session.on('error', refuse)
    const { ':path': path, 'content-type': type, 'flagd-selector': named } = sent
    const outgoing = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': type,
      te: 'trailers',
      ...(named !== undefined && { 'flagd-selector': named }),
      ...added,
    })
    outgoing.on('error', refuse)
    incoming.on('error', () => undefined)
    incoming.pipe(outgoing)
    outgoing.on('response', ({ ':status': status, 'content-type': contentType, ...rest }) => {
      const grpc = Object.entries(rest).filter(([name]) => name.startsWith('grpc-'))
      incoming.respond(
        { ':status': status, 'content-type': contentType, ...Object.fromEntries(grpc) },
        { waitForTrailers: true },
      )
      outgoing.pipe(incoming)
    })
    let trailers = {}
    outgoing.on('trailers', (received) => {
      trailers = {
        'grpc-status': received['grpc-status'],
        'grpc-message': received['grpc-message'],
      }
    })
    incoming.on('wantTrailers', () => incoming.sendTrailers(trailers))
    incoming.on('close', () => session.close())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return {
    port: (server.address() as AddressInfo).port,
    use(next: Record<string, string>) {
      added = next
    },
  }
}

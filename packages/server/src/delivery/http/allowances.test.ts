import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generateRootKey } from '../../crypto/root-key.ts'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import { createFakePublisher } from '../testing/fake-publisher.ts'
import {
  openTestDelivery,
  testSnapshot,
  snapshotPath,
  type TestDelivery,
} from '../testing/test-delivery.ts'
import type { Ask } from '../testing/http-client.ts'

let test: TestDelivery

beforeEach(async () => {
  test = await open()
})
afterEach(() => test.close())

const values = {
  public: { apiUrl: 'https://api.example.com' },
  featureFlags: { on: true },
  flagSources: { on: 'set' },
  secret: { stripeKey: 'sk_live_canary' },
} as const

const few = { ...defaultRateLimits, delivery: { perSecond: 0.001, burst: 3 } }

/** Opens a delivery that gives three answers to a key. */
async function open(): Promise<TestDelivery> {
  const opened = await openTestDelivery({ rateLimits: few })
  await opened.publish(values)
  await opened.publish(values)
  return opened
}

const read = '/organizations/acme/config/values'
const evaluate = '/organizations/acme/config/feature-flags/on/evaluate'
const paths = {
  snapshot: snapshotPath,
  'version now': `${snapshotPath}/2`,
  'version before': `${snapshotPath}/1`,
  values: `${read}?environment=production`,
  value: `${read}/apiUrl?environment=production`,
  secret: `${read}/stripeKey?environment=production`,
  stream: `${snapshotPath}/stream`,
  evaluate,
  'absent snapshot': '/snapshots/absent/absent',
  'absent stream': '/snapshots/absent/absent/stream',
  'absent version': `${snapshotPath}/9`,
  'no version': `${snapshotPath}/x`,
  'absent value': `${read}/absent?environment=production`,
  'absent environment': `${read}?environment=absent`,
  'no environment': read,
  'absent flag': evaluate.replace('/on/', '/absent/'),
} as const
const post = (body: object): Ask => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The statuses of five equal requests by a key of its own. */
async function repeat(path: string, { headers, ...more }: Ask = {}, key = test.addKey('b2m')) {
  const statuses: number[] = []
  for (let asked = 0; asked < 5; asked += 1) {
    const request = { ...more, headers: { ...key.headers, ...headers } }
    statuses.push((await test.ask(path, request)).status)
  }
  return statuses
}

describe('a refusal', () => {
  it.each<[status: number, name: keyof typeof paths, request: Ask]>([
    [404, 'absent snapshot', {}],
    [404, 'absent snapshot', { method: 'HEAD' }],
    [404, 'absent stream', {}],
    [404, 'absent version', {}],
    [404, 'no version', {}],
    [404, 'absent value', {}],
    [404, 'absent environment', {}],
    [400, 'no environment', {}],
    [404, 'absent flag', post({ environment: 'production' })],
    [422, 'evaluate', post({})],
    [415, 'evaluate', { method: 'POST', body: '{}' }],
  ])('%i of %s is taken from the allowance, as an answer is', async (status, name, request) => {
    for (const kind of ['b2m', 'm2m'] as const) {
      const statuses = await repeat(paths[name], request, test.addKey(kind))
      expect(statuses).toEqual([status, status, status, 429, 429])
    }
  })

  it("for the key's restrictions is taken from the allowance", async () => {
    const restricted = test.addKey('b2m', { allowedOrigins: ['https://app.example'] })
    const headers = { origin: 'https://evil.example' }
    expect(await repeat(snapshotPath, { headers }, restricted)).toEqual([403, 403, 403, 429, 429])
    const elsewhere = test.addKey('m2m', { environmentIds: [] })
    expect(await repeat(snapshotPath, {}, elsewhere)).toEqual([403, 403, 403, 429, 429])
  })

  it('costs as much as an answer, and says when to ask again once there is no more', async () => {
    const { headers } = test.addKey('b2m')
    await test.ask('/snapshots/absent/absent', { headers })
    const answer = await test.ask(snapshotPath, { headers })
    expect(answer.headers['ratelimit-policy']).toMatch(/^"delivery";q=3;w=\d+$/)
    expect(answer.headers.ratelimit).toMatch(/^"delivery";r=1;t=\d+$/)
    await test.ask(snapshotPath, { headers })
    const refused = await test.ask(snapshotPath, { headers })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const held = { ...headers, 'if-none-match': answer.headers.etag ?? '' }
    expect((await test.ask(snapshotPath, { headers: held })).status).toBe(304)
  })
})

describe('an answer', () => {
  it.each<[name: keyof typeof paths, request: Ask]>([
    ['snapshot', {}],
    ['version now', {}],
    ['version before', {}],
    ['values', {}],
    ['value', {}],
    ['stream', { method: 'HEAD' }],
    ['evaluate', post({ environment: 'production' })],
  ])('to %s is taken once', async (name, request) => {
    for (const kind of ['b2m', 'm2m'] as const) {
      const statuses = await repeat(paths[name], request, test.addKey(kind))
      expect(statuses).toEqual([200, 200, 200, 429, 429])
    }
  })

  it.each(['snapshot', 'version now', 'version before', 'values', 'value'] as const)(
    'of %s that the caller has costs nothing',
    async (name) => {
      for (const kind of ['b2m', 'm2m'] as const) {
        const key = test.addKey(kind)
        const { etag = '' } = (await test.ask(paths[name], key)).headers
        const headers = { 'if-none-match': etag }
        expect(await repeat(paths[name], { headers }, key)).toEqual(Array(5).fill(304))
        const answer = await test.ask(paths[name], key)
        expect(answer.headers.ratelimit).toMatch(/^"delivery";r=1;/)
      }
    },
  )

  it('is refused before the body of its request is read', async () => {
    const key = test.addKey('b2m')
    await repeat(snapshotPath, {}, key)
    const socket = connect(test.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    socket.write(
      `POST ${evaluate} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
    )
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 429 /)
    socket.destroy()
  })

  it('is refused before an older version is read', async () => {
    const rootKey = generateRootKey()
    const publisher = createFakePublisher(rootKey)
    for (let version = 1; version <= 2; version += 1) {
      publisher.publishBrowser({ ...testSnapshot, ...values })
      publisher.publishServer({ ...testSnapshot, ...values })
    }
    await test.close()
    // It has seen the second version alone, so the first one is in the database only.
    test = await openTestDelivery({ publisher, rootKey, rateLimits: few })
    await test.delivery.refresh()
    for (const kind of ['b2m', 'm2m'] as const) {
      const key = test.addKey(kind)
      await repeat(paths.snapshot, {}, key)
      const askedBefore = publisher.asked.length
      expect((await test.ask(paths['version before'], key)).status).toBe(429)
      expect(publisher.asked.slice(askedBefore)).toEqual([])
      expect((await test.ask(paths['version before'], test.addKey(kind))).status).toBe(200)
      expect(publisher.asked.slice(askedBefore)).toContain(
        kind === 'b2m' ? 'delivery-browser-rows' : 'delivery-server-rows',
      )
    }
  })
})

describe('secrets', () => {
  /** Breaks the seal of what is published: whoever opens it fails. */
  async function breakSeal() {
    const row = test.publisher.publishServer({ ...testSnapshot, ...values })
    await test.delivery.refresh()
    const key = test.addKey('m2m')
    const { etag = '' } = (await test.ask(snapshotPath, key)).headers
    row.sealedSecrets?.subarray(-16).fill(0)
    return { headers: { ...key.headers, 'if-none-match': etag } }
  }

  it.each(['snapshot', 'values', 'secret'] as const)(
    'of %s stay sealed when the caller has them',
    async (name) => {
      const { headers } = await breakSeal()
      expect((await test.ask(paths[name], { headers })).status).toBe(304)
      // They do not open any more.
      expect((await test.ask(paths[name], test.addKey('m2m'))).status).toBe(500)
    },
  )

  it('decide whether a value exists, whatever If-None-Match says', async () => {
    const { headers } = test.addKey('m2m')
    const anything = { ...headers, 'if-none-match': '*' }
    const statusOf = async (name: string) =>
      (await test.ask(`${read}/${name}?environment=production`, { headers: anything })).status
    expect([await statusOf('stripeKey'), await statusOf('absent')]).toEqual([200, 404])
  })

  it('are sealed on a node without the root key, also for a caller with a matching ETag', async () => {
    await test.close()
    test = await openTestDelivery({ rootKeys: [] })
    await test.publish(values)
    const headers = { ...test.addKey('m2m').headers, 'if-none-match': '*' }
    const answer = await test.ask(snapshotPath, { headers })
    expect([answer.status, answer.json()]).toMatchObject([503, { code: 'sealed' }])
  })
})

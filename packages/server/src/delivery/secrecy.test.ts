import { afterEach, describe, expect, it } from 'vitest'
import { ask } from './testing/http-client.ts'
import {
  openTestDelivery,
  testSnapshot,
  snapshotPath,
  type TestDelivery,
} from './testing/test-delivery.ts'

/** S1: a change that touches only secrets changes nothing that a browser key can see. */
let test: TestDelivery

afterEach(() => test.close())

const open = {
  public: { apiUrl: 'https://api.example.com' },
  featureFlags: { newCheckout: true },
  flagSources: { newCheckout: 'set' },
} as const

const read = '/organizations/acme/config/values'
const requests: readonly (readonly [
  method: string,
  path: string,
  headers?: Record<string, string>,
])[] = [
  ['GET', snapshotPath],
  ['HEAD', snapshotPath],
  ['GET', snapshotPath, { 'accept-encoding': 'br' }],
  ['GET', snapshotPath, { 'accept-encoding': 'gzip' }],
  ['GET', `${snapshotPath}/1`],
  ['GET', `${snapshotPath}/2`],
  ['GET', `${snapshotPath}/3`],
  ['GET', `${read}?environment=production`],
  ['GET', `${read}?environment=production&schema=web`],
  ['GET', `${read}/apiUrl?environment=production`],
  ['GET', `${read}/newCheckout?environment=production`],
  ['GET', `${read}/stripeKey?environment=production`],
  ['GET', `${read}/absentKey?environment=production`],
  ['GET', `${read}?environment=staging`],
  ['POST', '/organizations/acme/config/feature-flags/newCheckout/evaluate'],
  ['POST', '/organizations/acme/config/feature-flags/stripeKey/evaluate'],
  ['GET', '/readyz'],
]

/** Every byte and header that a browser key can get, and every event that an open stream has received. */
async function photograph(key: { readonly token: string }, etag: string) {
  const authorization = `Bearer ${key.token}`
  const answers = []
  for (const [method, path, more] of requests) {
    const isPost = method === 'POST'
    const sent = {
      method,
      headers: {
        authorization,
        ...(isPost ? { 'content-type': 'application/json' } : {}),
        ...more,
      },
      ...(isPost ? { body: '{"environment":"production"}' } : {}),
    }
    answers.push(await ask(test.port, path, sent))
    answers.push(
      await ask(test.port, path, { ...sent, headers: { ...sent.headers, 'if-none-match': etag } }),
    )
  }
  return answers.map(({ status, rawHeaders, body }) => {
    const id = rawHeaders[rawHeaders.indexOf('X-Request-Id') + 1] ?? ''
    const text = body.toString('latin1').replaceAll(id, 'req')
    const headers = rawHeaders.filter(
      (_, at) => !['X-Request-Id', 'Date'].includes(rawHeaders[at - (at % 2)] ?? ''),
    )
    return { status, headers, text }
  })
}

async function compare(change: () => Promise<void>) {
  const key = test.addKey('b2m')
  const { etag = '' } = (await test.ask(snapshotPath, key)).headers
  const stream = await test.stream(`${snapshotPath}/stream`, key.headers)
  await stream.until(/id: \d+\n/)
  const eventsBefore = stream.text()
  const before = await photograph(key, etag)
  await change()
  const after = await photograph(key, etag)
  // Whatever was sent before this is here once an event that follows it is.
  await test.publish({ ...open, public: { last: true } })
  const text = await stream.until(/id: \d+\n.*id: \d+\n/s)
  const events = text.slice(eventsBefore.length).match(/event: config/g) ?? []
  stream.close()
  return { before, after, events: events.length }
}

describe('a change of secrets alone', () => {
  it('changes no byte, header, status or event for a browser key', async () => {
    test = await openTestDelivery()
    await test.publish({ ...open, secret: { stripeKey: 'sk_before' } })
    const { before, after, events } = await compare(async () => {
      await test.publish({ ...open, secret: { stripeKey: 'sk_after', another: 'x' } }, 'server')
      await test.publish({ ...open, secret: {} }, 'server')
    })
    expect(after).toEqual(before)
    expect(events).toBe(1)
    const everything = JSON.stringify([before, after])
    for (const canary of ['sk_before', 'sk_after']) expect(everything).not.toContain(canary)
  })

  it('control: the same comparison fails when the ETag for browsers depends on the version for servers', async () => {
    test = await openTestDelivery()
    const { publisher } = test
    let serverVersion = 1
    const query = publisher.store.delivery.query.bind(publisher.store.delivery)
    publisher.store.delivery.query = async (statement) => {
      const rows = await query(statement)
      const leaky = JSON.stringify(rows).replaceAll('"etag":"', `"etag":"${serverVersion}-`)
      return statement.name === 'delivery-browser-rows' ? JSON.parse(leaky) : rows
    }
    await test.publish({ ...open, secret: { stripeKey: 'sk_before' } })
    const { before, after } = await compare(async () => {
      serverVersion += 1
      publisher.publishBrowser({ ...testSnapshot, ...open })
      await test.publish({ ...open, secret: { stripeKey: 'sk_after' } }, 'server')
    })
    expect(after).not.toEqual(before)
  })
})

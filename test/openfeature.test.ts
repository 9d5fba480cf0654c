import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature, ProviderStatus, type Client } from '@openfeature/server-sdk'
import type { Serve } from '@signalbox/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  openTestDelivery,
  testSnapshot,
  type TestDelivery,
} from '../packages/server/src/delivery/testing/test-delivery.ts'
import { defaultRateLimits } from '../packages/server/src/http/admission/rate-classes.ts'

let delivery: TestDelivery
let limited: TestDelivery

const forPro = (serve: Serve) => [
  { when: [{ attribute: 'plan', operator: 'equals' as const, value: 'pro' }], serve },
]

const flags = {
  ...testSnapshot,
  featureFlags: { darkMode: true, newCheckout: false, beta: false, layout: false },
  flagSources: {
    beta: 'set',
    darkMode: 'set',
    forgotten: 'missing',
    newCheckout: 'set',
    seats: 'set',
    model: 'set',
    layout: 'set',
  },
  flagRules: {
    newCheckout: [{ when: [{ attribute: 'plan', operator: 'in', values: ['pro'] }], serve: true }],
    beta: [{ when: [], serve: { percent: 99.999 } }],
  },
  public: { seats: 5, model: 'tiny' },
  targeting: {
    seats: { rules: forPro({ value: 100 }) },
    model: { rules: forPro({ value: 'large "é"' }) },
    layout: {
      rules: forPro({ variant: 'blue' }),
      variants: [
        { name: 'control', on: false },
        { name: 'blue', on: true },
      ],
    },
  },
} as const

beforeAll(async () => {
  delivery = await openTestDelivery()
  const slow = { perSecond: 0.001, burst: 1 }
  limited = await openTestDelivery({ rateLimits: { ...defaultRateLimits, delivery: slow } })
  for (const each of [delivery, limited]) await each.publish(flags)
})
afterAll(() => Promise.all([delivery.close(), limited.close()]))
afterEach(() => OpenFeature.clearProviders())

/** Lists the statuses of the responses. The provider reports some rejections without their reason. */
const statuses: number[] = []
const below = '/organizations/acme/environments'

/** A client of the OpenFeature SDK for servers, with the published provider as it is. */
async function connect(
  { port }: TestDelivery,
  path: string,
  headers: Record<string, string>,
): Promise<Client> {
  const baseUrl = `http://127.0.0.1:${port}${path}`
  statuses.length = 0
  const provider = new OFREPProvider({
    baseUrl,
    headers,
    async fetchImplementation(request) {
      const answer = await fetch(request)
      statuses.push(answer.status)
      return answer
    },
  })
  await OpenFeature.setProviderAndWait('test', provider)
  const client = OpenFeature.getClient('test')
  expect(client.providerStatus).toBe(ProviderStatus.READY)
  return client
}

describe('@openfeature/ofrep-provider with the SDK for servers', () => {
  it.each([
    ['a server key', 'm2m', '', 'authorization'],
    ['a browser key', 'b2m', '', 'authorization'],
    ['the path of the environment', 'm2m', `${below}/production`, 'authorization'],
    ['X-API-Key', 'm2m', '', 'x-api-key'],
  ] as const)('evaluates flags with %s', async (_, kind, path, header) => {
    const { token } = delivery.addKey(kind, { environmentIds: [testSnapshot.environmentId] })
    const value = header === 'authorization' ? `Bearer ${token}` : token
    const client = await connect(delivery, path, { [header]: value })
    const details = (key: string, context: Record<string, string>) =>
      client.getBooleanDetails(key, false, context)
    expect(await details('newCheckout', { targetingKey: 'a', plan: 'pro' })).toMatchObject({
      value: true,
      reason: 'TARGETING_MATCH',
    })
    expect((await details('newCheckout', { targetingKey: 'a' })).value).toBe(false)
    expect(await details('beta', { targetingKey: 'a' })).toMatchObject({
      value: true,
      reason: 'SPLIT',
    })
    expect(await details('darkMode', {})).toMatchObject({ value: true, reason: 'STATIC' })
    expect(await client.getBooleanDetails('forgotten', true)).toMatchObject({
      value: false,
      reason: 'DISABLED',
    })
  })

  it('reads numbers, texts and variants with their types and names', async () => {
    const { headers } = delivery.addKey('b2m', { environmentIds: [testSnapshot.environmentId] })
    const client = await connect(delivery, '', headers)
    const context = { targetingKey: 'a', plan: 'pro' }
    expect(await client.getNumberValue('seats', 1, context)).toBe(100)
    expect(await client.getNumberValue('seats', 1, {})).toBe(5)
    expect(await client.getStringDetails('model', 'none', context)).toMatchObject({
      value: 'large "é"',
      variant: 'large-',
      reason: 'TARGETING_MATCH',
    })
    expect(await client.getStringValue('model', 'none', {})).toBe('tiny')
    const layout = (of: object) => client.getBooleanDetails('layout', false, of as typeof context)
    expect(await layout(context)).toMatchObject({ value: true, variant: 'blue' })
    expect(await layout({})).toMatchObject({ value: false, variant: 'control' })
    expect(await client.getBooleanDetails('seats', true, context)).toMatchObject({
      value: true,
      errorCode: 'TYPE_MISMATCH',
    })
  })

  it('gives the default of the code with the reason, for whatever is wrong', async () => {
    const { headers } = delivery.addKey('m2m', { environmentIds: [testSnapshot.environmentId] })
    const client = await connect(delivery, '', headers)
    const failure = async (key: string, context = {}) => {
      const { value, errorCode } = await client.getBooleanDetails(key, true, context)
      expect(value).toBe(true)
      return errorCode
    }
    expect(await failure('nothing')).toBe('FLAG_NOT_FOUND')
    // Neither does this provider encode keys.
    expect(await failure('a/b c')).toBe('FLAG_NOT_FOUND')
    expect(await failure('beta')).toBe('TARGETING_KEY_MISSING')
    // A number is taken for its text, as by a client that evaluates by itself.
    expect(await failure('beta', { targetingKey: 7 })).toBeUndefined()
    expect(await failure('darkMode', { long: 'x'.repeat(100_000) })).toBe('PARSE_ERROR')
    const text = await client.getStringDetails('darkMode', 'default')
    expect(text).toMatchObject({ value: 'default', errorCode: 'TYPE_MISMATCH' })
  })

  it.each<[string, string, string, number]>([
    ['a wrong key', '', 'Bearer sbx_m2m_wrong', 401],
    ['a key of another environment', `${below}/production`, 'elsewhere', 403],
  ])('gives the default with %s', async (_, path, credential, status) => {
    const elsewhere = delivery.addKey('m2m', { environmentIds: ['env_01jd2m4x9k0000000000000009'] })
    const headers = credential === 'elsewhere' ? elsewhere.headers : { authorization: credential }
    const client = await connect(delivery, path, headers)
    const details = await client.getBooleanDetails('darkMode', false)
    expect(details).toMatchObject({ value: false, errorCode: 'GENERAL' })
    expect(statuses).toEqual([status])
  })

  it('stops asking when it is told to come back later', async () => {
    const { headers } = limited.addKey('m2m', { environmentIds: [testSnapshot.environmentId] })
    const client = await connect(limited, '', headers)
    expect(await client.getBooleanValue('darkMode', false)).toBe(true)
    const refused = await client.getBooleanDetails('darkMode', false)
    expect(refused.errorMessage).toContain('rate limit exceeded, try again after')
    const paused = await client.getBooleanDetails('darkMode', false)
    expect(paused.errorMessage).toContain('paused due to TooManyRequests until')
    expect(statuses).toEqual([200, 429])
  })
})

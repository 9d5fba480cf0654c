import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBuckets, type Targeting } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDelivery, testSnapshot, type TestDelivery } from './testing/test-delivery.ts'

const session = { authorization: 'Bearer some-session' }
const json = { 'content-type': 'application/json' }
const pro = [{ attribute: 'plan', operator: 'equals', value: 'pro' }] as const
const rule = (end: string) => `rul_01jd2m4x9k000000000000000${end}`
const variants = [
  { name: 'control', on: false },
  { name: 'blue', on: true },
]
const halves = (...names: readonly string[]) => ({
  split: names.map((variant) => ({ variant, percent: 50 })),
})
const targeting: Readonly<Record<string, Targeting>> = {
  seats: { rules: [{ id: rule('1'), when: pro, serve: { value: 100 } }] },
  model: {
    rules: [
      {
        id: rule('2'),
        when: pro,
        serve: {
          split: [
            { value: 'small', percent: 0.001 },
            { value: 'large', percent: 99.999 },
          ],
          by: 'accountId',
        },
      },
    ],
  },
  beta: { rules: [{ id: rule('3'), when: [], serve: { value: true } }] },
  checkout: {
    variants,
    rules: [
      { id: rule('4'), when: pro, serve: { variant: 'blue' } },
      { id: rule('5'), when: [], serve: halves('control', 'blue') },
    ],
  },
}
const published = {
  public: { apiUrl: 'https://api.example.com', maxItems: 3, seats: 5, model: 'tiny', beta: false },
  featureFlags: { newCheckout: true, checkout: false },
  flagSources: {
    newCheckout: 'set',
    oldCheckout: 'missing',
    checkout: 'set',
    seats: 'inherited',
    model: 'default',
    beta: 'set',
  },
  targeting,
  secret: { stripeKey: 'sk_live_canary' },
} as const

let test: TestDelivery
let callers: Record<'b2m' | 'm2m' | 'person', Record<string, string>>
beforeAll(async () => {
  const person = { credentialId: 'pat_1', mayReadOrganization: () => true, isCurrent: () => true }
  const authenticatePerson = async () => person
  test = await openTestDelivery({ deps: { authenticatePerson } })
  await test.publish(published)
  callers = { b2m: test.addKey('b2m').headers, m2m: test.addKey('m2m').headers, person: session }
})
afterAll(() => test.close())

const send = (as: keyof typeof callers, path: string, body: unknown, more = json) =>
  test.ask(`/organizations/acme/config/${path}/evaluate`, {
    method: 'POST',
    headers: { ...callers[as], ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const guide = readFileSync(
  join(import.meta.dirname, '../../../../docs/guide/feature-flags.md'),
  'utf8',
)
const evaluate = (as: keyof typeof callers, path: string, context?: object) =>
  send(as, path, { environment: 'production', ...(context && { context }) })

it('the guide shows a request that is answered, as it stands there', async () => {
  const [, command = ''] = /^```bash\n(curl [\s\S]*?)^```$/m.exec(guide) ?? []
  const [, path = ''] = /SIGNALBOX_CONFIG_URL(\S+)"/.exec(command) ?? []
  const [, body = ''] = /--data '(.+)'/.exec(command) ?? []
  const sent = [...command.matchAll(/--header "(\S+): ([^"]+)"/g)]
  const headers = Object.fromEntries(sent.map(([, name = '', value = '']) => [name, value]))
  const own = { ...headers, Authorization: callers.m2m['authorization'] ?? '' }
  const answer = await test.ask(path, { method: 'POST', headers: own, body })
  expect([answer.status, answer.json()]).toMatchObject([200, { value: 5 }])
})

describe('an evaluation', () => {
  const user = { targetingKey: 'user-1' }
  const bucketOf = createBuckets(testSnapshot.schemaId, 'checkout')
  const half = bucketOf('user-1') < 50_000 ? variants[0] : variants[1]
  it.each<[string, object, object, object]>([
    ['feature-flags/newCheckout', {}, { value: true, source: 'set', variant: 'on' }, {}],
    ['feature-flags/oldCheckout', {}, { value: false, source: 'missing', variant: 'off' }, {}],
    ['limits/seats', {}, { value: 5, source: 'inherited', variant: '5' }, {}],
    [
      'limits/seats',
      { plan: 'pro' },
      { value: 100, source: 'inherited', variant: '100' },
      { matchedRuleId: rule('1') },
    ],
    [
      'values/seats',
      { plan: 'pro' },
      { value: 100, source: 'inherited', variant: '100' },
      { matchedRuleId: rule('1') },
    ],
    ['values/model', { plan: 'pro' }, { value: 'tiny', source: 'default', variant: 'tiny' }, {}],
    [
      'values/model',
      { plan: 'pro', accountId: 7 },
      { value: 'large', source: 'default', variant: 'large' },
      {
        matchedRuleId: rule('2'),
        bucket: createBuckets(testSnapshot.schemaId, 'model')('7'),
      },
    ],
    [
      'values/beta',
      {},
      { value: true, source: 'set', variant: 'on' },
      { matchedRuleId: rule('3') },
    ],
    [
      'feature-flags/checkout',
      { plan: 'pro' },
      { value: true, source: 'set', variant: 'blue' },
      { matchedRuleId: rule('4') },
    ],
    [
      'feature-flags/checkout',
      user,
      { value: half?.on, source: 'set', variant: half?.name },
      { matchedRuleId: rule('5'), bucket: bucketOf('user-1') },
    ],
    // Without a targeting key the rule decides nothing.
    ['feature-flags/checkout', {}, { value: false, source: 'set', variant: 'control' }, {}],
  ])(
    'of %s for %j names the rule and the bucket to people and servers, and to no browser',
    async (path, context, shown, explained) => {
      for (const as of ['m2m', 'person'] as const) {
        const { status, text } = await evaluate(as, path, context)
        expect([as, status, JSON.parse(text)]).toEqual([as, 200, { ...shown, ...explained }])
      }
      const browser = await evaluate('b2m', path, context)
      expect([browser.status, browser.json()]).toEqual([200, shown])
      expect(browser.headers['cache-control']).toBe('no-store')
    },
  )

  it.each([
    ['a flag asked for as a value', 'values/newCheckout'],
    ['a flag asked for as a limit', 'limits/checkout'],
    ['a targeted key asked for as a flag', 'feature-flags/seats'],
    ['a targeted boolean asked for as a flag', 'feature-flags/beta'],
    ['a text asked for as a limit', 'limits/model'],
    ['a plain public key', 'values/apiUrl'],
    ['a plain public number', 'limits/maxItems'],
    ['a secret', 'values/stripeKey'],
    ['a secret asked for as a flag', 'feature-flags/stripeKey'],
    ['a key that does not exist', 'values/nothing'],
    ['a name that every object has', 'values/constructor'],
  ])('finds nothing by %s', async (_, path) => {
    const answers = await Promise.all(
      (['b2m', 'm2m', 'person'] as const).map((as) => evaluate(as, path)),
    )
    for (const answer of answers) {
      expect([answer.status, answer.json()]).toMatchObject([404, { code: 'not_found' }])
      expect(answer.text).not.toContain('canary')
    }
  })

  it.each(['feature-flags/newCheckout', 'values/model', 'limits/seats'])(
    'of %s takes a strict JSON body, and finds the environment by id too',
    async (path) => {
      const refusal = async (body: unknown, more?: typeof json) => {
        const answer = await send('b2m', path, body, more)
        return [answer.status, (answer.json() as { code?: string }).code]
      }
      const body = '{"environment":"production"}'
      expect(await refusal(body, {} as typeof json)).toEqual([415, 'unsupported_media_type'])
      expect(await refusal('{"environment":')).toEqual([400, 'invalid_json'])
      expect(await refusal({})).toEqual([422, 'validation_failed'])
      expect(await refusal({ environment: 'production', context: [] })).toEqual([
        422,
        'validation_failed',
      ])
      expect(await refusal({ environment: 'production', x: 1 })).toEqual([422, 'unknown_field'])
      const large = { environment: 'x'.repeat(2 ** 21) }
      expect(await refusal(large)).toEqual([413, 'body_too_large'])
      expect(await refusal({ environment: 'absent' })).toEqual([404, 'not_found'])
      const byIds = { environment: testSnapshot.environmentId, schema: 'web' }
      expect((await send('b2m', path, byIds)).status).toBe(200)
      const get = await test.ask(`/organizations/acme/config/${path}/evaluate`, {
        headers: callers.b2m,
      })
      expect([get.status, get.headers['allow']]).toEqual([405, 'POST'])
    },
  )
})

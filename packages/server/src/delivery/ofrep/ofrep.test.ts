import {
  createFlagEvaluator,
  type EvaluationContext,
  type FlagRules,
  type Serve,
} from '@signalbox/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import {
  openTestDelivery,
  testSnapshot,
  snapshotPath,
  type TestDelivery,
} from '../testing/test-delivery.ts'

let delivery: TestDelivery
let browserKey: ReturnType<TestDelivery['addKey']>

const confidential = 'customer-of-whom-nobody-may-know'
const flags = {
  featureFlags: { darkMode: true, newCheckout: false, beta: false },
  flagSources: { beta: 'set', darkMode: 'set', forgotten: 'missing', newCheckout: 'inherited' },
  flagRules: {
    newCheckout: [
      { when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: true },
      { when: [{ attribute: 'customer', operator: 'in', values: [confidential] }], serve: true },
    ],
    beta: [{ when: [], serve: { percent: 99.999 } }],
  } satisfies FlagRules,
  flagVersions: { beta: 3, newCheckout: 12 },
} as const

const inVersion = (version: number) => ({ flagSetId: 'web/production', version: String(version) })
const versions: Readonly<Record<string, number>> = flags.flagVersions
/** Returns the metadata of a flag. Where no version is known, it is that of the snapshot. */
const metadataOf = (key: string) => inVersion(versions[key] ?? 1)

beforeEach(async () => {
  delivery = await openTestDelivery()
  await delivery.publish(flags)
  browserKey = delivery.addKey('b2m', { environmentIds: [testSnapshot.environmentId] })
})
afterEach(() => delivery.close())

const bulk = '/ofrep/v1/evaluate/flags'
const prefixed = `/organizations/acme/environments/production${bulk}`
const post = (path: string, body: unknown, headers: Record<string, string> = browserKey.headers) =>
  delivery.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const evaluate = (context: object, headers?: Record<string, string>) =>
  post(bulk, { context }, headers)

describe('OFREP bulk evaluation', () => {
  it('answers every flag with an explicit value and its reason', async () => {
    const answer = await evaluate({ targetingKey: 'user-1', plan: 'pro' })
    const { status, headers } = answer
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['cache-control']).toBe('private, no-store')
    expect(answer.json()).toEqual({
      flags: [
        { key: 'beta', value: true, reason: 'SPLIT', variant: 'on', metadata: metadataOf('beta') },
        {
          key: 'darkMode',
          value: true,
          reason: 'STATIC',
          variant: 'on',
          metadata: metadataOf('darkMode'),
        },
        {
          key: 'forgotten',
          value: false,
          reason: 'DISABLED',
          variant: 'off',
          metadata: metadataOf('forgotten'),
        },
        {
          key: 'newCheckout',
          value: true,
          reason: 'TARGETING_MATCH',
          variant: 'on',
          metadata: metadataOf('newCheckout'),
        },
      ],
      metadata: { version: 1 },
      eventStreams: [
        {
          type: 'sse',
          endpoint: {
            requestUri: `${snapshotPath}/stream?events=ofrep&apiKey=${browserKey.token}`,
          },
        },
      ],
    })
  })

  it('distinguishes all combinations of outcomes, however many and in any order', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `flag${index}`)
    const rule = (attribute: string) => [
      { when: [{ attribute, operator: 'exists' as const }], serve: true },
    ]
    await delivery.publish({
      featureFlags: Object.fromEntries(names.map((name) => [name, false])),
      flagRules: Object.fromEntries(names.map((name) => [name, rule(name)])),
    })
    const contexts = Array.from({ length: 64 }, (_, bits) =>
      Object.fromEntries(names.filter((_name, index) => bits & (1 << index)).map((on) => [on, 1])),
    )
    for (const context of [...contexts, ...contexts.toReversed()]) {
      const { flags: answered } = (await evaluate(context)).json() as {
        flags: { key: string; value: boolean }[]
      }
      const on = answered.filter(({ value }) => value).map(({ key }) => key)
      expect(on).toEqual(Object.keys(context))
    }
  })

  it('reports a missing targeting key for rollouts, and for no other flag', async () => {
    const answered = (await evaluate({})).json() as {
      flags: { key: string; errorCode?: string; value?: boolean }[]
    }
    expect(answered.flags.filter(({ errorCode }) => errorCode !== undefined)).toEqual([
      {
        key: 'beta',
        errorCode: 'TARGETING_KEY_MISSING',
        errorDetails: expect.any(String),
        metadata: metadataOf('beta'),
      },
    ])
  })

  it('reveals no rule', async () => {
    for (const context of [{}, { plan: 'pro' }, { customer: confidential }]) {
      expect((await evaluate(context)).text).not.toContain(confidential)
    }
    for (const path of [snapshotPath, '/organizations/acme/config/values?environment=production']) {
      expect((await delivery.ask(path, { headers: browserKey.headers })).text).not.toContain(
        confidential,
      )
    }
  })

  it('control: a server key reads the rules in its snapshot', async () => {
    const { headers } = delivery.addKey('m2m')
    expect((await delivery.ask(snapshotPath, { headers })).json()).toMatchObject({
      flagRules: flags.flagRules,
    })
  })

  it('answers 304 only to the same context and the same version', async () => {
    const first = await evaluate({ targetingKey: 'a', plan: 'free' })
    const etag = String(first.headers['etag'])
    const again = (context: object) =>
      evaluate(context, { ...browserKey.headers, 'if-none-match': etag })
    const held = await again({ targetingKey: 'a', plan: 'free' })
    expect([held.status, held.text, held.headers['etag']]).toEqual([304, '', etag])
    // Measured with the official provider, which sends the old tag along with another attribute.
    const other = await again({ targetingKey: 'a', plan: 'pro' })
    expect(other.status).toBe(200)
    expect(other.text).toContain('"key":"newCheckout","value":true')
    await delivery.publish({ ...flags, flagRules: {} })
    expect((await again({ targetingKey: 'a', plan: 'free' })).status).toBe(200)
  })

  it('is not disturbed by a change of secrets alone', async () => {
    const first = await evaluate({ plan: 'free' })
    await delivery.publish({ ...flags, secret: { password: 'another' } }, 'server')
    const again = await evaluate({ plan: 'free' })
    expect([again.headers['etag'], again.text]).toEqual([first.headers['etag'], first.text])
  })

  it('accepts the key in either header', async () => {
    expect((await evaluate({}, { 'x-api-key': browserKey.token })).status).toBe(200)
    expect((await evaluate({}, { 'x-api-key': 'sbx_b2m_wrong' })).status).toBe(401)
    expect((await evaluate({}, { ...browserKey.headers, 'x-api-key': 'wrong' })).status).toBe(200)
  })

  it('names the environment in the path where the key is not restricted to one', async () => {
    for (const { headers } of [delivery.addKey('b2m'), delivery.addKey('m2m')]) {
      const bare = await evaluate({}, headers)
      expect([bare.status, bare.json()]).toEqual([
        400,
        {
          errorCode: 'GENERAL',
          errorDetails: expect.stringContaining('/environments/{environment}'),
        },
      ])
      expect((await post(prefixed, {}, headers)).status).toBe(200)
      expect((await post(`${bulk}?environment=production`, {}, headers)).status).toBe(200)
      const byIds = `/organizations/${testSnapshot.orgId}/environments/${testSnapshot.environmentId}${bulk}`
      expect((await post(byIds, {}, headers)).status).toBe(200)
    }
  })

  it('gives a server key the same answer without a stream, whose URL would contain the key', async () => {
    const key = delivery.addKey('m2m', { environmentIds: [testSnapshot.environmentId] })
    const answer = await evaluate({ targetingKey: 'user-1', plan: 'pro' }, key.headers)
    const { eventStreams, ...mine } = (
      await evaluate({ targetingKey: 'user-1', plan: 'pro' })
    ).json() as Record<string, unknown>
    expect(eventStreams).toHaveLength(1)
    expect(answer.json()).toEqual(mine)
    const token = await delivery.issueAccessToken(browserKey)
    const byToken = await evaluate({}, { authorization: `Bearer ${token}` })
    expect(byToken.status).toBe(200)
    expect(byToken.json()).not.toHaveProperty('eventStreams')
  })

  it('requires a schema where there are several', async () => {
    delivery.publisher.publishBrowser({
      ...testSnapshot,
      schemaId: 'sch_01jd2m4x9k0000000000000009',
      schema: 'api',
    })
    await delivery.delivery.refresh()
    expect((await evaluate({})).json()).toEqual({
      errorCode: 'GENERAL',
      errorDetails: expect.stringContaining('api, web'),
    })
    expect((await post(`${bulk}?schema=web`, {})).status).toBe(200)
    // The options of the clients for JavaScript have no query.
    const { headers: unrestricted } = delivery.addKey('b2m')
    const ofEnvironment = `/organizations/acme/environments/${testSnapshot.environmentId}`
    const ask = (base: string) => post(`${base}/ofrep/v1/evaluate/flags/darkMode`, {}, unrestricted)
    const answers = await Promise.all(
      [
        '',
        '/schemas/web',
        '/schemas/WEB/',
        `/schemas/${testSnapshot.schemaId}`,
        '/schemas/gone',
      ].map(async (schema) => (await ask(`${ofEnvironment}${schema}`)).status),
    )
    expect(answers).toEqual([400, 200, 200, 200, 404])
    const { headers } = delivery.addKey('b2m', {
      environmentIds: [testSnapshot.environmentId],
      schemaIds: [testSnapshot.schemaId],
    })
    expect((await evaluate({}, headers)).status).toBe(200)
  })
})

describe('OFREP evaluation of one flag', () => {
  it.each([
    ['newCheckout', { plan: 'pro' }, { value: true, reason: 'TARGETING_MATCH' }],
    ['newCheckout', { plan: 'free' }, { value: false, reason: 'TARGETING_MATCH' }],
    ['darkMode', {}, { value: true, reason: 'STATIC' }],
    ['beta', { targetingKey: 'a' }, { value: true, reason: 'SPLIT' }],
    ['forgotten', {}, { value: false, reason: 'DISABLED' }],
  ])('answers %s for %j', async (key, context, expected) => {
    const answer = await post(`${bulk}/${key}`, { context })
    const variant = expected.value ? 'on' : 'off'
    expect([answer.status, answer.json()]).toEqual([
      200,
      { key, ...expected, variant, metadata: metadataOf(key) },
    ])
    expect((await post(`${prefixed}/${key}`, { context })).text).toBe(answer.text)
  })

  it.each(['nothing', 'a/b%20c', 'constructor', '%F0%9F%A6%84'])(
    'finds no flag %s',
    async (key) => {
      const answer = await post(`${bulk}/${key}`, { context: {} })
      expect([answer.status, answer.json()]).toEqual([
        404,
        {
          key: decodeURIComponent(key),
          errorCode: 'FLAG_NOT_FOUND',
          errorDetails: expect.any(String),
          metadata: {},
        },
      ])
    },
  )

  it('reports that a rollout needs a targeting key', async () => {
    const answer = await post(`${bulk}/beta`, { context: {} })
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { key: 'beta', errorCode: 'TARGETING_KEY_MISSING' },
    ])
  })
})

describe('values and variants by OFREP', () => {
  const forPro = (serve: Serve) => [
    {
      id: 'rul_1',
      when: [{ attribute: 'plan', operator: 'equals' as const, value: 'pro' }],
      serve,
    },
  ]
  const large = 'x'.repeat(80)
  const published = {
    public: { apiUrl: 'https://api.example.com', seats: 5, model: 'tiny', beta: false },
    featureFlags: { checkout: false, layout: true },
    flagSources: { beta: 'set', checkout: 'set', layout: 'set', model: 'set', seats: 'default' },
    targeting: {
      seats: { rules: forPro({ value: 0.5 }) },
      model: { rules: forPro({ split: [{ value: large, percent: 100 }] }) },
      beta: { rules: forPro({ value: true }) },
      checkout: {
        rules: forPro({
          split: [
            { variant: 'blue', percent: 99.999 },
            { variant: 'control', percent: 0.001 },
          ],
        }),
        variants: [
          { name: 'control', on: false },
          { name: 'blue', on: true },
        ],
      },
      layout: {
        rules: [],
        variants: [
          { name: 'old', on: false },
          { name: 'wide', on: true },
        ],
      },
    },
  } as const
  const answers = (reason: string, served: Record<string, readonly [unknown, string]>) =>
    Object.entries(served).map(([key, [value, variant]]) => ({
      key,
      value,
      reason: { checkout: reason, layout: 'STATIC' }[key] ?? 'TARGETING_MATCH',
      variant,
      metadata: inVersion(1),
    }))

  it.each([
    [
      { plan: 'pro', targetingKey: 'a' },
      answers('SPLIT', {
        beta: [true, 'on'],
        checkout: [true, 'blue'],
        layout: [true, 'wide'],
        model: [large, 'x'.repeat(64)],
        seats: [0.5, '0.5'],
      }),
    ],
    [
      { plan: 'free' },
      answers('TARGETING_MATCH', {
        beta: [false, 'off'],
        checkout: [false, 'control'],
        layout: [true, 'wide'],
        model: ['tiny', 'tiny'],
        seats: [5, '5'],
      }),
    ],
  ])(
    'have their types and names, all at once and one by one, for %j',
    async (context, expected) => {
      await delivery.publish(published)
      const all = await evaluate(context)
      expect((all.json() as { flags: object[] }).flags).toEqual(expected)
      for (const each of expected) {
        expect((await post(`${bulk}/${each.key}`, { context })).json()).toEqual(each)
      }
      for (const path of ['apiUrl', 'apiUrl/value']) {
        expect((await post(`${bulk}/${path}`, { context })).status).toBe(404)
      }
    },
  )

  it('report a missing targeting key where a rule divides by it', async () => {
    await delivery.publish(published)
    const one = await post(`${bulk}/checkout`, { context: { plan: 'pro' } })
    const missing = { key: 'checkout', errorCode: 'TARGETING_KEY_MISSING' }
    expect([one.status, one.json()]).toMatchObject([400, missing])
    const all = (await evaluate({ plan: 'pro' })).json() as { flags: object[] }
    expect(all.flags[1]).toMatchObject(missing)
  })
})

describe('what no rule reads', () => {
  const odd: Readonly<Record<string, string>> = {
    'a long text': `"note":"${'x'.repeat(40_000)}"`,
    'a number of 64 bits': '"id":9223372036854775807',
    'a number beyond all': '"id":1e999,"zero":-0,"small":1e-400',
    'control characters': '"note":"\\u0000\\b\\r"',
    'half of a surrogate pair': '"note":"\\ud800"',
    'a name given twice': '"note":1,"note":2',
    'reserved names': '"__proto__":{"plan":"pro"},"constructor":{"prototype":{}}',
    'deep nesting': `"note":${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    'many values': `"note":[${'0,'.repeat(25_000)}0]`,
    'a targeting key that is no text': '"targetingKey":{}',
  }
  it.each(Object.entries(odd))('costs no flag its decision: %s', async (_, members) => {
    const plain = await evaluate({ plan: 'pro' })
    const answer = await post(bulk, `{"context":{"plan":"pro",${members}}}`)
    expect([answer.status, answer.text]).toEqual([200, plain.text])
    const one = await post(`${bulk}/newCheckout`, `{"context":{"plan":"pro",${members}}}`)
    expect(one.json()).toMatchObject({ value: true, reason: 'TARGETING_MATCH' })
    const own = await post(
      '/organizations/acme/config/feature-flags/newCheckout/evaluate',
      `{"environment":"production","context":{"plan":"pro",${members}}}`,
    )
    expect([own.status, own.json()]).toMatchObject([200, { value: true }])
  })

  it('is decided as in a client that evaluates by itself', async () => {
    const texts = Object.values(odd).map((members) => `{"plan":"pro",${members}}`)
    const rules = {
      ...flags.flagRules,
      all: [{ when: [], serve: { percent: 100 } }],
      none: [{ when: [], serve: { percent: 0 } }],
    } satisfies FlagRules
    await delivery.publish({
      featureFlags: { ...flags.featureFlags, all: false, none: false },
      flagRules: rules,
    })
    for (const text of [...texts, '{"plan":"pro","targetingKey":12}']) {
      const context = JSON.parse(text) as EvaluationContext
      const { flags: answered } = (await post(bulk, `{"context":${text}}`)).json() as {
        flags: { key: string; value?: boolean }[]
      }
      for (const key of ['newCheckout', 'beta', 'all', 'none'] as const) {
        const evaluateLocally = createFlagEvaluator({
          schemaId: testSnapshot.schemaId,
          key,
          value: false,
          rules: rules[key],
        })
        const local = evaluateLocally(context)
        const remote = answered.find((each) => each.key === key)
        expect([key, remote?.value]).toEqual([
          key,
          local.reason === 'unknown' ? undefined : local.value,
        ])
      }
    }
  })

  it('may be no context at all', async () => {
    expect((await post(bulk, { context: null })).status).toBe(200)
  })
})

describe('OFREP refuses', () => {
  it.each<[string, string, string, Record<string, string>?]>([
    ['what is no JSON', '{', 'PARSE_ERROR'],
    ['what is no object', '[]', 'PARSE_ERROR'],
    ['too large a body', `{"context":{},"x":"${'x'.repeat(70_000)}"}`, 'PARSE_ERROR'],
    ['another content type', '{}', 'PARSE_ERROR', { 'content-type': 'text/plain' }],
    ['no body', '', 'PARSE_ERROR'],
    ['a context that is none', '{"context":"x"}', 'INVALID_CONTEXT'],
  ])('%s', async (_, body, errorCode, headers = {}) => {
    const answer = await post(bulk, body, { ...browserKey.headers, ...headers })
    expect([answer.status, answer.json()]).toEqual([
      400,
      { errorCode, errorDetails: expect.any(String) },
    ])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    const one = await post(`${bulk}/darkMode`, body, { ...browserKey.headers, ...headers })
    expect(one.json()).toMatchObject({ key: 'darkMode', errorCode })
  })

  it.each([
    ['a path that is no UTF-8', `${prefixed}/%zz`],
    ['a parameter given twice', `${bulk}?schema=a&schema=b`],
    ['a URL that is too long', `${bulk}?${'x'.repeat(9_000)}`],
    ['two environments', `${bulk}/darkMode?environment=a&environment=b`],
  ])('%s in its own form, as everything below its paths', async (_, path) => {
    const answer = await post(path, {})
    expect([answer.status, answer.json()]).toEqual([
      400,
      { errorCode: 'GENERAL', errorDetails: expect.any(String) },
    ])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  it('a missing and a wrong key with 401', async () => {
    for (const headers of [{}, { authorization: 'Bearer sbx_b2m_x' }]) {
      const answer = await evaluate({}, headers)
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }
  })

  it('a server key in the URL, and another method', async () => {
    const { token } = delivery.addKey('m2m')
    expect((await post(`${bulk}?apiKey=${token}`, {}, {})).status).toBe(400)
    expect((await delivery.ask(bulk, { headers: browserKey.headers })).status).toBe(405)
    const removed = await delivery.ask('/ofrep/v1/configuration', { headers: browserKey.headers })
    expect(removed.status).toBe(404)
  })

  it('too many requests with 429 and Retry-After, and charges nothing for a 304', async () => {
    const limited = await openTestDelivery({
      rateLimits: { ...defaultRateLimits, delivery: { perSecond: 0.001, burst: 3 } },
    })
    try {
      await limited.publish(flags)
      const { headers } = limited.addKey('b2m', { environmentIds: [testSnapshot.environmentId] })
      const json = { ...headers, 'content-type': 'application/json' }
      const ask = (more: Record<string, string> = {}) =>
        limited.ask(bulk, { method: 'POST', headers: { ...json, ...more }, body: '{}' })
      const held = { 'if-none-match': String((await ask()).headers['etag']) }
      for (let round = 0; round < 5; round += 1) expect((await ask(held)).status).toBe(304)
      expect((await ask()).headers['ratelimit']).toContain('r=1;')
      await ask()
      const refused = await ask()
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(refused.json()).toEqual({ errorCode: 'GENERAL', errorDetails: expect.any(String) })
      expect(refused.headers['access-control-expose-headers']).toContain('Retry-After')
    } finally {
      await limited.close()
    }
  })
})

describe('OFREP in a browser', () => {
  it('accepts every header that its clients send in a preflight', async () => {
    const { status, headers } = await delivery.ask(bulk, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(status).toBe(204)
    expect(headers['access-control-allow-methods']).toContain('POST')
    for (const name of ['Content-Type', 'If-None-Match', 'Authorization', 'X-API-Key']) {
      expect(headers['access-control-allow-headers']).toContain(name)
    }
  })

  it('answers only the origins of the key, which can also read refusals', async () => {
    const { headers } = delivery.addKey('b2m', {
      environmentIds: [testSnapshot.environmentId],
      allowedOrigins: ['https://app.example'],
    })
    const answer = await evaluate({}, { ...headers, origin: 'https://app.example' })
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(answer.headers['access-control-expose-headers']).toContain('ETag')
    expect(answer.headers['vary']).toContain('Origin')
    expect((await evaluate({}, { ...headers, origin: 'https://evil.example' })).status).toBe(403)
  })
})

describe('the stream of OFREP', () => {
  const path = () => `${snapshotPath}/stream?events=ofrep&apiKey=${browserKey.token}`
  const event = (version: number) =>
    new RegExp(
      `event: message\\nid: ${version}\\ndata: (\\{"type":"refetchEvaluation","etag":.+\\})\\n\\n`,
    )

  it('sends an event at once to a reader without Last-Event-ID, and then with each change', async () => {
    const stream = await delivery.stream(path())
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers['access-control-allow-origin']).toBe('*')
    await stream.until(event(1))
    await delivery.publish({ ...flags, flagRules: {} })
    await stream.until(event(2))
    expect(stream.text()).not.toContain('event: config')
    stream.close()
  })

  it('sends a reconnecting reader the event it missed, if any', async () => {
    await delivery.publish({ ...flags, flagRules: {} })
    const behind = await delivery.stream(path(), { 'last-event-id': '1' })
    await behind.until(event(2))
    const abreast = await delivery.stream(path(), { 'last-event-id': '2' })
    await delivery.publish(flags)
    await abreast.until(event(3))
    expect(abreast.text()).not.toMatch(event(2))
    behind.close()
    abreast.close()
  })

  it('sends server keys the same versions, and nothing about secrets', async () => {
    const { headers } = delivery.addKey('m2m')
    const stream = await delivery.stream(`${snapshotPath}/stream?events=ofrep`, headers)
    await stream.until(event(1))
    await delivery.publish({ secret: { password: 'another' } }, 'server')
    await delivery.publish({ ...flags, flagRules: {} })
    await stream.until(event(2))
    expect(stream.text()).not.toContain('id: 3')
    stream.close()
  })

  it('has no other form', async () => {
    const { status } = await delivery.ask(`${snapshotPath}/stream?events=other`, {
      headers: browserKey.headers,
    })
    expect(status).toBe(400)
  })
})

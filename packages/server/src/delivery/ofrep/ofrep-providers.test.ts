import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameServed } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../telemetry/log.ts'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import type { Answer } from '../testing/http-client.ts'
import { ofrepProviders, type Member } from '../testing/ofrep-providers.ts'
import { openTestDelivery, testSnapshot, type TestDelivery } from '../testing/test-delivery.ts'

const flags = {
  featureFlags: { darkMode: true, newCheckout: false, beta: false },
  flagSources: {
    beta: 'set',
    darkMode: 'set',
    forgotten: 'missing',
    newCheckout: 'set',
    seats: 'set',
    model: 'set',
  },
  flagRules: {
    newCheckout: [{ when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: true }],
    beta: [{ when: [], serve: { percent: 50 } }],
  },
  public: { seats: 5, model: 'tiny' },
  targeting: {
    seats: { rules: [] },
    model: { rules: [{ when: [], serve: { value: 'large' } }] },
  },
} as const
const bulk = '/ofrep/v1/evaluate/flags'
const nested = '/organizations/acme/environments/production'

let delivery: TestDelivery
let key: ReturnType<TestDelivery['addKey']>
const lines: string[] = []

beforeAll(async () => {
  const log = createLog({
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  })
  const rateLimits = { ...defaultRateLimits, delivery: { perSecond: 0.001, burst: 60 } }
  delivery = await openTestDelivery({ log, rateLimits })
  await delivery.publish(flags)
  key = delivery.addKey('m2m', { environmentIds: [testSnapshot.environmentId] })
})
afterAll(() => delivery.close())

const post = (path: string, body: unknown, headers: Record<string, string> = key.headers) =>
  delivery.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** The type of `value` is that of the key. */
const typeOf: Readonly<Record<Member, string>> = {
  key: 'string',
  value: 'boolean number string',
  reason: 'string',
  variant: 'string',
  metadata: 'object',
  errorCode: 'string',
  errorDetails: 'string',
}

/** The providers that could not read `answer`, and what they miss. */
function missing(answer: object, kind: 'evaluation' | 'rejection'): string[] {
  const members = new Map(Object.entries(answer))
  return ofrepProviders.flatMap(({ language, [kind]: needed = [] }) =>
    needed
      .filter((member) => !typeOf[member].split(' ').includes(typeof members.get(member)))
      .map((member) => `${language}: ${member}`),
  )
}

describe('every published OFREP provider', () => {
  it.each([
    ['without rules', 'darkMode', {}],
    ['that a rule decides', 'newCheckout', { plan: 'pro' }],
    ['that no rule decides', 'newCheckout', {}],
    ['of a rollout', 'beta', { targetingKey: 'a' }],
    ['that is set nowhere', 'forgotten', {}],
    ['that is a number', 'seats', {}],
    ['that is a text', 'model', {}],
  ])('reads a flag %s', async (_, flag, context) => {
    const one = await post(`${bulk}/${flag}`, { context })
    const evaluation = one.json() as { value: boolean | number | string }
    expect([one.status, missing(evaluation, 'evaluation')]).toEqual([200, []])
    expect(evaluation).toMatchObject({
      variant: nameServed(evaluation.value),
      metadata: { flagSetId: 'web/production', version: '1' },
    })
  })

  it('reads each item of an answer for all flags, and an error among them', async () => {
    const { flags: answered } = (await post(bulk, { context: {} })).json() as { flags: object[] }
    expect(answered).toHaveLength(6)
    for (const each of answered) {
      const kind = 'errorCode' in each ? 'rejection' : 'evaluation'
      expect([each, missing(each, kind)]).toEqual([each, []])
    }
  })

  it('may ask for nothing but the flags, as the Kotlin one has to', async () => {
    const whole = await post(bulk, {})
    const flagsAlone = await post(`${bulk}?only=flags`, {})
    const { flags: answered } = whole.json() as { flags: object[] }
    expect(flagsAlone.json()).toEqual({ flags: answered })
    const etags = [whole, flagsAlone].map(({ headers }) => String(headers['etag']))
    expect(new Set(etags).size).toBe(2)
    const held = { ...key.headers, 'if-none-match': etags.join(', ') }
    expect((await post(`${bulk}?only=flags`, {}, held)).status).toBe(304)
    const refused = await post(`${bulk}?only=flags`, '{')
    expect(Object.keys(refused.json() as object)).toEqual(['errorCode', 'errorDetails'])
  })

  it('reads each refusal of a flag', async () => {
    const elsewhere = delivery.addKey('m2m', { environmentIds: ['env_01jd2m4x9k0000000000000009'] })
    const rejections: readonly (readonly [number, Promise<Answer>])[] = [
      [400, post(`${bulk}/beta`, { context: {} })],
      [400, post(`${bulk}/darkMode`, '{')],
      [400, post(`${bulk}/darkMode`, { context: 1 })],
      [400, post(`${bulk}/darkMode`, {}, delivery.addKey('m2m').headers)],
      [401, post(`${bulk}/darkMode`, {}, { 'x-api-key': 'wrong' })],
      [403, post(`${nested}${bulk}/darkMode`, {}, elsewhere.headers)],
      [404, post(`${bulk}/nothing`, {})],
    ]
    for (const [status, asked] of rejections) {
      const answer = await asked
      const rejection = answer.json() as object
      expect([answer.status, rejection, missing(rejection, 'rejection')]).toEqual([
        status,
        rejection,
        [],
      ])
    }
  })

  it('control: the Python, Ruby, PHP and Java ones miss the optional members', () => {
    const bare = { key: 'darkMode', value: true, reason: 'STATIC' }
    expect(missing(bare, 'evaluation')).toEqual([
      'Python: variant',
      'Java: metadata',
      'Ruby: variant',
      'PHP: variant',
    ])
  })

  it.each(['', '/'])(
    'finds its flags at the root and below it, when the base ends with %j',
    async (end) => {
      for (const base of ['', nested]) {
        const answer = await post(`${base}${end}${bulk}/darkMode`, {})
        expect([base, answer.status]).toEqual([base, 200])
        expect((await post(`${base}${end}${bulk}`, {})).status).toBe(200)
      }
      expect((await post(`//${bulk}`, {})).status).toBe(404)
    },
  )

  it('has its row in the guide', () => {
    const path = join(import.meta.dirname, '../../../../../docs/guide/flags-in-every-language.md')
    const guide = readFileSync(path, 'utf8')
    for (const { language, name, base, sendsNoKey } of ofrepProviders) {
      const address = base === 'root' ? 'the root only' : 'the root, or with a path'
      const way = sendsNoKey === undefined ? address : 'none: it can’t send a key'
      expect(guide).toContain(`| ${language} | \`${name}\` | ${way} |`)
    }
  })
})

describe('X-API-Key', () => {
  it('is limited as the same key in Authorization is, and written nowhere', async () => {
    const { token } = delivery.addKey('m2m', { environmentIds: [testSnapshot.environmentId] })
    const left = async (headers: Record<string, string>) => {
      const answer = await post(bulk, {}, headers)
      return /r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1]
    }
    const first = Number(await left({ authorization: `Bearer ${token}` }))
    expect(Number(await left({ 'x-api-key': token }))).toBe(first - 1)
    const forged = `${token.slice(0, -4)}AAAA`
    const texts: string[] = []
    for (const sent of [forged, `Bearer ${token}`, `${token},${token}`, token]) {
      for (const path of [bulk, `${bulk}/nothing`, `${bulk}?schema=absent`, '/ofrep/v2']) {
        const answer = await post(path, '{', { 'x-api-key': sent })
        texts.push(answer.text, JSON.stringify(answer.headers))
      }
    }
    for (const text of [...texts, ...lines]) expect(text).not.toContain(token.slice(12, -4))
  })
})

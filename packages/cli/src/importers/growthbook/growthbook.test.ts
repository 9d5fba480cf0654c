import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import type { ReadOptions } from '../importer.ts'
import { compareWithSdk } from '../testing/compare-with-sdk.ts'
import { sampleWildContexts } from '../testing/wild-contexts.ts'
import { growthbook } from './growthbook.ts'

const options: ReadOptions = { environment: 'production', environments: new Map() }
const read = (document: unknown) => growthbook.fromFile(JSON.stringify(document), options)

const savedGroups = {
  old: ['pro', 5],
  list: { type: 'list', attributeKey: 'plan', values: ['free', '5'] },
  condition: { type: 'condition', condition: { plan: { $ne: 'pro' } } },
}
const plans = fc.constantFrom('pro', 'free', '5', 'true', 'null', '')
const bound = fc.integer({ min: -1, max: 5 })
const leaf: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.record({ plan: fc.oneof(plans, fc.boolean(), fc.constant(null)) }),
  fc.record({ plan: fc.record({ $in: fc.array(fc.oneof(plans, fc.constant(null))) }) }),
  fc.record({ plan: fc.record({ $nin: fc.array(plans) }) }),
  fc.record({ plan: fc.record({ $ne: plans }) }),
  fc.record({ plan: fc.record({ $not: fc.record({ $eq: plans }) }) }),
  fc.record({ plan: fc.record({ $exists: fc.boolean() }) }),
  fc.record({ plan: fc.record({ $inGroup: fc.constantFrom('old', 'list', 'nowhere') }) }),
  fc.record({ plan: fc.record({ $notInGroup: fc.constantFrom('old', 'condition') }) }),
  fc.record({ $savedGroup: fc.record({ id: fc.constantFrom('list', 'condition', 'old') }) }),
  fc.record({ id: fc.record({ $in: fc.constant(['user-1', 'user-2', 'user-5']) }) }),
  fc.record({ age: bound }),
  fc.record({ age: fc.record({ $gt: bound, $lte: bound }, { requiredKeys: [] }) }),
  fc.record({ age: fc.record({ $lt: bound, $gte: bound }, { requiredKeys: [] }) }),
)
const condition = fc.oneof(
  leaf,
  fc.record({ $or: fc.array(leaf, { maxLength: 2 }) }),
  fc.record({ $and: fc.array(leaf, { maxLength: 2 }), $not: leaf }),
  fc.record({ $nor: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
)
const part = fc.integer({ min: 0, max: 10_000 }).map((count) => count / 10_000)
const rule = fc.oneof(
  fc.record(
    {
      force: fc.boolean(),
      condition,
      coverage: part,
      hashAttribute: fc.constantFrom('id', 'account'),
      hashVersion: fc.constantFrom(1, 2),
      seed: fc.constantFrom('one', 'two'),
    },
    { requiredKeys: ['force'] },
  ),
  fc.record({
    force: fc.boolean(),
    range: fc.tuple(part, part).map(([from, to]) => [Math.min(from, to), Math.max(from, to)]),
    hashVersion: fc.constantFrom(1, 2),
  }),
  fc.record({
    force: fc.boolean(),
    parentConditions: fc.constantFrom(
      [{ id: 'on', condition: { value: true } }],
      [{ id: 'on', condition: { value: false } }],
      [{ id: 'nowhere', condition: { value: { $exists: false } } }],
    ),
  }),
)
/** Some serve texts or numbers in place of true and false. */
const feature = fc
  .tuple(
    fc.record({ defaultValue: fc.boolean(), rules: fc.array(rule, { maxLength: 3 }) }),
    fc.constantFrom([true, false], ['blue', 'red'], [5, 0]),
  )
  .map(([{ defaultValue, rules }, [yes, no]]) => ({
    defaultValue: defaultValue ? yes : no,
    rules: rules.map((one) => ({ ...one, force: one.force ? yes : no })),
  }))
const tameContexts: Record<string, unknown>[] = Array.from({ length: 60 }, (_, index) => ({
  ...(index % 10 !== 9 && { targetingKey: `user-${index}` }),
  ...(index % 3 !== 0 && { plan: ['pro', 'free', '5', 5, true, 'null', ''][index % 7] }),
  ...(index % 4 !== 0 && { age: (index % 8) - 1 }),
  ...(index % 5 !== 0 && { account: index % 2 === 0 ? index : `account-${index}` }),
}))
/** An account is one value: its clients would hash the text of an object. */
const sampleUsers = (hasLists: boolean) =>
  sampleWildContexts(['plan', 'age', 'account'], { count: 200, isAscii: true, hasLists }).filter(
    ({ account }) => typeof account !== 'object',
  )
/** This issue is about lists alone. */
const harmlessOne = new Set(['GB-T005'])
/** These issues are about attributes that the first contexts have in one type only, and about parents that do not change. */
const harmless = new Set(['GB-T005', 'GB-T006', 'GB-T014'])

describe('features of GrowthBook', () => {
  it.each([
    { with: 'attributes of one type each', of: tameContexts, but: harmless, atLeast: 5000 },
    { with: 'attributes of every type', of: sampleUsers(false), but: harmlessOne, atLeast: 10_000 },
    { with: 'lists too', of: sampleUsers(true), but: new Set<string>(), atLeast: 5000 },
  ])('that are said to be exact decide as its SDK does, $with', async ({ of, but, atLeast }) => {
    const samples = fc.sample(feature, { numRuns: 150 * inject('scale'), seed: 17 })
    const features = Object.fromEntries(samples.map((one, index) => [`feature-${index}`, one]))
    const exports = [{ features: { ...features, on: { defaultValue: true } }, savedGroups }]
    const { decisions, shares, differ } = await compareWithSdk('growthbook', exports, of, but)
    expect(differ.slice(0, 1)).toEqual([])
    expect(decisions).toBeGreaterThan(atLeast)
    expect(shares).toBeGreaterThan(10)
  })

  it('of other values become public keys, whose rules serve them where there are several', () => {
    const { keys, leftOut } = read({
      features: {
        banner: { defaultValue: 'blue' },
        sizes: { defaultValue: { small: 1 } },
        checkout: { defaultValue: false },
        split: { defaultValue: 'blue', rules: [{ force: 'red', coverage: 0.5 }] },
        shapes: { defaultValue: {}, rules: [{ force: { a: 1 }, coverage: 0.5 }] },
        mixed: { defaultValue: 'a', rules: [{ force: { a: 1 }, coverage: 0.5 }] },
      },
    })
    expect(keys).toMatchObject([
      { key: 'banner', tier: 'public', type: 'string', values: [{ value: 'blue' }] },
      { key: 'sizes', tier: 'public', type: 'json', values: [{ value: { small: 1 } }] },
      { key: 'checkout', tier: 'featureFlags', verdict: 'exact', values: [{ value: false }] },
      { key: 'split', targeted: true, verdict: 'exact', issues: [{ code: 'GB-T024' }] },
      {
        key: 'shapes',
        type: 'json',
        targeted: true,
        values: [{ value: {}, rules: [{ serve: { value: { a: 1 } } }] }],
      },
    ])
    expect(leftOut).toMatchObject([{ from: 'mixed', issues: [{ code: 'GB-T020' }] }])
  })

  it.each([
    ['no value', { defaultValue: null }, 'GB-T002'],
    [
      'a regular expression',
      { rules: [{ force: true, condition: { a: { $regex: '^a' } } }] },
      'GB-T010',
    ],
    ['an order of texts', { rules: [{ force: true, condition: { a: { $gt: 'b' } } }] }, 'GB-T010'],
    [
      'a list',
      { rules: [{ force: true, condition: { a: { $elemMatch: { $eq: 1 } } } }] },
      'GB-T010',
    ],
    ['an experiment', { rules: [{ variations: [true, false] }] }, 'GB-T015'],
    ['a namespace', { rules: [{ force: true, filters: [{ seed: 'a', ranges: [] }] }] }, 'GB-T016'],
    [
      'a parent that varies',
      { rules: [{ force: true, parentConditions: [{ id: 'varies' }] }] },
      'GB-T013',
    ],
    [
      'a parent that closes it',
      {
        rules: [{ parentConditions: [{ id: 'nowhere', condition: { value: true }, gate: true }] }],
      },
      'GB-T002',
    ],
  ])('are left out with %s, and say so', (_, parts, code) => {
    const varies = { defaultValue: false, rules: [{ force: true, coverage: 0.1 }] }
    const { leftOut } = read({ features: { checkout: { defaultValue: false, ...parts }, varies } })
    expect(leftOut).toMatchObject([{ from: 'checkout', issues: [{ code, severity: 'high' }] }])
  })

  it('that decide otherwise for some contexts say for which', () => {
    const rules = [
      { force: true, condition: { 'company.size': 'large' } },
      { force: true, condition: { version: { $vgte: '2.1.0' } } },
      { force: true, coverage: 0.1, fallbackAttribute: 'deviceId' },
    ]
    const { keys } = read({ features: { checkout: { defaultValue: false, rules } } })
    expect(keys).toMatchObject([{ verdict: 'differs' }])
    expect(keys[0]?.issues.map(({ code }) => code)).toEqual([
      'GB-T004',
      'GB-T005',
      'GB-T007',
      'GB-T017',
    ])
  })

  it.each([
    ['{"features": {\n"a": }', /line 2/],
    ['[]', /no payload of GrowthBook/],
    ['{"features": {}, "encryptedFeatures": "abc"}', /encrypted/],
    ['{"features": {"a": 1}}', /features\.a is no object/],
    ['{"features": {"a": {"rules": 3}}}', /features\.a\.rules is no list/],
    [
      '{"features": {"a": {"rules": [{"force": true, "coverage": "x"}]}}}',
      /features\.a\.rules\[0\]\.coverage is no number/,
    ],
  ])('that cannot be read say where: %s', (text, message) => {
    expect(() => growthbook.fromFile(text, options)).toThrow(message)
  })

  it('are read with a client key', async () => {
    const urls: string[] = []
    const ask = (url: string) => {
      urls.push(url)
      return Promise.resolve({ features: {} })
    }
    const access = { project: undefined, environments: [], ask }
    const env = { GROWTHBOOK_CLIENT_KEY: 'sdk-1', GROWTHBOOK_API_HOST: 'https://gb.example/' }
    await growthbook.fromToken?.({ ...access, env })
    await growthbook.fromToken?.({ ...access, env: { GROWTHBOOK_CLIENT_KEY: 'sdk-1' } })
    expect(urls).toEqual([
      'https://gb.example/api/features/sdk-1',
      'https://cdn.growthbook.io/api/features/sdk-1',
    ])
    await expect(growthbook.fromToken?.({ ...access, env: {} })).rejects.toThrow('is not set')
  })
})

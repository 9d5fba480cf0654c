import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { compareWithSdk } from '../testing/compare-with-sdk.ts'
import { sampleWildContexts } from '../testing/wild-contexts.ts'
import { readUnleash } from './feature-model.ts'

const texts = fc.constantFrom('pro', 'free', '5', 'true', ' pro ', '', ' ', '1.5', 'NaN', 'user-3')
const attribute = fc.constantFrom('plan', 'age', 'userId', 'account')
const isInverted = fc.boolean()
const constraint = fc.oneof(
  fc.record({
    contextName: attribute,
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: fc.array(texts, { maxLength: 3 }),
    inverted: isInverted,
  }),
  fc.record({
    contextName: attribute,
    operator: fc.constantFrom('STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'),
    values: fc.array(fc.constantFrom('pro', 'f', 'er-', ' ', 'user-1', '5'), { maxLength: 2 }),
    inverted: isInverted,
  }),
  fc.record({
    contextName: attribute,
    operator: fc.constantFrom('NUM_EQ', 'NUM_GT', 'NUM_LTE', 'SEMVER_GT', 'SEMVER_EQ'),
    value: fc.constantFrom('5', '1.5', '1.2.3', '01.2.3', ''),
    inverted: isInverted,
  }),
)
const percent = fc.constantFrom('0', '0.5', '1', '33', '33.33333', '50', '99.9', '100')
const strategy = fc
  .tuple(
    fc.oneof(
      fc.constant({ name: 'default', parameters: {} }),
      fc.record({
        name: fc.constant('userWithId'),
        parameters: fc.record({ userIds: fc.constantFrom('', 'user-1', 'user-1, user-2,5') }),
      }),
      fc.record({
        name: fc.constant('gradualRolloutUserId'),
        parameters: fc.record({ percentage: percent, groupId: fc.constantFrom('group', 'other') }),
      }),
      fc.record({
        name: fc.constant('flexibleRollout'),
        parameters: fc.record({
          rollout: percent,
          stickiness: fc.constantFrom('userId', 'account', 'plan', 'default', 'random'),
          groupId: fc.constantFrom('group', ''),
        }),
      }),
    ),
    fc.array(constraint, { maxLength: 2 }),
    fc.constantFrom([], [1], [9]),
  )
  .map(([own, constraints, segments]) => ({ ...own, constraints, segments }))
const strategies = fc.array(strategy, { maxLength: 3 })
const segment = fc.array(constraint, { minLength: 1, maxLength: 2 })

const fields = { type: 'release', stale: false, impressionData: false, project: 'default' }
const weighted = fc.constantFrom([1000], [500, 500], [333, 333, 334], [0, 1000], [100, 0, 900])
const variantsOf = (stickiness: string) =>
  weighted.map((weights) =>
    weights.map((weight, index) => ({
      name: `variant-${index}`,
      weight,
      stickiness,
      ...(index === 1 && { overrides: [{ contextName: 'plan', values: ['pro'] }] }),
    })),
  )

it('variants of Unleash are those of its SDK for everyone whom no chance divides', async () => {
  const feature = fc.record({
    enabled: fc.constantFrom(true, true, true, false),
    strategies: fc.array(
      fc.tuple(strategy, fc.option(variantsOf('userId'), { nil: [] })).map(([own, variants]) => {
        return { ...own, variants }
      }),
      { maxLength: 2 },
    ),
    variants: variantsOf('default'),
  })
  const samples = fc.sample(feature, { numRuns: 400 * inject('scale'), seed: 17 })
  const features = samples.map((own, index) => ({ ...fields, ...own, name: `flag-${index}` }))
  const users = sampleWildContexts(['plan', 'age', 'account'], { count: 100, isAscii: true })
  const { decisions, shares, differ } = await compareWithSdk(
    'unleash',
    [{ features, segments: [] }],
    users.filter(({ targetingKey }) => targetingKey !== undefined),
    new Set(['UN-T028']),
  )
  expect(differ.slice(0, 1)).toEqual([])
  expect(decisions).toBeGreaterThan(10_000)
  expect(shares).toBeGreaterThan(50)
})

it('flags of Unleash that are said to be exact decide as its SDK does, with attributes of every type', async () => {
  const features = fc
    .sample(strategies, { numRuns: 1200 * inject('scale'), seed: 17 })
    .map((own, index) => ({
      ...fields,
      name: `flag-${index}`,
      enabled: index % 10 !== 0,
      variants: [],
      strategies: own,
    }))
  const segments = fc
    .sample(segment, { numRuns: 1, seed: 17 })
    .map((constraints) => ({ id: 1, name: 'some', constraints }))
  // Its client hashes UTF-16, others UTF-8.
  const contexts = sampleWildContexts(['plan', 'age', 'account'], { count: 200, isAscii: true })
  const exports = [{ features, segments }]
  // The SDK receives what the import has read, so a fault of reading would be on both sides.
  const options = { environment: 'production', environments: new Map<string, string>() }
  const read = readUnleash(JSON.stringify(exports[0]), options)
  expect([...(read.environments[0]?.features.values() ?? [])]).toEqual(features)
  expect([...read.segments.values()]).toEqual(segments)
  const { decisions, shares, differ } = await compareWithSdk('unleash', exports, contexts)
  expect(differ.slice(0, 1)).toEqual([])
  expect(decisions).toBeGreaterThan(40_000)
  expect(shares).toBeGreaterThan(15)
})

import type { EvaluationContext } from '@signalbox/contract'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import type { ReadOptions } from '../importer.ts'
import { compareWithSdk } from '../testing/compare-with-sdk.ts'
import { sampleWildContexts } from '../testing/wild-contexts.ts'
import { flagsmith } from './flagsmith.ts'

const options: ReadOptions = { environment: 'production', environments: new Map() }
const read = (document: unknown) => flagsmith.fromFile(JSON.stringify(document), options)

const state = (name: string, enabled: boolean, more: object = {}) => ({
  feature: { id: Number(name.slice(name.lastIndexOf('-') + 1)) || 1, name, type: 'STANDARD' },
  featurestate_uuid: name,
  django_id: 1,
  enabled,
  feature_state_value: null,
  multivariate_feature_state_values: [],
  ...more,
})
const environment = (parts: object, segments: readonly object[] = []) => ({
  id: 1,
  api_key: 'ABC',
  name: 'production',
  project: {
    id: 1,
    name: 'project',
    hide_disabled_flags: false,
    organisation: { id: 1, name: 'acme', feature_analytics: false, persist_trait_data: false },
    segments,
  },
  feature_states: [],
  identity_overrides: [],
  ...parts,
})

const values = fc.constantFrom('pro', 'free', '5', 'true', 'false', '', '1.5')
const condition = fc.oneof(
  fc.record({
    property_: fc.constantFrom('plan', '$.identity.traits.plan', '$.identity.identifier', 'other'),
    operator: fc.constantFrom('EQUAL', 'NOT_EQUAL', 'CONTAINS', 'IS_SET', 'IS_NOT_SET'),
    value: values,
  }),
  fc.record({
    property_: fc.constantFrom('plan', 'age', '$.identity.identifier'),
    operator: fc.constant('IN'),
    value: fc.constantFrom('pro,free', '0,1,2,3', '["pro","5"]', 'user-1,user-2', ''),
  }),
  fc.record({
    property_: fc.constant('age'),
    operator: fc.constantFrom('GREATER_THAN', 'GREATER_THAN_INCLUSIVE', 'LESS_THAN', 'EQUAL'),
    value: fc.constantFrom('0', '2', '3.5'),
  }),
  fc.record({
    property_: fc.constantFrom(null, '', '$.identity.identifier', '$.identity.key', 'plan'),
    operator: fc.constant('PERCENTAGE_SPLIT'),
    value: fc.constantFrom('0', '10', '33.3333', '50', '100'),
  }),
)
const type = fc.constantFrom('ALL', 'ANY', 'NONE')
const inner = fc.record({
  type,
  conditions: fc.array(condition, { maxLength: 2 }),
  rules: fc.constant([]),
})
const rule = fc.record({
  type,
  conditions: fc.array(condition, { maxLength: 1 }),
  rules: fc.array(inner, { minLength: 1, maxLength: 2 }),
})
const plain = fc.constantFrom('red', 'blue', 'green')
const serving = fc.record({
  value: plain,
  variants: fc.array(fc.tuple(fc.constantFrom(0, 10, 33.3333, 50), plain), { maxLength: 2 }),
})
/** Some have values too, and are on for everyone. */
const content = fc.record({
  values: fc.option(fc.array(serving, { minLength: 5, maxLength: 5 }), { nil: undefined }),
  isOn: fc.boolean(),
  segments: fc.array(
    fc.record({
      rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
      isOn: fc.boolean(),
      priority: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  identity: fc.option(fc.boolean(), { nil: undefined }),
})
const tameContexts = Array.from({ length: 40 }, (_, index) => ({
  ...(index !== 0 && { targetingKey: `user-${index}` }),
  ...(index % 3 !== 0 && { plan: ['pro', 'free', '5', 5, 'false', '', 'profit'][index % 7] }),
  ...(index % 4 !== 0 && { age: index % 5 }),
})).map(dropTraitsOfNobody)
const wildContexts = sampleWildContexts(['plan', 'age', 'other'], { count: 200 }).map(
  dropTraitsOfNobody,
)
/** Flagsmith knows no traits without an identity. */
function dropTraitsOfNobody(context: EvaluationContext): EvaluationContext {
  return context['targetingKey'] === undefined ? {} : context
}
/** This issue is about a trait that the first contexts have as numbers only. */
const harmless = new Set(['FS-T006'])

function toDocument(
  name: string,
  { isOn, segments, identity, values: own }: ReturnType<typeof sampleContent>[number],
) {
  const toState = (index: number, isEnabled: boolean, more: object = {}) => {
    const serves = own?.[index]
    if (serves === undefined) return state(name, isEnabled, more)
    const variants = serves.variants.map(([percent, value], at) => ({
      // Their order is that of their numbers.
      id: 10 - at,
      percentage_allocation: percent,
      multivariate_feature_option: { id: at, value },
    }))
    return state(name, true, {
      django_id: index + 1,
      feature_state_value: serves.value,
      multivariate_feature_state_values: variants,
      ...more,
    })
  }
  return environment(
    {
      feature_states: [toState(0, isOn)],
      identity_overrides:
        identity === undefined
          ? []
          : [
              {
                identifier: 'user-3',
                identity_uuid: 'three',
                created_date: '2026-01-01T00:00:00Z',
                environment_api_key: 'ABC',
                identity_traits: [],
                identity_features: [toState(1, identity)],
              },
            ],
    },
    segments.map(({ rules, isOn: serves, priority }, at) => ({
      id: at + 1,
      name: `segment ${at}`,
      rules,
      feature_states: [
        toState(at + 2, serves, priority === undefined ? {} : { feature_segment: { priority } }),
      ],
    })),
  )
}
const sampleContent = () => fc.sample(content, { numRuns: 150 * inject('scale'), seed: 17 })

describe('features of Flagsmith', () => {
  it.each([
    { with: 'traits of one type each', of: tameContexts, but: harmless, atLeast: 3000 },
    { with: 'traits of every type', of: wildContexts, but: new Set<string>(), atLeast: 8000 },
  ])('that are said to be exact decide as its SDK does, $with', async ({ of, but, atLeast }) => {
    const exports = sampleContent().map((parts, index) => toDocument(`feature-${index + 1}`, parts))
    const { decisions, shares, differ } = await compareWithSdk('flagsmith', exports, of, but)
    expect(differ.slice(0, 1)).toEqual([])
    expect(decisions).toBeGreaterThan(atLeast)
    expect(shares).toBeGreaterThan(10)
  })

  it('with values become public keys, where they are on for everyone', () => {
    const variants = [{ percentage_allocation: 50, multivariate_feature_option: { value: 'red' } }]
    const shares = { multivariate_feature_state_values: variants }
    const { keys } = read(
      environment({
        feature_states: [
          state('banner', true, { feature_state_value: 'blue' }),
          state('old', false, { feature_state_value: 'blue' }),
          state('split', true, { feature_state_value: 'blue', ...shares }),
          state('some', true, shares),
        ],
      }),
    )
    expect(keys).toMatchObject([
      { key: 'banner', tier: 'public', verdict: 'exact', values: [{ value: 'blue' }] },
      {
        key: 'old',
        tier: 'featureFlags',
        values: [{ value: false }],
        issues: [{ code: 'FS-T020', severity: 'medium' }],
      },
      {
        key: 'split',
        tier: 'public',
        targeted: true,
        verdict: 'exact',
        values: [{ value: 'blue', rules: [{ serve: { value: 'red' } }] }],
      },
      {
        key: 'some',
        values: [{ value: true }],
        issues: [{ code: 'FS-T020', severity: 'high' }],
      },
    ])
  })

  it('come from the export of features too, which says that it has no overrides', () => {
    const { keys } = read([
      { name: 'checkout', enabled: true, default_enabled: false, type: 'STANDARD' },
      { name: 'banner', enabled: true, value: 'blue' },
    ])
    expect(keys).toMatchObject([
      {
        key: 'checkout',
        verdict: 'differs',
        values: [{ value: true }],
        issues: [{ code: 'FS-T012' }],
      },
      { key: 'banner', verdict: 'differs', values: [{ value: 'blue' }] },
    ])
  })

  it.each([
    ['a regular expression', { property_: 'plan', operator: 'REGEX', value: '^a' }],
    ['a remainder', { property_: 'age', operator: 'MODULO', value: '2|0' }],
    ['the environment', { property_: '$.environment.name', operator: 'EQUAL', value: 'a' }],
    ['an order of texts', { property_: 'plan', operator: 'GREATER_THAN', value: 'b' }],
  ])('are left out with a segment by %s, and say so', (_, by) => {
    const rules = [{ type: 'ALL', rules: [], conditions: [by] }]
    const segment = { id: 1, name: 'some', rules, feature_states: [state('checkout', true)] }
    const { leftOut } = read(environment({ feature_states: [state('checkout', false)] }, [segment]))
    expect(leftOut).toMatchObject([{ from: 'checkout', issues: [{ code: 'FS-T010' }] }])
  })

  it.each([
    ['{"feature_states": [\n"a": ]', /line 2/],
    ['{}', /no export of Flagsmith/],
    ['[1]', /\[0\] is no object/],
    ['{"feature_states": [], "project": 1}', /project is no object/],
    [
      '{"feature_states": [{"feature": {}}], "project": {}}',
      /feature_states\[0\]\.feature\.name is missing/,
    ],
  ])('that cannot be read say where: %s', (text, message) => {
    expect(() => flagsmith.fromFile(text, options)).toThrow(message)
  })

  it('are read with a key of a server, identities page by page', async () => {
    const asked: unknown[] = []
    const base = environment({ feature_states: [state('checkout', false)] })
    const page = (identifier: string) => ({
      ...base,
      identity_overrides: [{ identifier, identity_features: [state('checkout', true)] }],
    })
    const ask = (url: string, headers: object, onNext?: (url: string) => void) => {
      asked.push([url, headers])
      if (asked.length === 1) onNext?.(`${url}?page=2`)
      return Promise.resolve(page(`user-${asked.length}`))
    }
    const access = { project: undefined, environments: [], ask }
    const env = { FLAGSMITH_SERVER_KEY: 'ser.1', FLAGSMITH_API_URL: 'https://fs.example/api/v1/' }
    const text = (await flagsmith.fromToken?.({ ...access, env })) ?? ''
    expect(asked).toEqual([
      ['https://fs.example/api/v1/environment-document/', { 'x-environment-key': 'ser.1' }],
      ['https://fs.example/api/v1/environment-document/?page=2', { 'x-environment-key': 'ser.1' }],
    ])
    const [key] = flagsmith.fromFile(text, options).keys
    expect(JSON.stringify(key?.values)).toMatch(/user-1.*user-2/)
    await expect(flagsmith.fromToken?.({ ...access, env: {} })).rejects.toThrow('is not set')
  })
})

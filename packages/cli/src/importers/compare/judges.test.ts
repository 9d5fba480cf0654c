import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import type { EvaluationContext } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { importers } from '../registry.ts'
import { compareFlags } from './compare-flags.ts'
import { judges } from './judges.ts'

const load = createRequire(join(process.cwd(), 'package.json'))
const options = { environment: 'production', environments: new Map<string, string>() }

/** Has users of two plans, and some without a plan. */
const contexts = Array.from({ length: 60 }, (_, index) => ({
  targetingKey: `user-${index}`,
  ...(index % 3 !== 0 && { plan: index % 2 === 0 ? 'pro' : 'free' }),
}))

async function* number(list: readonly EvaluationContext[]) {
  for (const [index, context] of list.entries()) {
    yield await Promise.resolve({ line: index + 1, context })
  }
}

function get<Value>(map: ReadonlyMap<string, Value>, source: string): Value {
  const value = map.get(source)
  if (value === undefined) throw new Error(`There is no ${source}`)
  return value
}

/** Decides by `theirs` with the SDK and by what the import of `ours` makes. */
async function compare(
  source: string,
  { theirs, ours = theirs }: { readonly theirs: unknown; readonly ours?: unknown },
  list: readonly EvaluationContext[] = contexts,
) {
  const [text, own] = [theirs, ours].map((one) =>
    typeof one === 'string' ? one : JSON.stringify(one),
  ) as [string, string]
  const judge = await get(judges, source).open(load, text, options)
  try {
    return await compareFlags(get(importers, source).fromFile(own, options), judge, number(list))
  } finally {
    await judge.close()
  }
}

/**
 * Each has a flag by plan and by a share, a value that is the same for everyone, and a flag of three values by plan and by shares.
 * `plan` and `percent` are those of the first flag.
 */
const exports: Readonly<Record<string, (plan: string, percent: number) => unknown>> = {
  launchdarkly: (plan, percent) => ({
    flags: {
      checkout: {
        on: true,
        salt: 'abc',
        variations: [true, false],
        offVariation: 1,
        rules: [
          { variation: 0, clauses: [{ attribute: 'plan', op: 'in', values: [plan] }] },
          { variation: 0, clauses: [{ attribute: '', op: 'segmentMatch', values: ['staff'] }] },
        ],
        fallthrough: {
          rollout: {
            variations: [
              { variation: 0, weight: percent * 1000 },
              { variation: 1, weight: 100_000 - percent * 1000 },
            ],
          },
        },
      },
      banner: { on: true, salt: 'a', variations: ['blue'], fallthrough: { variation: 0 } },
      layout: {
        on: true,
        salt: 'a',
        variations: ['wide', 'narrow', 'old'],
        rules: [{ variation: 2, clauses: [{ attribute: 'plan', op: 'in', values: ['free'] }] }],
        fallthrough: {
          rollout: {
            variations: [
              { variation: 0, weight: 20_000 },
              { variation: 1, weight: 33_300 },
              { variation: 2, weight: 46_700 },
            ],
          },
        },
      },
    },
    segments: { staff: { included: ['user-7'], excluded: [], rules: [], salt: 's' } },
  }),
  unleash: (plan, percent) => ({
    features: [
      {
        name: 'checkout',
        enabled: true,
        strategies: [
          {
            name: 'default',
            parameters: {},
            constraints: [{ contextName: 'plan', operator: 'IN', values: [plan] }],
          },
          { name: 'default', parameters: {}, constraints: [], segments: [1] },
          {
            name: 'flexibleRollout',
            parameters: { rollout: String(percent), stickiness: 'userId', groupId: 'checkout' },
            constraints: [],
          },
        ],
      },
      { name: 'banner', enabled: true, strategies: [] },
      {
        name: 'layout',
        enabled: true,
        strategies: [
          {
            name: 'flexibleRollout',
            parameters: { rollout: '50', stickiness: 'userId', groupId: 'layout' },
            constraints: [],
            variants: [
              { name: 'wide', weight: 200, stickiness: 'userId' },
              { name: 'narrow', weight: 333, stickiness: 'userId' },
              { name: 'old', weight: 467, stickiness: 'userId' },
            ],
          },
        ],
      },
    ],
    segments: [
      { id: 1, constraints: [{ contextName: 'userId', operator: 'IN', values: ['user-7'] }] },
    ],
  }),
  growthbook: (plan, percent) => ({
    features: {
      checkout: {
        defaultValue: false,
        rules: [
          { force: true, condition: { plan } },
          { force: true, coverage: percent / 100, hashAttribute: 'id' },
        ],
      },
      banner: { defaultValue: 'blue' },
      layout: {
        defaultValue: 'old',
        rules: [
          { force: 'wide', condition: { plan: 'free' } },
          { force: 'narrow', coverage: 0.333, hashAttribute: 'id' },
        ],
      },
      sizes: { defaultValue: { small: 1 } },
    },
  }),
  flagsmith: (plan, percent) => {
    const state = (id: number, name: string, enabled: boolean, value: string | null = null) => ({
      feature: { id, name, type: 'STANDARD' },
      featurestate_uuid: name,
      django_id: id,
      enabled,
      feature_state_value: value,
      multivariate_feature_state_values: [],
    })
    const share = (id: number, percent: number, value: string) => ({
      id,
      percentage_allocation: percent,
      multivariate_feature_option: { value },
    })
    const shares = [share(1, 20, 'wide'), share(2, 33.3, 'narrow')]
    const condition = (property_: string, operator: string, value: string) => ({
      type: 'ALL',
      rules: [],
      conditions: [{ property_, operator, value }],
    })
    const organisation = { id: 1, name: 'a', feature_analytics: false, persist_trait_data: false }
    const segment = (id: number, rule: object) => ({
      id,
      name: `segment ${id}`,
      rules: [{ type: 'ALL', conditions: [], rules: [rule] }],
      feature_states: [state(1, 'checkout', true)],
    })
    return {
      id: 1,
      api_key: 'ABC',
      name: 'production',
      identity_overrides: [],
      feature_states: [
        state(1, 'checkout', false),
        state(2, 'banner', true, 'blue'),
        { ...state(3, 'layout', true, 'old'), multivariate_feature_state_values: shares },
      ],
      project: {
        id: 1,
        name: 'project',
        hide_disabled_flags: false,
        organisation,
        segments: [
          segment(1, condition('plan', 'EQUAL', plan)),
          segment(2, condition('', 'PERCENTAGE_SPLIT', String(percent))),
        ],
      },
    }
  },
  configcat: (plan, percent) => ({
    p: { s: 'salt' },
    f: {
      checkout: {
        t: 0,
        v: { b: false },
        r: [{ c: [{ u: { a: 'plan', c: 28, s: plan } }], s: { v: { b: true } } }],
        p: [
          { p: percent, v: { b: true } },
          { p: 100 - percent, v: { b: false } },
        ],
      },
      banner: { t: 1, v: { s: 'blue' } },
      layout: {
        t: 1,
        v: { s: 'old' },
        r: [{ c: [{ u: { a: 'plan', c: 28, s: 'free' } }], s: { v: { s: 'wide' } } }],
        p: [
          { p: 20, v: { s: 'wide' } },
          { p: 33, v: { s: 'narrow' } },
          { p: 47, v: { s: 'old' } },
        ],
      },
    },
  }),
  flipt: (plan, percent) => `
flags:
- key: checkout
  name: Checkout
  type: BOOLEAN_FLAG_TYPE
  enabled: false
  rollouts:
  - segment: { key: by-plan, value: true }
  - segment: { keys: [by-plan, staff], operator: AND_SEGMENT_OPERATOR }
  - threshold: { percentage: ${percent}, value: true }
- key: banner
  name: Banner
  enabled: true
  variants: [{ key: blue, default: true }]
- key: layout
  name: Layout
  enabled: true
  variants: [{ key: wide }, { key: narrow }, { key: old, default: true }]
  rules:
  - segment: { key: staff }
    distributions: [{ variant: narrow, rollout: 100 }]
  - segment: free
    distributions: [{ variant: wide, rollout: 20 }, { variant: narrow, rollout: 33.3 }, { variant: old, rollout: 46.7 }]
segments:
- key: by-plan
  name: By plan
  match_type: ALL_MATCH_TYPE
  constraints:
  - { type: STRING_COMPARISON_TYPE, property: plan, operator: eq, value: ${plan} }
- key: free
  name: Free
  match_type: ALL_MATCH_TYPE
  constraints:
  - { type: STRING_COMPARISON_TYPE, property: plan, operator: eq, value: free }
- key: staff
  name: Staff
  match_type: ANY_MATCH_TYPE
  constraints:
  - { type: ENTITY_ID_COMPARISON_TYPE, property: entity, operator: isoneof, value: '["user-1"]' }
`,
  flagd: (plan) => ({
    flags: {
      checkout: {
        state: 'ENABLED',
        variants: { on: true, off: false },
        defaultVariant: 'off',
        targeting: { if: [{ '===': [{ var: 'plan' }, plan] }, 'on', 'off'] },
      },
      banner: { state: 'ENABLED', variants: { blue: 'blue' }, defaultVariant: 'blue' },
      layout: {
        state: 'ENABLED',
        variants: { wide: 1, narrow: 2, old: 3 },
        defaultVariant: 'old',
        targeting: { if: [{ '===': [{ var: 'plan' }, 'free'] }, 'wide', 'narrow'] },
      },
      sizes: { state: 'ENABLED', variants: { small: { size: 1 } }, defaultVariant: 'small' },
    },
  }),
  posthog: (plan: string, percent: number) => {
    const byPlan = (value: string) => ({
      properties: [{ key: 'plan', value: [value], operator: 'exact', type: 'person' }],
    })
    const shares = [
      { key: 'wide', rollout_percentage: 30 },
      { key: 'narrow', rollout_percentage: 70 },
    ]
    const flag = (key: string, filters: object) => ({ key, active: true, filters })
    return {
      results: [
        flag('checkout', {
          groups: [byPlan(plan), { properties: [], rollout_percentage: percent }],
        }),
        flag('banner', { groups: [{ properties: [] }] }),
        flag('layout', {
          groups: [{ ...byPlan('free'), variant: 'narrow' }, { rollout_percentage: 60 }],
          multivariate: { variants: shares },
        }),
      ],
    }
  },
}

describe.each(Object.entries(exports))('the SDK of %s', (source, create) => {
  it('decides an export as its import does', async () => {
    const { decisions, different, differences } = await compare(source, {
      theirs: create('pro', 30),
    })
    expect({ different, differences }).toEqual({ different: 0, differences: [] })
    expect(decisions).toBeGreaterThanOrEqual(180)
  })

  it('finds what decides otherwise, with the lines', async () => {
    const both = { theirs: create('pro', 30), ours: create('free', 30) }
    const { different, differences } = await compare(source, both)
    const lines = differences.map(({ line }) => line)
    // A third of the users has no plan. The others are on there with pro, and here with free.
    expect(different).toBeGreaterThan(15)
    expect(lines.every((line) => line % 3 !== 1)).toBe(true)
    expect(differences.every(({ key }) => key === 'checkout')).toBe(true)
    expect(new Set(differences.map(({ theirs }) => theirs))).toEqual(new Set([true, false]))
  })

  it.runIf(source !== 'flagd')('finds a share that has grown', async () => {
    const both = { theirs: create('pro', 60), ours: create('pro', 30) }
    const { different, differences } = await compare(source, both)
    expect(different).toBeGreaterThan(0)
    expect(differences.every(({ theirs, ours }) => theirs === true && ours === false)).toBe(true)
  })
})

describe('a comparison', () => {
  it('gives GrowthBook objects, where an application here sends flat attributes', async () => {
    const rules = [{ force: true, condition: { 'company.size': 'large' } }]
    const theirs = { features: { checkout: { defaultValue: false, rules } } }
    const flat = [{ targetingKey: 'a', 'company.size': 'large' }, { targetingKey: 'b' }]
    expect((await compare('growthbook', { theirs }, flat)).different).toBe(0)
  })

  it('gives LaunchDarkly contexts of other kinds', async () => {
    const clause = (attribute: string, value: string) => ({
      attribute,
      op: 'in',
      values: [value],
      contextKind: 'org',
    })
    const flag = (clauses: readonly object[]) => ({
      on: true,
      salt: 'abc',
      variations: [true, false],
      offVariation: 1,
      rules: [{ variation: 0, clauses }],
      fallthrough: { variation: 1 },
    })
    const theirs = {
      flags: {
        byKey: flag([clause('key', 'acme')]),
        byPlan: flag([clause('plan', 'pro')]),
        byPath: flag([{ ...clause('/address/city', 'Berlin'), contextKind: 'user' }]),
      },
    }
    const list = [
      { targetingKey: 'a', org: 'acme', 'org.plan': 'pro' },
      { targetingKey: 'a', '/address/city': 'Berlin' },
      { org: 'other', 'org.plan': 'free' },
    ]
    const { differences, decisions } = await compare('launchdarkly', { theirs }, list)
    expect(decisions).toBe(9)
    expect(differences).toEqual([])
  })

  it('counts all differences, and lists the first of each flag', async () => {
    const flag = (value: boolean) => ({ features: { checkout: { defaultValue: value } } })
    const { different, differences, notCompared } = await compare('growthbook', {
      theirs: flag(true),
      ours: { features: { ...flag(false).features, split: { defaultValue: null } } },
    })
    expect(different).toBe(60)
    expect(differences).toHaveLength(20)
    const first = { key: 'checkout', environment: 'production', line: 1 }
    expect(differences[0]).toEqual({ ...first, theirs: true, ours: false })
    expect(notCompared).toEqual(['split'])
  })

  it('needs the document of Flagsmith, not its list', async () => {
    const list = '[{"name":"checkout","enabled":true}]'
    await expect(compare('flagsmith', { theirs: list })).rejects.toThrow('environment-document')
  })
})

import type { EvaluationContext } from '@signalbox/contract'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import type { ReadOptions } from '../importer.ts'
import { compareWithSdk } from '../testing/compare-with-sdk.ts'
import { prepareImported } from '../testing/prepare-imported.ts'
import { sampleWildContexts } from '../testing/wild-contexts.ts'
import { posthog } from './posthog.ts'

const options: ReadOptions = { environment: 'production', environments: new Map() }
const read = (document: object) => posthog.fromFile(JSON.stringify(document), options)
const flagOf = (filters: object, more: object = {}) => ({
  key: 'checkout',
  name: 'The new one',
  active: true,
  filters,
  ...more,
})
const readFlag = (filters: object, more: object = {}) => read({ results: [flagOf(filters, more)] })
/** These issues are about the case of texts, and about texts that are numbers or versions. */
const harmless = new Set(['PH-T005', 'PH-T006', 'PH-T007', 'PH-T008'])

function holds(property: object, context: EvaluationContext, more: object = {}) {
  const groups = [{ properties: [{ key: 'plan', type: 'person', ...property }] }]
  const { keys } = read({ flags: [flagOf({ groups })], ...more })
  return prepareImported(keys[0], harmless)?.decide(context)
}

describe('flags of PostHog', () => {
  it('come from the list of the API, a bare list, and the definitions of SDKs', () => {
    const flag = flagOf({ groups: [{ properties: [], rollout_percentage: 10 }] })
    for (const document of [{ count: 1, next: null, results: [flag] }, [flag], { flags: [flag] }]) {
      expect(read(document)).toMatchObject({
        keys: [
          {
            key: 'checkout',
            description: 'The new one',
            verdict: 'exact',
            values: [{ value: false, rules: [{ when: [{ percent: 10 }], serve: true }] }],
          },
        ],
        leftOut: [],
      })
    }
  })

  it('with variants become flags with variants, which are off where no condition set holds', () => {
    const variants = [
      { key: 'control', rollout_percentage: 50 },
      { key: 'test', rollout_percentage: 50 },
    ]
    const { keys } = readFlag({
      groups: [
        { properties: [{ key: 'staff', type: 'person', operator: 'is_set' }], variant: 'test' },
        { properties: [], rollout_percentage: 40 },
      ],
      multivariate: { variants },
    })
    expect(keys).toMatchObject([
      { variants: [{ name: 'control' }, { name: 'test' }, { name: 'off', on: false }] },
    ])
    const decide = prepareImported(keys[0])?.decide
    expect(decide?.({ staff: 1 })).toBe('test')
    const users = Array.from({ length: 400 }, (_, index) => ({ targetingKey: `user-${index}` }))
    expect(new Set(users.map((user) => decide?.(user)))).toEqual(
      new Set(['control', 'test', 'off']),
    )
  })

  it('with payloads say that these are lost, and are held until somebody accepts that', () => {
    const { keys } = readFlag({ groups: [], payloads: { true: '{"size": 1}' } })
    expect(keys).toMatchObject([{ issues: [{ code: 'PH-T025', severity: 'high' }] }])
  })

  it('that are switched off are off, and leave their conditions', () => {
    const { keys } = readFlag({ groups: [{ properties: [] }] }, { active: false })
    expect(keys).toMatchObject([{ issues: [{ code: 'PH-T003' }], values: [{ value: false }] }])
  })

  it.each<[object, EvaluationContext, EvaluationContext]>([
    [{ value: ['5'], operator: 'exact' }, { plan: 5 }, { plan: 6 }],
    [{ value: '5' }, { plan: '5' }, {}],
    [{ value: ['pro', 'max'] }, { plan: 'max' }, { plan: 'free' }],
    [{ value: ['true'] }, { plan: true }, { plan: 'no' }],
    [{ value: ['false'] }, { plan: 'no' }, {}],
    [{ value: ['pro'], operator: 'is_not' }, {}, { plan: 'pro' }],
    [{ operator: 'is_set' }, { plan: '' }, {}],
    [{ operator: 'is_not_set' }, {}, { plan: 'x' }],
    [{ value: 'ro', operator: 'icontains' }, { plan: 'pro' }, { plan: 'free' }],
    [{ value: 'ro', operator: 'not_icontains' }, {}, { plan: 'pro' }],
    [{ value: 'p', operator: 'starts_with' }, { plan: 'pro' }, { plan: 'up' }],
    [{ value: 'o', operator: 'not_ends_with' }, { plan: 'prop' }, { plan: 'pro' }],
    [{ value: '18', operator: 'gte' }, { plan: 18 }, { plan: 17 }],
    [{ value: '1.2.3', operator: 'semver_gt' }, { plan: '1.10.0' }, { plan: '1.2.3' }],
    [{ value: '1.2.3', operator: 'semver_neq' }, { plan: '1.2.4' }, { plan: '1.2.3' }],
    [{ key: 'distinct_id', value: ['ada'] }, { targetingKey: 'ada' }, { targetingKey: 'bob' }],
  ])('hold for %j as there', (property, inside, outside) => {
    expect([holds(property, inside), holds(property, outside)]).toEqual([true, false])
  })

  it('ask for true and false by text alone from the second version of matching on', () => {
    const more = { property_matching_version: 2 }
    expect(holds({ value: ['false'] }, { plan: 'no' }, more)).toBe(false)
    expect(holds({ value: ['false'] }, { plan: false }, more)).toBe(true)
  })

  it('have the properties of their cohorts, and of those inside of them', () => {
    const person = (value: string) => ({ key: 'plan', type: 'person', value: [value] })
    const segments = {
      1: {
        type: 'OR',
        values: [
          { type: 'AND', values: [person('a')] },
          { type: 'AND', values: [{ type: 'cohort', value: 2 }] },
        ],
      },
      2: { type: 'AND', values: [person('b'), { ...person('c'), negation: true }] },
    }
    const isIn = (plan: string, property: object = {}) =>
      holds(
        { key: 'id', type: 'cohort', value: 1, ...property },
        { plan },
        Object.fromEntries([['cohorts', segments]]),
      )
    expect(['a', 'b', 'c'].map((plan) => isIn(plan))).toEqual([true, true, false])
    expect(['a', 'b', 'c'].map((plan) => isIn(plan, { operator: 'not_in' }))).toEqual([
      false,
      false,
      true,
    ])
  })

  const person = { key: 'plan', type: 'person' }
  it.each<[string, object, object, string]>([
    [
      'a regular expression',
      { groups: [{ properties: [{ ...person, value: 'p.*', operator: 'regex' }] }] },
      {},
      'PH-T010',
    ],
    [
      'a date',
      { groups: [{ properties: [{ ...person, value: '-7d', operator: 'is_date_after' }] }] },
      {},
      'PH-T010',
    ],
    [
      'a property of a group',
      { groups: [{ properties: [{ ...person, type: 'group' }] }] },
      {},
      'PH-T010',
    ],
    ['a group in place of a user', { groups: [], aggregation_group_type_index: 0 }, {}, 'PH-T012'],
    ['a set about a group', { groups: [{ aggregation_group_type_index: 0 }] }, {}, 'PH-T012'],
    [
      'another flag',
      { groups: [{ properties: [{ key: 'x', type: 'flag', value: true }] }] },
      {},
      'PH-T013',
    ],
    [
      'a list of users',
      { groups: [{ properties: [{ key: 'id', type: 'cohort', value: 9 }] }] },
      {},
      'PH-T014',
    ],
    ['a holdout', { groups: [], holdout: { id: 1, exclusion_percentage: 10 } }, {}, 'PH-T015'],
    ['early access', { groups: [], super_groups: [{ properties: [] }] }, {}, 'PH-T016'],
    ['an early exit', { groups: [], early_exit: true }, {}, 'PH-T017'],
    [
      'a variant named off',
      { groups: [], multivariate: { variants: [{ key: 'off' }] } },
      {},
      'PH-T020',
    ],
    [
      'variants for a part of the users',
      { groups: [{}], multivariate: { variants: [{ key: 'a', rollout_percentage: 50 }] } },
      {},
      'PH-T026',
    ],
  ])('are left out with %s', (_, filters, more, code) => {
    const { keys, leftOut } = readFlag(filters, more)
    expect([keys, leftOut]).toMatchObject([[], [{ issues: [{ code, severity: 'high' }] }]])
  })

  it('are left out when they are deleted, and named when the list has another page', () => {
    const { leftOut } = read({
      next: 'https://eu.posthog.com/api/projects/1/feature_flags/?offset=100',
      results: [flagOf({ groups: [] }, { deleted: true })],
    })
    expect(leftOut).toMatchObject([
      { from: 'checkout', issues: [{ code: 'PH-T001', severity: 'low' }] },
      { from: 'the next page', issues: [{ code: 'PH-D001', severity: 'high' }] },
    ])
  })

  it.each([
    [{}, /no list of flags has "filters"/],
    [{ results: [{ key: 'a' }] }, /no list of flags/],
    [{ results: [{ filters: {} }] }, /results\[0\]\.key is missing/],
    [{ flags: [flagOf({ groups: 3 })] }, /flags\[0\]\.filters\.groups is no list/],
    [
      { flags: [flagOf({ groups: [{ rollout_percentage: 'x' }] })] },
      /groups\[0\]\.rollout_percentage is no number/,
    ],
  ])('that cannot be read say where: %j', (document, message) => {
    expect(() => read(document)).toThrow(message)
  })
})

describe('random flags of PostHog', () => {
  const value = fc.constantFrom('pro', 'free', '5', 'true', 'false', ' ', '1.5', 'user-3')
  const key = fc.constantFrom('plan', 'age', 'distinct_id', 'account')
  const operator = fc.constantFrom('exact', 'is_not', 'icontains', 'not_icontains', 'gt', 'lte')
  const type = fc.constant('person')
  const properties = fc.array(
    fc.oneof(
      fc.record({ key, type, operator, value }),
      fc.record({
        key,
        type,
        operator: fc.constantFrom('exact', 'is_not'),
        value: fc.array(value, { minLength: 1, maxLength: 3 }),
      }),
    ),
    { maxLength: 2 },
  )
  const rollout_percentage = fc.constantFrom(undefined, null, 0, 0.5, 33, 33.3, 50, 99.9, 100)
  const variant = fc.constantFrom(undefined, 'control', 'blue', 'nothing')
  const groups = fc.array(fc.record({ properties, rollout_percentage, variant }), { maxLength: 3 })
  const weights = fc.constantFrom(undefined, [100, 0], [50, 50], [33.3, 66.7], [0, 100])
  const filters = fc.tuple(groups, weights).map(([sets, parts]) => ({
    groups: sets,
    ...(parts && {
      multivariate: {
        variants: ['control', 'blue'].map((name, at) => ({
          key: name,
          rollout_percentage: parts[at],
        })),
      },
    }),
  }))

  it('are decided as by the SDK, where they are said to be exact', async () => {
    const flags = fc
      .sample(filters, { numRuns: 200 * inject('scale'), seed: 35 })
      .map((own, index) => ({ key: `flag${index}`, active: true, filters: own }))
    const names = ['plan', 'age', 'account']
    // The SDK asks the server about users who lack an attribute.
    const users = sampleWildContexts(names, { count: 1600, isAscii: true }).filter((context) =>
      ['targetingKey', ...names].every((name) => name in context),
    )
    const { decisions, shares, differ } = await compareWithSdk('posthog', [{ flags }], users)
    expect(
      differ
        .slice(0, 3)
        .map((each) => JSON.stringify({ ...(each as object), document: undefined })),
    ).toEqual([])
    expect(decisions).toBeGreaterThan(4000)
    expect(shares).toBeGreaterThan(25)
  })
})

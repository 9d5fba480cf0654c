import { describe, expect, it } from 'vitest'
import type { FlagRules } from '../matrix.ts'
import { conditionTests, type Condition } from './condition-tests.ts'
import { createCondition, noConditionErrors } from './condition-draft.ts'
import {
  moveRule,
  parseRuleDraft,
  toRuleDraft,
  type RuledRow,
  type ServeError,
} from './rule-draft.ts'

const flag = { tier: 'featureFlags', type: 'boolean' } as const
const attribute = 'a'
const conditions: readonly Condition[] = [
  { attribute, operator: 'equals', value: 'pro' },
  { attribute, operator: 'equals', value: 5 },
  { attribute, operator: 'equals', value: true },
  { attribute, operator: 'equals', value: false, not: true },
  { attribute, operator: 'in', values: ['DE', 'a, b'] },
  { attribute, operator: 'in', values: [1, 2.5], not: true },
  { attribute, operator: 'in', values: ['x', 1, true] },
  { attribute, operator: 'startsWith', value: 'x' },
  { attribute, operator: 'endsWith', value: '@acme.example' },
  { attribute, operator: 'contains', value: 'x', not: true },
  { attribute, operator: 'greater', value: 1 },
  { attribute, operator: 'greaterOrEqual', value: 1, not: true },
  { attribute, operator: 'less', value: -1 },
  { attribute, operator: 'lessOrEqual', value: 0.5 },
  { attribute, operator: 'semver', value: '>=2.1.0' },
  { attribute, operator: 'semver', value: '>2.0.0' },
  { attribute, operator: 'semver', value: '<=1.9.9' },
  { attribute, operator: 'semver', value: '<3.0.0-rc.1', not: true },
  { attribute, operator: 'semver', value: '1.2.3' },
  { attribute, operator: 'exists' },
  { attribute: 'targetingKey', operator: 'share', percent: 10 },
  {
    attribute: 'accountId',
    operator: 'share',
    percent: 33.333,
    deal: { as: 'launchdarkly', key: 'checkout.3fbf2fd5' },
    not: true,
  },
  { operator: 'segment', segment: 'staff' },
  { operator: 'segment', segment: 'staff', not: true },
]

describe('a rule in the editor', () => {
  it.each(conditions)('becomes the same rule again: %j', (condition) => {
    const rule = { description: 'staff', when: [condition], serve: true }
    expect(parseRuleDraft(toRuleDraft(rule), flag)).toEqual({ rule })
  })

  it('keeps the dealing of an imported share when its percentage is edited', () => {
    const deal = { as: 'unleash', key: 'checkout' } as const
    const share = { attribute: 'targetingKey', operator: 'share', percent: 10, deal } as const
    const draft = toRuleDraft({ when: [share], serve: true })
    const conditions = draft.conditions.map((condition) => ({ ...condition, text: '20' }))
    expect(parseRuleDraft({ ...draft, conditions }, flag)).toEqual({
      rule: { when: [{ ...share, percent: 20 }], serve: true },
    })
  })

  it('has a test for each operator, and each test has an operator', () => {
    const met = conditions.map((one) =>
      conditionTests.find((test) => test.toText(one) !== undefined),
    )
    expect(new Set(met)).toEqual(new Set(conditionTests))
  })

  it.each<FlagRules[number]['serve']>([
    true,
    false,
    { percent: 0.5 },
    { percent: 100, by: 'team' },
  ])('keeps what it serves: %j', (serve) => {
    expect(parseRuleDraft(toRuleDraft({ when: [], serve }), flag)).toEqual({
      rule: { when: [], serve },
    })
  })

  const variants = [
    { name: 'control', on: false },
    { name: 'blue', on: true },
  ]
  const number = { tier: 'public', type: 'number', constraints: { maximum: 50 } } as const
  it.each<[RuledRow, FlagRules[number]['serve']]>([
    [number, { value: 50 }],
    [
      number,
      {
        split: [
          { value: 1, percent: 33.333 },
          { value: 2, percent: 66.667 },
        ],
      },
    ],
    [number, { split: [{ value: 1, percent: 100 }], by: 'accountId' }],
    [{ ...flag, variants }, { variant: 'blue' }],
    [
      { ...flag, variants },
      {
        split: [
          { variant: 'blue', percent: 50 },
          { variant: 'control', percent: 50 },
        ],
      },
    ],
    [{ ...flag, variants }, true],
  ])('keeps the value, the variant or the split that it serves: %j', (row, serve) => {
    const rule = { id: 'rul_1', when: [], serve }
    expect(parseRuleDraft(toRuleDraft(rule), row)).toEqual({ rule })
  })

  it.each<[string, FlagRules[number]['serve'], string, Omit<ServeError, 'detail'>]>([
    ['a value out of range', { value: 51 }, '50', { field: 'served' }],
    [
      'a part out of range',
      { split: [{ value: 51, percent: 100 }] },
      '50',
      { field: 'served', part: 0 },
    ],
    [
      'shares of 99%',
      {
        split: [
          { value: 1, percent: 50 },
          { value: 2, percent: 49 },
        ],
      },
      'add up to 99',
      { field: 'percent' },
    ],
  ])('says at its field what is wrong with %s', (_, serve, words, place) => {
    expect(parseRuleDraft(toRuleDraft({ when: [], serve }), number)).toEqual({
      errors: {
        conditions: noConditionErrors,
        serve: { detail: expect.stringContaining(words), ...place },
      },
    })
  })

  it('serves only a variant that the flag declares', () => {
    const draft = toRuleDraft({ when: [], serve: { variant: 'gone' } })
    expect(parseRuleDraft(draft, { ...flag, variants })).toMatchObject({
      errors: { serve: { detail: 'Choose a variant.', field: 'served' } },
    })
  })

  it('refuses more and longer values than the server takes', () => {
    const violationOf = (condition: Condition) => {
      const parsed = parseRuleDraft(toRuleDraft({ when: [condition], serve: true }), flag)
      return 'errors' in parsed ? [...parsed.errors.conditions.values.values()] : []
    }
    const values = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`)
    expect(violationOf({ attribute, operator: 'in', values: values(500) })).toEqual([])
    expect(violationOf({ attribute, operator: 'in', values: values(501) })).toEqual([
      'Type at most 500 values.',
    ])
    const long = ['A value has at most 256 characters.']
    expect(violationOf({ attribute, operator: 'contains', value: 'x'.repeat(256) })).toEqual([])
    expect(violationOf({ attribute, operator: 'contains', value: 'x'.repeat(257) })).toEqual(long)
    expect(violationOf({ attribute, operator: 'in', values: ['x'.repeat(257)] })).toEqual(long)
  })

  it('says at each field what is wrong', () => {
    const condition = createCondition()
    const [, , , , , number] = conditionTests
    const wrong = { ...condition, attribute: 'seats', test: number ?? conditionTests[0], id: 0 }
    const draft = {
      ...toRuleDraft({ when: [], serve: { percent: 5 } }),
      conditions: [condition, { ...wrong, text: 'many' }],
      percent: '101',
    }
    expect(parseRuleDraft(draft, flag)).toEqual({
      errors: {
        serve: { detail: expect.stringContaining('0 to 100'), field: 'percent' },
        conditions: {
          attributes: new Map([[condition.id, expect.stringContaining('attribute')]]),
          values: new Map([
            [condition.id, expect.stringContaining('text')],
            [0, expect.stringContaining('number')],
          ]),
        },
      },
    })
  })

  it('moves up and down', () => {
    const rules = ['a', 'b', 'c'].map((description) => ({ description, when: [], serve: true }))
    const names = (list: FlagRules) => list.map(({ description }) => description).join('')
    expect(names(moveRule(rules, 0, 2))).toBe('bca')
    expect(names(moveRule(rules, 2, 0))).toBe('cab')
  })
})

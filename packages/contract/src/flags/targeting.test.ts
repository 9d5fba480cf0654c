import { describe, expect, it } from 'vitest'
import { createBuckets } from './bucketing.ts'
import { divideServe, findLastAsked } from './divide-serve.ts'
import { createFlagEvaluator } from './evaluate-flag.ts'
import { describeFlag, describeRule } from './describe-flag.ts'
import type { Serve, WrittenRule } from './flag-rules.ts'
import { findVariantViolations } from '../variants.ts'
import { nameServed } from './name-served.ts'

const schemaId = 'sch_01jd2m4x9k0000000000000000'
const variants = [
  { name: 'control', on: false },
  { name: 'blue', on: true },
  { name: 'green', on: true },
]
const all = (serve: Serve): WrittenRule[] => [{ when: [], serve }]
const forPro = (serve: Serve): WrittenRule => ({
  when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }],
  serve,
})

describe('a rule of a targeted key', () => {
  const evaluate = createFlagEvaluator<number>({
    schemaId,
    key: 'maxTokens',
    value: 12,
    rules: [forPro({ value: 50 })],
  })

  it('serves its value where its conditions hold, and the value of the key elsewhere', () => {
    expect(evaluate({ plan: 'pro' })).toMatchObject({ value: 50, reason: 'rule' })
    expect(evaluate({ plan: 'free' })).toEqual({ value: 12, reason: 'value' })
  })

  it('returns one object for each outcome, so that whoever renders them does so once', () => {
    expect(evaluate({ plan: 'pro' })).toBe(evaluate({ plan: 'pro', seats: 3 }))
    expect(evaluate({})).toBe(evaluate({ plan: 'free' }))
  })
})

describe('a split', () => {
  const parts = [
    { value: 'a', percent: 33.333 },
    { value: 'b', percent: 0 },
    { value: 'c', percent: 66.667 },
  ]
  const evaluate = createFlagEvaluator<string>({
    schemaId,
    key: 'model',
    value: 'z',
    rules: all({ split: parts }),
  })

  it('gives each unit the part that its bucket is in, in steps of a thousandth of a percent', () => {
    const bucketOf = createBuckets(schemaId, 'model')
    for (let user = 0; user < 2_000; user += 1) {
      const expected = bucketOf(`user-${user}`) < 33_333 ? 'a' : 'c'
      expect(evaluate({ targetingKey: `user-${user}` })).toMatchObject({
        value: expected,
        reason: 'split',
      })
    }
  })

  it('keeps who is in the first part in it when the part grows, as a share does', () => {
    const rollout = (percent: number) =>
      createFlagEvaluator({ schemaId, key: 'model', value: false, rules: all({ percent }) })
    const split = createFlagEvaluator({
      schemaId,
      key: 'model',
      value: false,
      variants,
      rules: all({
        split: [
          { variant: 'blue', percent: 20 },
          { variant: 'control', percent: 80 },
        ],
      }),
    })
    for (let user = 0; user < 500; user += 1) {
      const context = { targetingKey: `user-${user}` }
      expect(split(context).value).toBe(rollout(20)(context).value)
      expect(!split(context).value || rollout(30)(context).value).toBe(true)
    }
  })

  it('serves the value of the key, and says why, where the context has no targeting key', () => {
    expect(evaluate({ plan: 'pro' })).toMatchObject({ value: 'z', reason: 'unknown' })
  })

  it('by an attribute that the context lacks leaves the decision to the next rule', () => {
    const byAccount = createFlagEvaluator<string>({
      schemaId,
      key: 'model',
      value: 'z',
      rules: [...all({ split: parts, by: 'accountId' }), forPro({ value: 'p' })],
    })
    expect(byAccount({ plan: 'pro' })).toMatchObject({ value: 'p', reason: 'rule' })
  })

  it('with one part of 100% needs no unit', () => {
    expect(divideServe({ split: [{ value: 1, percent: 100 }] }).by).toBeUndefined()
    expect(divideServe({ split: parts }).shares.map(({ from, below }) => [from, below])).toEqual([
      [0, 33_333],
      [33_333, 100_000],
    ])
  })
})

describe('a flag with variants', () => {
  const flag = (value: boolean, rules: readonly WrittenRule[]) =>
    createFlagEvaluator({ schemaId, key: 'checkout', value, variants, rules })

  it('has the first variant with its value where no rule chooses one', () => {
    expect(flag(false, [])({})).toEqual({ value: false, reason: 'value', variant: 'control' })
    expect(flag(true, [])({})).toEqual({ value: true, reason: 'value', variant: 'blue' })
    expect(flag(false, all(true))({})).toMatchObject({ value: true, variant: 'blue' })
  })

  it('is on or off as the variant says that a rule serves', () => {
    const evaluate = flag(false, [forPro({ variant: 'green' }), ...all({ variant: 'control' })])
    expect(evaluate({ plan: 'pro' })).toMatchObject({ value: true, variant: 'green' })
    expect(evaluate({})).toMatchObject({ value: false, variant: 'control', reason: 'rule' })
  })

  it('is off with a variant that it no longer declares', () => {
    expect(flag(true, all({ variant: 'gone' }))({})).toMatchObject({ value: false })
  })
})

describe('the words of a targeted key', () => {
  const staff = { when: [{ operator: 'segment' as const, segment: 'staff' }] }
  it.each<[string, unknown, Parameters<typeof describeFlag>[0]['rules']]>([
    ['12 · 50 for staff', 12, [{ ...staff, serve: { value: 50 } }]],
    ['12 · 50 where plan is pro', 12, [forPro({ value: 50 })]],
    ['50', 12, all({ value: 50 })],
    ['off · blue for staff', false, [{ ...staff, serve: { variant: 'blue' } }]],
    [
      'a · b for 10% of staff, c for 90% of staff',
      'a',
      [
        {
          ...staff,
          serve: {
            split: [
              { value: 'b', percent: 10 },
              { value: 'c', percent: 90 },
            ],
          },
        },
      ],
    ],
    [
      'b for 0.5% by accountId, c for 99.5% by accountId',
      'a',
      all({
        split: [
          { value: 'b', percent: 0.5 },
          { value: 'c', percent: 99.5 },
        ],
        by: 'accountId',
      }),
    ],
  ])('are %s', (words, value, rules) => {
    // By an attribute that may be missing, some get the value of the key after all.
    const expected = words.includes('by accountId') ? `a · ${words}` : words
    expect(describeFlag({ value, rules })).toBe(expected)
  })

  it('are a sentence for each rule', () => {
    expect(describeRule({ ...staff, serve: { value: 50 } })).toBe('Serves 50 for segment staff')
    expect(describeRule(forPro({ variant: 'blue' }))).toBe('Serves blue where plan is pro')
    const split = [
      { variant: 'blue', percent: 50 },
      { variant: 'control', percent: 50 },
    ]
    expect(describeRule({ when: [], serve: { split } })).toBe(
      'Serves blue for 50%, control for 50% of everyone',
    )
  })

  it.each([
    [true, 'on'],
    [0.5, '0.5'],
    [1e21, '1e+21'],
    ['', 'empty'],
    ['gpt-large', 'gpt-large'],
    ['a "b"\n\\<c>', 'a-b-c-'],
    ['é🎉', '-'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('name the value %j with letters, digits and few signs: %s', (value, name) => {
    expect(nameServed(value)).toBe(name)
  })
})

describe('variants are refused', () => {
  it.each<[string, Parameters<typeof findVariantViolations>[0], object]>([
    [
      'without one that is off',
      [{ name: 'a', on: true }],
      { detail: 'Declare a variant that is off.' },
    ],
    ['when there are none', [], { detail: 'Declare a variant that is on and one that is off.' }],
    ['with a name twice', [...variants, { name: 'blue', on: true }], { index: 3 }],
    ['with a name that is none', [...variants, { name: 'a b', on: true }], { index: 3 }],
  ])('%s', (_, declared, violation) => {
    expect(findVariantViolations(declared)).toMatchObject([violation])
  })
})

describe('a rule', () => {
  it('is never asked behind one that decides for everyone', () => {
    const when = [{ attribute: 'plan', operator: 'equals', value: 'pro' }] as const
    const pro = { when: [...when], serve: true }
    expect(findLastAsked([pro, pro])).toBe(2)
    expect(findLastAsked([pro, { when: [], serve: { percent: 10 } }, pro])).toBe(1)
    expect(findLastAsked([{ when: [], serve: false }, pro])).toBe(0)
    // A person without an account comes past it.
    expect(findLastAsked([{ when: [], serve: { percent: 10, by: 'accountId' } }, pro])).toBe(2)
  })
})

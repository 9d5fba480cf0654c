import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createBuckets } from './bucketing.ts'
import { shareConditions } from './compile-condition.ts'
import { describeFlag } from './describe-flag.ts'
import { createFlagEvaluator } from './evaluate-flag.ts'
import { type EvaluationContext, type AttributeCondition, type WrittenRule } from './flag-rules.ts'
import { normalizeRules } from './normalize-rules.ts'
import { compareVersions, explainNoVersion, parseVersion } from './semver.ts'

const flag = { schemaId: 'sch_1', key: 'newCheckout', value: false }
const evaluate = (rules: readonly WrittenRule[], context: Record<string, unknown> = {}) =>
  createFlagEvaluator({ ...flag, rules })(context)
const holds = (condition: AttributeCondition, context: Record<string, unknown>) =>
  evaluate([{ when: [condition], serve: true }], context).value

const attribute = 'a'

describe('conditions', () => {
  it.each<[AttributeCondition, unknown, unknown]>([
    [{ attribute, operator: 'equals', value: 'pro' }, 'pro', 'Pro'],
    [{ attribute, operator: 'equals', value: 1 }, 1, '1'],
    [{ attribute, operator: 'equals', value: false }, false, 0],
    [{ attribute, operator: 'in', values: ['a', 2] }, 2, '2'],
    [{ attribute, operator: 'startsWith', value: 'ab' }, 'abc', 'cab'],
    [{ attribute, operator: 'endsWith', value: '@acme.com' }, 'ada@acme.com', 'ada@acme.com.evil'],
    [{ attribute, operator: 'contains', value: 'b' }, 'abc', ['b']],
    [{ attribute, operator: 'greater', value: 3 }, 3.1, 3],
    [{ attribute, operator: 'greaterOrEqual', value: 3 }, 3, '3'],
    [{ attribute, operator: 'less', value: 3 }, 2, 3],
    [{ attribute, operator: 'lessOrEqual', value: 3 }, 3, Number.NaN],
    [{ attribute, operator: 'semver', value: '>=2.1.0' }, '2.10.0', '2.1.0-rc.1'],
    [{ attribute, operator: 'semver', value: '< 2.0.0' }, '2.0.0-alpha', 'v1.0.0'],
    [{ attribute, operator: 'semver', value: '1.2.3' }, '1.2.3+build', '1.2.4'],
    [{ attribute, operator: 'exists' }, '', null],
  ])('%j holds for %j and not for %j', (condition, yes, no) => {
    expect(holds(condition, { a: yes })).toBe(true)
    expect(holds(condition, { a: no })).toBe(false)
    expect(holds({ ...condition, not: true }, { a: yes })).toBe(false)
    expect(holds({ ...condition, not: true }, { a: no })).toBe(true)
  })

  it('are false about an attribute that is not there, and true when negated', () => {
    const condition: AttributeCondition = { attribute, operator: 'equals', value: 'x' }
    expect(holds(condition, {})).toBe(false)
    expect(holds({ ...condition, not: true }, {})).toBe(true)
  })

  it('see only what the context has itself', () => {
    expect(holds({ attribute: 'toString', operator: 'exists' }, {})).toBe(false)
  })

  it('of a kind that a client does not know yet never hold, negated or not', () => {
    const unknown = JSON.parse('{"attribute":"a","operator":"near","value":1}')
    expect(holds(unknown, { a: 1 })).toBe(false)
    expect(holds({ ...unknown, not: true }, { a: 1 })).toBe(false)
  })
})

describe('shares', () => {
  const users = Array.from({ length: 2_000 }, (_, index) => `user-${index}`)
  const share = (percent: number): AttributeCondition => ({
    attribute: 'targetingKey',
    operator: 'share',
    percent,
  })
  const inside = (rules: readonly WrittenRule[]) =>
    users.filter((user) => evaluate(rules, { targetingKey: user }).value)

  it.each([0, 0.1, 10, 33.333, 100])('of %d %% are those of a rollout', (percent) => {
    expect(inside([{ when: [share(percent)], serve: true }])).toEqual(
      inside([{ when: [], serve: { percent } }]),
    )
  })

  it('let those who are out pass to the next rule, and the negation is everybody else', () => {
    const rules: WrittenRule[] = [
      { when: [share(10)], serve: false },
      { when: [share(50)], serve: true },
    ]
    const [ten, fifty] = [10, 50].map((percent) =>
      inside([{ when: [share(percent)], serve: true }]),
    )
    expect(inside(rules)).toEqual(fifty?.filter((user) => !(ten ?? []).includes(user)))
    expect(inside([{ when: [{ ...share(10), not: true }], serve: true }])).toEqual(
      users.filter((user) => !(ten ?? []).includes(user)),
    )
  })

  it('have nobody without a unit, and everybody when negated', () => {
    expect(holds(share(100), {})).toBe(false)
    expect(holds(share(100), { targetingKey: true })).toBe(false)
    expect(holds({ ...share(100), not: true }, {})).toBe(true)
  })

  it('go by the buckets of each flag, also where flags share their conditions', () => {
    const compile = shareConditions()
    const decide = (key: string) =>
      createFlagEvaluator({ ...flag, key, rules: [{ when: [share(50)], serve: true }] }, compile)
    const [one, other] = [decide('one'), decide('other')]
    const both = users.filter((targetingKey) => {
      const context = { targetingKey }
      return one(context).value && other(context).value
    })
    expect(both.length / users.length).toBeGreaterThan(0.2)
    expect(both.length / users.length).toBeLessThan(0.3)
  })

  it('are dealt as in Flipt by the CRC of the user and the flag', () => {
    const deal = { as: 'flipt', key: 'checkout' } as const
    const dealt = inside([{ when: [{ ...share(33), deal }], serve: true } as WrittenRule])
    expect(dealt).toEqual(users.filter((user) => crc32(`${user}checkout`) % 100 < 33))
  })

  it('of variants are dealt as in Flipt by thousandths of the CRC of the flag and the user', () => {
    const deal = { as: 'flipt-variant', key: 'checkout' } as const
    const dealt = inside([{ when: [{ ...share(33.3), deal }], serve: true } as WrittenRule])
    expect(dealt).toEqual(users.filter((user) => crc32(`checkout${user}`) % 1000 < 333))
  })

  it.each([
    ['launchdarkly', ['', '5', 5], [true, 1.5]],
    ['unleash', ['5', true, false, 1.5, 0], ['']],
    ['unleash-variant', ['5', true, false, 1.5, 0], ['']],
    ['growthbook-v2', ['5', true, 1.5], ['', false, 0]],
    ['configcat', ['', '5', true, false, 1.5, 0], []],
    ['flagsmith', ['5', true, 1.5], ['', false, 0]],
    ['flipt', ['5', 5], ['', true, 1.5]],
  ] as const)('of everyone, dealt as in %s, hold for %j and not for %j', (as, inside, outside) => {
    const condition = { ...share(100), attribute, deal: { as, key: 'x' } } as const
    for (const value of inside) expect(holds(condition, { a: value })).toBe(true)
    for (const value of [...outside, null, [], {}])
      expect(holds(condition, { a: value })).toBe(false)
  })

  it('with a dealing that a client does not know hold for nobody, negated or not', () => {
    const unknown = JSON.parse(
      '{"attribute":"a","operator":"share","percent":100,"deal":{"as":"other","key":"x"}}',
    )
    expect(holds(unknown, { a: 'user' })).toBe(false)
    expect(holds({ ...unknown, not: true }, { a: 'user' })).toBe(false)
  })
})

describe('rules', () => {
  const pro: AttributeCondition = { attribute: 'plan', operator: 'equals', value: 'pro' }
  const german: AttributeCondition = { attribute: 'country', operator: 'equals', value: 'DE' }

  it('decide in their order, each with all of its conditions', () => {
    const rules: WrittenRule[] = [
      { when: [pro, german], serve: false },
      { when: [pro], serve: true },
    ]
    const [first, second] = rules
    expect(evaluate(rules, { plan: 'pro', country: 'DE' })).toEqual({
      value: false,
      reason: 'rule',
      rule: first,
    })
    expect(evaluate(rules, { plan: 'pro' })).toEqual({ value: true, reason: 'rule', rule: second })
    expect(evaluate(rules, { country: 'DE' })).toEqual({ value: false, reason: 'value' })
  })

  it('leave the value of the flag where none decides', () => {
    const evaluator = createFlagEvaluator({ ...flag, value: true, rules: [] })
    expect(evaluator({})).toEqual({ value: true, reason: 'value' })
  })
})

describe('rollouts', () => {
  const users = Array.from({ length: 2_000 }, (_, index) => `user-${index}`)
  const inside = (percent: number) =>
    users.filter(
      (user) => evaluate([{ when: [], serve: { percent } }], { targetingKey: user }).value,
    )

  it('keep everybody who is in when they grow', () => {
    let before = new Set<string>()
    for (const percent of [0, 0.1, 10, 20, 33.333, 99.999, 100]) {
      const now = new Set(inside(percent))
      expect([...before].filter((user) => !now.has(user))).toEqual([])
      before = now
    }
    expect(inside(0)).toEqual([])
    expect(inside(100)).toEqual(users)
  })

  it('decide for those who are out as well', () => {
    const rules: WrittenRule[] = [
      { when: [], serve: { percent: 0 } },
      { when: [], serve: true },
    ]
    expect(evaluate(rules, { targetingKey: 'a' })).toMatchObject({ value: false, reason: 'rule' })
  })

  it.each([
    [0, undefined, false],
    [0, 'accountId', false],
    [100, undefined, true],
    [100, 'accountId', true],
    [99.9999, undefined, true],
  ])('of %d %% by %s need no unit: everybody gets the same', (percent, by, value) => {
    const contexts = [{}, { targetingKey: null }, { targetingKey: 'a' }, { accountId: 7 }]
    for (const context of contexts) {
      const rules: WrittenRule[] = [{ when: [], serve: { percent, by } }]
      expect(evaluate(rules, context)).toMatchObject({ value, reason: 'rule' })
      expect(describeFlag({ value: !value, rules })).toBe(value ? 'on' : 'off')
    }
  })

  it('have no unit that is longer than 1,024 characters', () => {
    const rules: WrittenRule[] = [{ when: [], serve: { percent: 50 } }]
    const reasonFor = (length: number) =>
      evaluate(rules, { targetingKey: 'x'.repeat(length) }).reason
    expect([reasonFor(1_024), reasonFor(1_025)]).toEqual(['split', 'unknown'])
  })

  it('go by the bucket, of whichever attribute they name', () => {
    const bucket = createBuckets('sch_1', 'newCheckout')('42')
    const at = (percent: number) =>
      evaluate([{ when: [], serve: { percent, by: 'accountId' } }], { accountId: 42 }).value
    expect(at(bucket / 1000)).toBe(false)
    expect(at((bucket + 1) / 1000)).toBe(true)
  })

  it('say so when nobody is named, and pass over another attribute that is not there', () => {
    const by = (name?: string): WrittenRule => ({ when: [], serve: { percent: 50, by: name } })
    expect(evaluate([by()], {})).toEqual({ value: false, reason: 'unknown', rule: by() })
    expect(evaluate([by('accountId')], { targetingKey: 'a' })).toEqual({
      value: false,
      reason: 'value',
    })
  })
})

describe('normalizeRules', () => {
  it('gives what says the same the same text', () => {
    const one: WrittenRule[] = [
      {
        serve: { by: 'targetingKey', percent: 5 },
        when: [{ not: true, value: 1, operator: 'equals', attribute }],
      },
    ]
    const other: WrittenRule[] = [
      {
        description: '',
        when: [{ attribute, operator: 'equals', value: 1, not: true }],
        serve: { percent: 5 },
      },
    ]
    expect(JSON.stringify(normalizeRules(one))).toBe(JSON.stringify(normalizeRules(other)))
  })
})

describe('versions', () => {
  it('are ordered as SemVer 2.0 §11 says', () => {
    const ordered = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.9',
      '1.0.10',
      '99999999999999999999.0.0',
      '100000000000000000000.0.0',
    ]
    for (const [index, text] of ordered.entries()) {
      for (const [at, other] of ordered.entries()) {
        const [one, two] = [parseVersion(text), parseVersion(other)]
        if (one === undefined || two === undefined) throw new Error(`${text} or ${other}`)
        expect(Math.sign(compareVersions(one, two))).toBe(Math.sign(index - at))
      }
    }
  })

  it.each(['1.2', '1.2.3.4', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3+', '1.2.3-a..b', ''])(
    'do not include %j',
    (text) => {
      expect(parseVersion(text)).toBeUndefined()
    },
  )
})

describe('flags that share conditions', () => {
  const isPro: AttributeCondition = { attribute: 'plan', operator: 'equals', value: 'pro' }
  const rules: readonly WrittenRule[] = [{ when: [isPro], serve: true }]
  const prepareThree = () => {
    const compile = shareConditions()
    return ['a', 'b', 'c'].map((key) => createFlagEvaluator({ ...flag, key, rules }, compile))
  }
  const watch = (plan: string) => {
    const asked: unknown[] = []
    const context: EvaluationContext = {
      get plan() {
        asked.push('plan')
        return plan
      },
    }
    return { asked, context }
  }

  it('look at an attribute once for one context', () => {
    const { asked, context } = watch('pro')
    expect(prepareThree().map((decide) => decide(context).value)).toEqual([true, true, true])
    expect(asked).toEqual(['plan'])
  })

  it('control: on their own each looks', () => {
    const { asked, context } = watch('pro')
    for (const key of ['a', 'b']) createFlagEvaluator({ ...flag, key, rules })(context)
    expect(asked).toEqual(['plan', 'plan'])
  })

  it('decide for each context anew, and not by the negation of what they share', () => {
    const compile = shareConditions()
    const [pro, others] = [true, false].map((serve) => {
      const when: AttributeCondition[] = [serve ? isPro : { ...isPro, not: true }]
      return createFlagEvaluator({ ...flag, rules: [{ when, serve: true }] }, compile)
    })
    for (const plan of ['pro', 'free', 'pro', 'free']) {
      const context = { plan }
      expect([pro?.(context).value, others?.(context).value]).toEqual([
        plan === 'pro',
        plan !== 'pro',
      ])
    }
  })
})

describe('what is no version', () => {
  it.each<[unknown, string | undefined]>([
    ['2.1.0', undefined],
    ['2.1.0-rc.1+7', undefined],
    ['v2.1.0', 'v2.1.0 is no version: leave out the v'],
    ['V1.0.0-rc.1', 'V1.0.0-rc.1 is no version: leave out the V'],
    ['2.1', '2.1 is no version: it needs three numbers, such as 2.1.0'],
    ['2', '2 is no version: it needs three numbers, such as 2.0.0'],
    [2.1, '2.1 is no version: it has to be a text, such as "2.1.0"'],
    ['', 'An empty text is no version of three numbers, such as 2.1.0'],
    ['latest', 'latest is no version of three numbers, such as 2.1.0'],
  ])('is said of %j with what would be one', (value, words) => {
    expect(explainNoVersion(value)).toBe(words)
  })
})

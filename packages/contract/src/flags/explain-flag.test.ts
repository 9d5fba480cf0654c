import { describe, expect, it } from 'vitest'
import { createBuckets } from './bucketing.ts'
import { divideServe } from './divide-serve.ts'
import { createFlagEvaluator } from './evaluate-flag.ts'
import { explainFlag } from './explain-flag.ts'
import type { WrittenRule } from './flag-rules.ts'

const rules: readonly WrittenRule[] = [
  {
    when: [
      { attribute: 'plan', operator: 'equals', value: 'pro' },
      { attribute: 'country', operator: 'in', values: ['DE'], not: true },
    ],
    serve: true,
  },
  { when: [], serve: { percent: 50, by: 'accountId' } },
  { when: [], serve: { percent: 10 } },
]
const flag = { schemaId: 'sch_1', key: 'newCheckout', value: false, rules }

describe('the explanation of a flag', () => {
  it('names the rule that decides, and each condition that does not hold', () => {
    expect(explainFlag(flag, { plan: 'pro', country: 'FR' })).toMatchObject({
      value: true,
      reason: 'rule',
      decidedBy: 0,
      rules: [{ holds: true, conditions: [true, true] }, { holds: true }, { holds: true }],
    })
    expect(explainFlag(flag, { plan: 'pro', country: 'DE', accountId: 7 })).toMatchObject({
      reason: 'split',
      decidedBy: 1,
      rules: [{ holds: false, conditions: [true, false] }, {}, {}],
    })
  })

  it('says where a context stands in a rollout, and that one without the attribute is passed over', () => {
    const { rules: explained, decidedBy } = explainFlag(flag, { targetingKey: 'user-1' })
    const at = createBuckets('sch_1', 'newCheckout')('user-1') / 1000
    expect(decidedBy).toBe(2)
    const { shares } = divideServe({ percent: 10 })
    expect(explained[1]?.rollout).toEqual({ by: 'accountId', shares: expect.any(Array) })
    expect(explained[2]?.rollout).toEqual({ by: 'targetingKey', shares, unit: 'user-1', at })
  })

  it('has no rule where none decides, and one where the targeting key is missing', () => {
    expect(explainFlag({ ...flag, rules: rules.slice(0, 1) }, {})).toMatchObject({
      value: false,
      reason: 'value',
    })
    expect(explainFlag({ ...flag, rules: rules.slice(0, 1) }, {}).decidedBy).toBeUndefined()
    expect(explainFlag(flag, {})).toMatchObject({ reason: 'unknown', decidedBy: 2 })
  })

  it('is the evaluation that clients make, for a thousand contexts', () => {
    const evaluate = createFlagEvaluator(flag)
    for (let n = 0; n < 1000; n += 1) {
      const context = {
        ...(n % 3 !== 0 && { targetingKey: `user-${n}` }),
        ...(n % 5 === 0 && { accountId: n }),
        ...(n % 7 === 0 && { plan: 'pro', country: n % 2 === 0 ? 'DE' : 'FR' }),
      }
      expect(explainFlag(flag, context)).toMatchObject(evaluate(context))
    }
  })
})

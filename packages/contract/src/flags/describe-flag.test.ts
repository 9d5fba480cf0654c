import { describe, expect, it } from 'vitest'
import {
  describeCondition,
  describeFlag,
  describeFlagChange,
  describeRule,
} from './describe-flag.ts'
import type { FlagCondition, FlagRule } from './flag-rules.ts'

const staff: FlagRule = {
  description: 'staff',
  when: [{ attribute: 'email', operator: 'endsWith', value: '@acme.example' }],
  serve: true,
}
const german: FlagRule = {
  when: [{ attribute: 'country', operator: 'equals', value: 'DE' }],
  serve: false,
}
const pro: FlagRule = {
  description: 'a',
  when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }],
  serve: true,
}
const inSegments: FlagRule = {
  when: [
    { operator: 'segment', segment: 'staff' },
    { operator: 'segment', segment: 'beta' },
  ],
  serve: true,
}
const share = (percent: number, by?: string): FlagRule => ({
  when: [],
  serve: { percent, ...(by !== undefined && { by }) },
})

const dealt = (...others: readonly FlagCondition[]): FlagRule => ({
  when: [{ attribute: 'targetingKey', operator: 'share', percent: 10 }, ...others],
  serve: true,
})

describe('the state of a flag in words', () => {
  it.each<[string, boolean | undefined, readonly FlagRule[]]>([
    ['on', true, []],
    ['off', false, []],
    ['not set', undefined, []],
    ['on for 10%', false, [share(10)]],
    ['on for 10%', true, [share(10)]],
    ['on for staff, 10%', false, [staff, share(10)]],
    ['on for staff, off where country is DE, on for 10%', false, [staff, german, share(10)]],
    ['off where country is DE, otherwise on', true, [german]],
    ['off where country is DE, otherwise on', false, [german, share(100)]],
    ['on for 0.5% of staff', false, [{ ...staff, serve: { percent: 0.5 } }]],
    ['off for staff and beta, otherwise on', true, [{ ...inSegments, serve: false }]],
    [
      'on for staff, 10% where country is DE',
      false,
      [staff, { ...german, serve: { percent: 10 } }],
    ],
    ['on for 20% by accountId', false, [share(20, 'accountId')]],
    ['on for 20% by accountId, otherwise on', true, [share(20, 'accountId')]],
    // Later rules are never asked once a rule before them has decided.
    ['on', false, [{ when: [], serve: true }, german]],
    ['off', true, [share(0), staff]],
    // A group that gets what everyone else gets is not worth a word.
    ['off', false, [german]],
    ['on', true, [staff]],
    ['on for 10%', false, [dealt()]],
    [
      'on for 10% where country is DE',
      false,
      [dealt({ attribute: 'country', operator: 'equals', value: 'DE' })],
    ],
    ['on for staff, staff, staff and 1 more', false, [staff, staff, staff, share(5)]],
  ])('is “%s”', (words, value, rules) => {
    expect(describeFlag({ value, rules })).toBe(words)
  })
})

describe('a rule in words', () => {
  it.each<[string, FlagRule]>([
    ['On where email ends with @acme.example', staff],
    ['Off where country is DE', german],
    ['On for 10% of everyone', share(10)],
    ['On for everyone', { when: [], serve: true }],
    ['On for segment staff', { when: [{ operator: 'segment', segment: 'staff' }], serve: true }],
    [
      'On for 5% of segment staff',
      { when: [{ operator: 'segment', segment: 'staff' }], serve: { percent: 5 } },
    ],
    [
      'On for 25% by accountId where country is none of DE, AT and seats is at least 5',
      {
        when: [
          { attribute: 'country', operator: 'in', values: ['DE', 'AT'], not: true },
          { attribute: 'seats', operator: 'greaterOrEqual', value: 5 },
        ],
        serve: { percent: 25, by: 'accountId' },
      },
    ],
  ])('is “%s”', (words, rule) => {
    expect(describeRule(rule)).toBe(words)
  })

  const attribute = 'a'
  it.each<[string, FlagCondition]>([
    ['a is "5"', { attribute, operator: 'equals', value: '5' }],
    ['a is 5', { attribute, operator: 'equals', value: 5 }],
    ['a is not ""', { attribute, operator: 'equals', value: '', not: true }],
    ['a is pro', { attribute, operator: 'in', values: ['pro'] }],
    [
      'a is one of 1, 2, 3, 4, 5 and 1 more',
      { attribute, operator: 'in', values: [1, 2, 3, 4, 5, 6] },
    ],
    ['a does not contain x', { attribute, operator: 'contains', value: 'x', not: true }],
    ['a is not more than 3', { attribute, operator: 'greater', value: 3, not: true }],
    ['a is version 2.1.0 or newer', { attribute, operator: 'semver', value: '>=2.1.0' }],
    [
      'a is older than version 2.0.0-rc.1',
      { attribute, operator: 'semver', value: '< 2.0.0-rc.1' },
    ],
    ['a is not version 1.2.3', { attribute, operator: 'semver', value: '1.2.3', not: true }],
    ['in segment staff', { operator: 'segment', segment: 'staff' }],
    ['not in segment staff', { operator: 'segment', segment: 'staff', not: true }],
    ['a is missing', { attribute, operator: 'exists', not: true }],
    ['a is in the first 10%', { attribute, operator: 'share', percent: 10 }],
    [
      'a is not in the first 0.5% (assigned as in LaunchDarkly)',
      {
        attribute,
        operator: 'share',
        percent: 0.5,
        deal: { as: 'launchdarkly', key: 'x' },
        not: true,
      },
    ],
  ])('has the condition “%s”', (words, condition) => {
    expect(describeCondition(condition)).toBe(words)
  })

  it('admits a condition of a newer server', () => {
    const unknown = JSON.parse('{"attribute":"a","operator":"near","value":1}')
    expect(describeCondition(unknown)).toBe('a is (a condition that this version doesn’t know)')
  })
})

describe('a change of a flag in words', () => {
  it.each<[string, Parameters<typeof describeFlagChange>[0]]>([
    ['off → on', { change: 'changed', before: false, after: true }],
    ['not set → off', { change: 'added', after: false }],
    ['on → not set', { change: 'removed', before: true }],
    [
      'off → on for 10%',
      { change: 'changed', before: false, after: false, rulesAfter: [share(10)] },
    ],
    [
      'on for 10% → on for 20%',
      {
        change: 'changed',
        before: false,
        after: false,
        rulesBefore: [share(10)],
        rulesAfter: [share(20)],
      },
    ],
    [
      'rules changed: staff (on where email ends with @beta.example)',
      {
        change: 'changed',
        before: false,
        after: false,
        rulesBefore: [staff],
        rulesAfter: [
          {
            ...staff,
            when: [{ attribute: 'email', operator: 'endsWith', value: '@beta.example' }],
          },
        ],
      },
    ],
    [
      'rules removed: off where country is DE',
      { change: 'changed', before: false, after: false, rulesBefore: [german], rulesAfter: [] },
    ],
    [
      'rules reordered: a (on where plan is pro), a (on where plan is pro), a (on where plan is pro) and 2 more',
      {
        change: 'changed',
        before: false,
        after: false,
        rulesBefore: [pro, pro, pro, staff, { ...pro, description: 'b' }],
        rulesAfter: [pro, pro, pro, { ...pro, description: 'b' }, staff],
      },
    ],
    [
      'segments staff, beta changed: on for staff and beta',
      {
        change: 'changed',
        before: false,
        after: false,
        rulesBefore: [inSegments],
        rulesAfter: [inSegments],
        segments: ['staff', 'beta'],
      },
    ],
    ['set here, same value', { change: 'added' }],
    ['no longer set here, same value', { change: 'removed' }],
  ])('is “%s”', (words, change) => {
    expect(describeFlagChange(change)).toBe(words)
  })
})

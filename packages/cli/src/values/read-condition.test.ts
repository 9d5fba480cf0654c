import { describeCondition, type FlagCondition } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { readConditions } from './read-condition.ts'

const about = (attribute: string, rest: object) => ({ attribute, ...rest })

describe('a condition that is typed', () => {
  it.each<[string, object]>([
    ['plan is pro', about('plan', { operator: 'equals', value: 'pro' })],
    ['plan=pro', about('plan', { operator: 'equals', value: 'pro' })],
    ['plan != free plan', about('plan', { operator: 'equals', value: 'free plan', not: true })],
    ['beta is true', about('beta', { operator: 'equals', value: true })],
    ['age is 18', about('age', { operator: 'equals', value: 18 })],
    ['age is "18"', about('age', { operator: 'equals', value: '18' })],
    ['age>=18', about('age', { operator: 'greaterOrEqual', value: 18 })],
    ['age not less 1e3', about('age', { operator: 'less', value: 1000, not: true })],
    ['country in DE, "A, T"', about('country', { operator: 'in', values: ['DE', 'A, T'] })],
    ['country not in DE', about('country', { operator: 'in', values: ['DE'], not: true })],
    [
      'email endsWith @acme.example',
      about('email', { operator: 'endsWith', value: '@acme.example' }),
    ],
    ['appVersion semver >=2.1.0', about('appVersion', { operator: 'semver', value: '>=2.1.0' })],
    ['email not exists', about('email', { operator: 'exists', not: true })],
    ['accountId share 12.5%', about('accountId', { operator: 'share', percent: 12.5 })],
    ['segment staff', { operator: 'segment', segment: 'staff' }],
    ['not in segment staff', { operator: 'segment', segment: 'staff', not: true }],
    ['{"attribute": "a b", "operator": "exists"}', about('a b', { operator: 'exists' })],
    ['is is is', about('is', { operator: 'equals', value: 'is' })],
  ])('is read: %s', (text, condition) => {
    expect(readConditions([text])).toEqual([condition])
  })

  it.each<FlagCondition>([
    { attribute: 'plan', operator: 'equals', value: '5' },
    { attribute: 'plan', operator: 'equals', value: 5, not: true },
    { attribute: 'plan', operator: 'in', values: ['a', 'true', 7, false] },
    { attribute: 'plan', operator: 'in', values: ['a', 'b'], not: true },
    { attribute: 'plan', operator: 'startsWith', value: 'a', not: true },
    { attribute: 'plan', operator: 'endsWith', value: ' x' },
    { attribute: 'plan', operator: 'contains', value: 'R and D' },
    { attribute: 'age', operator: 'greater', value: -1.5 },
    { attribute: 'age', operator: 'greaterOrEqual', value: 1, not: true },
    { attribute: 'age', operator: 'less', value: 1 },
    { attribute: 'age', operator: 'lessOrEqual', value: 1, not: true },
    { attribute: 'plan', operator: 'exists' },
    { attribute: 'plan', operator: 'exists', not: true },
    { attribute: 'accountId', operator: 'share', percent: 0.001, not: true },
    { operator: 'segment', segment: 'staff' },
    { operator: 'segment', segment: 'staff', not: true },
  ])('may have the words that it is shown with: %j', (condition) => {
    expect(readConditions([describeCondition(condition)])).toEqual([condition])
  })

  it('may be several with "and" between them, which stays where it belongs to a value', () => {
    const words = ['plan is pro', 'team is R and D', 'country in "a and b is c", d', 'age > 5']
    expect(readConditions([words.join(' and ')])).toEqual(
      words.flatMap((one) => readConditions([one])),
    )
    expect(readConditions(['everyone'])).toEqual([])
    expect(readConditions(['country in "a and b is c", d'])).toEqual([
      about('country', { operator: 'in', values: ['a and b is c', 'd'] }),
    ])
  })

  it.each([
    'plan',
    'plan pro',
    'plan is',
    'is pro',
    'age > many',
    'age share ten',
    'email exists yes',
    'country in',
    '{"attribute":',
    '',
  ])('is refused when it is none: %s', (text) => {
    expect(() => readConditions([text])).toThrow(`--when: "${text}" is no condition.`)
  })
})

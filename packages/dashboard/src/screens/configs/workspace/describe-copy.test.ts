import { expect, it } from 'vitest'
import type { FlagRules } from '../matrix.ts'
import { own } from '../testing/build-matrix.ts'
import { describeContent, describeCopy } from './describe-copy.ts'

type Rule = FlagRules[number]

const quarter: Rule = { when: [], serve: { percent: 25 } }
const off: Rule = { when: [], serve: false, aside: 'on' }
const flag = (value: boolean, ...rules: Rule[]) => ({ ...own(value), rules })

it.each([
  ['a flag with the same rules', flag(true, quarter), flag(true, quarter), 'Same value'],
  ['a flag whose rules alone differ', flag(false), flag(false, quarter), 'Replaces on for 25%'],
  [
    'a flag that is turned off there',
    flag(true),
    flag(false, off),
    'It is turned off there. The copy ends that. Replaces off (on waits)',
  ],
  ['a flag that is turned off here', flag(false, off), flag(true), 'Replaces on'],
  ['a flag that is turned off in both', flag(false, off), flag(false, off), 'Same value'],
] as const)('says of %s what its copy does, its rules included', (_, from, to, words) => {
  expect(describeCopy('featureFlags', from, to)).toBe(words)
})

it('shows of a flag that its rules are copied, and of other keys the value', () => {
  expect(describeContent('featureFlags', flag(true, off))).toBe('off (on waits)')
  expect(describeContent('public', own('a\nb'))).toBe('a⏎b')
  expect(describeContent('public', {})).toBe('No value')
})

it('says whether a copy replaces a value or overrides one that is not set there', () => {
  expect(describeCopy('public', own('a'), own('b'))).toBe('Replaces b')
  const inherited = { source: 'inherited', inheritedFrom: 'env_0', value: 'b' } as const
  expect(describeCopy('public', own('a'), inherited)).toBe('Overrides the inherited value b')
  expect(describeCopy('public', own('b'), inherited)).toBe('Same value (inherited or default)')
  expect(describeCopy('public', own('a'), { source: 'missing' })).toBe('New: no value there yet')
})

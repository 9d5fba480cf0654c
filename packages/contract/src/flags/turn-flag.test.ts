import { describe, expect, it } from 'vitest'
import { describeFlag } from './describe-flag.ts'
import { createFlagEvaluator } from './evaluate-flag.ts'
import type { FlagRule } from './flag-rules.ts'
import { writeOutSegments } from './write-out-segments.ts'
import { findAsideViolation, isTurnedOff, turnOff, turnOn, type OwnFlag } from './turn-flag.ts'

const share: FlagRule = { when: [], serve: { percent: 25 } }
const staff: FlagRule = { when: [{ operator: 'segment', segment: 'staff' }], serve: true }
const everyone: FlagRule = { when: [], serve: true }

const flags: readonly [words: string, own: OwnFlag | undefined, turnedOff: string][] = [
  ['on for 25%', { value: false, rules: [share] }, 'off (on for 25% waits)'],
  ['on', { value: true, rules: [] }, 'off (on waits)'],
  ['off', { value: false, rules: [] }, 'off'],
  ['on for staff', { value: false, rules: [staff] }, 'off (on for staff waits)'],
  ['on', { value: false, rules: [everyone] }, 'off (on waits)'],
  ['on', { value: true, rules: [everyone] }, 'off (on waits)'],
  ['not set', undefined, 'off'],
]

describe('a flag that is turned off', () => {
  it.each(flags)(
    '%s %j: is off for everyone, says what waits, and comes back exactly',
    (words, own, said) => {
      const off = turnOff(own)
      expect(describeFlag(own ?? {})).toBe(words)
      expect(describeFlag(off)).toBe(said)
      // Evaluating the rules gives the same as reading the value.
      const segments = { staff: [{ when: [{ attribute: 'plan', operator: 'exists' as const }] }] }
      const rules = writeOutSegments(off.rules, segments)
      const evaluate = createFlagEvaluator({ schemaId: 's', key: 'k', value: off.value, rules })
      expect(evaluate({ targetingKey: 'a', plan: 'pro' }).value).toBe(false)
      expect(off.value).toBe(false)
      expect(turnOn(off.rules)).toEqual(own)
      expect(turnOff(off)).toEqual(off)
      expect(findAsideViolation(off.rules)).toBeUndefined()
    },
  )
})

describe('rules that do not turn a flag off', () => {
  it.each([
    ['behind another rule', [share, { when: [], serve: false, aside: 'on' }]],
    ['for some', [{ ...staff, serve: false, aside: 'on' }]],
    ['on', [{ ...everyone, aside: 'on' }]],
    ['a share', [{ ...share, aside: 'off' }]],
    ['with rules of a flag that had none', [{ when: [], serve: false, aside: 'none' }, share]],
  ] satisfies [string, readonly FlagRule[]][])('%s: are refused', (_, rules) => {
    expect(findAsideViolation(rules)).toContain('aside')
  })

  it('are no state to come back to, a rule without "aside" for everyone included', () => {
    expect(turnOn([{ when: [], serve: false }, share])).toBeUndefined()
    expect(isTurnedOff([{ when: [], serve: false }, share])).toBe(false)
  })
})

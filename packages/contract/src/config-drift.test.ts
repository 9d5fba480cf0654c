import { describe, expect, it } from 'vitest'
import { findDrift, type ComparedCell } from './config-drift.ts'

const set = (value: string | number | boolean): ComparedCell => ({ source: 'set', value })
const rule = {
  when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }],
  serve: true,
} as const
const reordered = {
  serve: true,
  when: [{ value: 'pro', operator: 'equals', attribute: 'plan' }],
} as const

describe('findDrift', () => {
  it.each([
    ['of no environment', [], false],
    ['of one environment', [set('a')], false],
    ['of equal values', [set('a'), set('a')], false],
    ['of different values', [set('a'), set('a'), set('b')], true],
    ['of a number and its text', [set(1), set('1')], true],
    ['of values from elsewhere', [set(1), { source: 'default', value: 1 }], false],
    ['of inherited values', [set(1), { source: 'inherited', value: 1 }], false],
    ['of a value and none', [set(false), { source: 'missing' }], true],
    ['of values nowhere', [{ source: 'unset' }, { source: 'missing' }], false],
    ['of rules and none', [{ ...set(true), rules: [rule] }, set(true)], true],
    ['of rules and an empty list', [{ ...set(true), rules: [] }, set(true)], false],
    [
      'of equal secrets',
      [
        { source: 'set', mark: 0 },
        { source: 'inherited', mark: 0 },
      ],
      false,
    ],
    [
      'of different secrets',
      [
        { source: 'set', mark: 0 },
        { source: 'set', mark: 1 },
      ],
      true,
    ],
    ['of secrets without marks', [{ source: 'set' }, { source: 'set' }], undefined],
    ['of a secret without a mark and none', [{ source: 'set' }, { source: 'missing' }], true],
  ] satisfies [string, ComparedCell[], boolean | undefined][])('%s', (_name, cells, drift) => {
    expect(findDrift(cells)).toBe(drift)
    expect(findDrift(cells.toReversed())).toBe(drift)
  })

  it('takes members in another order for the same, and rules in another order for others', () => {
    const other = { ...rule, serve: false }
    const cell = (...rules: ComparedCell['rules'] & object) => ({ ...set(true), rules })
    expect(findDrift([cell(rule), cell(reordered)])).toBe(false)
    expect(findDrift([cell(rule, other), cell(other, rule)])).toBe(true)
  })
})

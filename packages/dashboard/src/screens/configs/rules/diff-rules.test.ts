import { describe, expect, it } from 'vitest'
import type { FlagRules } from '../matrix.ts'
import { diffRules } from './diff-rules.ts'

const rule = (value: string, serve: FlagRules[number]['serve'] = true): FlagRules[number] => ({
  when: [{ attribute: 'plan', operator: 'equals', value }],
  serve,
})
const marks = { same: ' ', added: '+', removed: '-' } as const
const diff = (before: FlagRules, after: FlagRules) =>
  diffRules(before, after).map(({ kind, text }) => `${marks[kind]} ${text}`)

describe('the difference of two lists of rules', () => {
  it('shows what is added and removed between what stays', () => {
    expect(diff([rule('a'), rule('b'), rule('c')], [rule('a'), rule('d'), rule('c')])).toEqual([
      '  On where plan is a',
      '- On where plan is b',
      '+ On where plan is d',
      '  On where plan is c',
    ])
  })

  it('shows a rule that moved twice, because the first one decides', () => {
    expect(diff([rule('a'), rule('b')], [rule('b'), rule('a')])).toEqual([
      '- On where plan is a',
      '  On where plan is b',
      '+ On where plan is a',
    ])
  })

  it('begins and ends with nothing', () => {
    expect(diff([], [{ ...rule('a'), description: 'beta' }])).toEqual([
      '+ beta: On where plan is a',
    ])
    expect(diff([rule('a', false)], [])).toEqual(['- Off where plan is a'])
    expect(diff([], [])).toEqual([])
  })
})

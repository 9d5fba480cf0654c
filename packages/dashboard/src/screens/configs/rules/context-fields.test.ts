import type { AttributeCondition } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { parseContext, setAttribute, toFieldText } from './context-fields.ts'

const conditions: readonly AttributeCondition[] = [
  { attribute: 'seats', operator: 'greater', value: 5 },
  { attribute: 'isBeta', operator: 'equals', value: true },
  { attribute: 'plan', operator: 'in', values: ['pro'] },
]

describe('a context to test', () => {
  it('is a JSON object, or empty', () => {
    expect(parseContext(' ')).toEqual({ context: {} })
    expect(parseContext('{"a":1}')).toEqual({ context: { a: 1 } })
    for (const text of ['[]', '1', 'null', '{', '"a"']) {
      expect(parseContext(text)).toEqual({ error: expect.stringContaining('JSON object') })
    }
  })

  it('takes what is typed into a field in the type that conditions compare with', () => {
    expect(setAttribute({}, 'seats', '7', conditions)).toEqual({ seats: 7 })
    expect(setAttribute({}, 'seats', 'many', conditions)).toEqual({ seats: 'many' })
    expect(setAttribute({}, 'isBeta', 'true', conditions)).toEqual({ isBeta: true })
    expect(setAttribute({}, 'plan', '7', conditions)).toEqual({ plan: '7' })
    expect(setAttribute({ plan: 'pro', a: 1 }, 'plan', '', conditions)).toEqual({ a: 1 })
  })

  it('shows each attribute as it is typed', () => {
    const shown = (value: unknown, typed = '') => toFieldText(value, typed, new Set(['number']))
    expect([undefined, 'x', 7, true].map((value) => shown(value))).toEqual(['', 'x', '7', 'true'])
    // While a number is typed, and once another one was pasted.
    expect([shown(2, '2.'), shown(2, '2.0'), shown(3, '2.'), shown(undefined, '2')]).toEqual([
      '2.',
      '2.0',
      '3',
      '',
    ])
  })
})

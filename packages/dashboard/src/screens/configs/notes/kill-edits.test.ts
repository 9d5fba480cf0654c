import { describe, expect, it } from 'vitest'
import type { MatrixCell } from '../matrix.ts'
import { own } from '../testing/build-matrix.ts'
import { isOnForAnyone, toOffEdit, toOnEdit } from './kill-edits.ts'

const share = [{ when: [], serve: { percent: 25 } }]
const inherited: MatrixCell = { source: 'inherited', value: true, rules: share }

describe('a kill switch', () => {
  it.each([
    ['on for 25%', { ...own(false), rules: share }],
    ['on', own(true)],
    ['on, with rules', { ...own(true), rules: share }],
  ] satisfies [string, MatrixCell][])(
    '%s: is off for everyone, and on again exactly',
    (_, cell) => {
      expect(isOnForAnyone(cell)).toBe(true)
      const off = toOffEdit({ cell })
      if (off.kind !== 'set' || off.rules === undefined) throw new Error('It is not set')
      const after: MatrixCell = { ...own(off.value), rules: off.rules }
      expect(isOnForAnyone(after)).toBe(false)
      const { value, rules = [] } = cell
      expect(toOnEdit({ cell: after })).toEqual({ kind: 'set', value, rules })
    },
  )

  it('inherits again where it had nothing of its own', () => {
    const off = toOffEdit({ cell: inherited })
    expect(off).toEqual({
      kind: 'set',
      value: false,
      rules: [{ when: [], serve: false, aside: 'none' }],
    })
    if (off.kind !== 'set' || off.rules === undefined) throw new Error('It is not set')
    expect(toOnEdit({ cell: { ...own(false), rules: off.rules } })).toEqual({ kind: 'unset' })
  })

  it('is not turned on below the environment that turned it off', () => {
    const off = [{ when: [], serve: false, aside: 'on' as const }, ...share]
    expect(toOnEdit({ cell: { source: 'inherited', value: false, rules: off } })).toBeUndefined()
  })

  it('that was never turned off goes on for everyone', () => {
    expect(isOnForAnyone({ ...own(false), rules: [{ when: [], serve: { percent: 0 } }] })).toBe(
      false,
    )
    expect(toOnEdit({ cell: own(false) })).toEqual({ kind: 'set', value: true })
  })
})

import { describe, expect, it } from 'vitest'
import { findLastChange, findSettled } from './last-change.ts'
import { buildKey, buildMatrix, own } from './testing/build-matrix.ts'

const flag = { type: 'boolean', tier: 'featureFlags' } as const
const at = (day: string) => `2026-${day}T00:00:00.000Z`
const now = Date.parse(at('11-22'))
const set = (value: boolean, day: string) => own(value, at(day))
const matrix = buildMatrix([])
const settledOf = (...cells: Parameters<typeof buildKey>[1]) =>
  findSettled(matrix, buildKey('newCheckout', cells, flag), now)

describe('the last change of a key', () => {
  it('is the newest value that an environment sets, and not one that is inherited', () => {
    const inherited = { ...set(true, '09-09'), source: 'inherited' } as const
    const row = buildKey('newCheckout', [set(true, '08-01'), inherited])
    expect(findLastChange(matrix, row)).toMatchObject({ at: at('08-01'), author: { name: 'Mira' } })
  })

  it('is none where nothing is set', () => {
    expect(findLastChange(matrix, buildKey('newCheckout', [{ source: 'missing' }]))).toBeUndefined()
  })
})

describe('a flag', () => {
  it('is settled once it has been the same everywhere for more than thirty days', () => {
    expect(settledOf(set(true, '08-01'), set(true, '09-01'))).toBe(at('09-01'))
  })

  it('is not settled while it differs, was turned lately, has rules, or was never turned', () => {
    expect(settledOf(set(true, '08-01'), set(false, '09-01'))).toBeUndefined()
    expect(settledOf(set(true, '08-01'), set(true, '11-01'))).toBeUndefined()
    const rules = [{ when: [], serve: { percent: 10 } }]
    expect(settledOf({ ...set(true, '08-01'), rules }, set(true, '09-01'))).toBeUndefined()
    const untouched = { source: 'default', value: false } as const
    expect(settledOf(untouched, untouched)).toBeUndefined()
  })
})

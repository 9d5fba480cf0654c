import { describe, expect, it } from 'vitest'
import type { MatrixCell, MatrixKey } from '../matrix.ts'
import { buildKey, buildMatrix, own } from '../testing/build-matrix.ts'
import { needsReview, toPress } from './flag-press.ts'

const rules = [{ when: [], serve: { percent: 10 } }]

/** A flag, on in development and with a cell of its own in production. */
function press(cell: MatrixCell, change: Partial<MatrixKey> = {}, protection = {}) {
  const flag = { tier: 'featureFlags', type: 'boolean', ...change } as const
  const row = buildKey('payments', [own(true), cell], flag)
  const [, environment] = buildMatrix([row]).environments
  if (environment === undefined) throw new Error('There is no production')
  const target = { ...environment, protection: { ...environment.protection, ...protection } }
  return { row, cell, environment: target }
}

describe('a press on a kill switch', () => {
  const killSwitch = { killSwitch: true }

  it('is not held up by production alone, as one on another flag is', () => {
    expect(needsReview(press(own(true)))).toBe(true)
    expect(needsReview(press(own(true), killSwitch))).toBe(false)
  })

  it.each([{ confirm: true }, { comment: true }])('is reviewed where %j is required', (asked) => {
    expect(needsReview(press(own(true), killSwitch, asked))).toBe(true)
  })

  it('takes the rules away when it turns off, and leaves them when it turns on', () => {
    const ruled = press({ ...own(false), rules }, killSwitch)
    expect(toPress(ruled, false)?.edit).toEqual({ kind: 'set', value: false, rules: [] })
    expect(toPress(ruled, true)?.edit).toEqual({ kind: 'set', value: true })
  })

  it('is off for everyone where the rules are inherited, too', () => {
    const inherited = press({ source: 'inherited', value: false, rules }, killSwitch)
    expect(needsReview(inherited)).toBe(false)
    expect(toPress(inherited, false)?.edit).toMatchObject({ value: false, rules: [] })
  })
})

describe('a press on another flag', () => {
  it('keeps the rules', () => {
    expect(toPress(press({ ...own(true), rules }), false)?.edit).toEqual({
      kind: 'set',
      value: false,
    })
  })
})

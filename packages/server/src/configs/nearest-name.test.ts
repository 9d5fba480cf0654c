import { describe, expect, it } from 'vitest'
import { nearestName } from './nearest-name.ts'

describe('nearestName', () => {
  const known = ['stripeKey', 'stripeUrl', 'timeoutMs']

  it('finds the name that was meant, whatever its case', () => {
    expect(nearestName('stripKey', known)).toBe('stripeKey')
    expect(nearestName('STRIPEKEY', known)).toBe('stripeKey')
    expect(nearestName('timoutMs', known)).toBe('timeoutMs')
  })

  it('stays silent when nothing is near', () => {
    expect(nearestName('databaseUrl', known)).toBeUndefined()
    expect(nearestName('x', known)).toBeUndefined()
    expect(nearestName('', known)).toBeUndefined()
  })
})

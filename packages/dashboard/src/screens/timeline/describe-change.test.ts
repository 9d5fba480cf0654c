import { describe, expect, it } from 'vitest'
import { describeKeyChange } from './describe-change.ts'

const flag = { key: 'newCheckout', tier: 'featureFlags', change: 'changed' } as const
const open = { key: 'apiUrl', tier: 'public', change: 'changed' } as const

describe('describeKeyChange', () => {
  it('says the old and the new value of a flag and of a public key', () => {
    expect(describeKeyChange({ ...flag, before: false, after: true })).toEqual({
      before: 'off',
      after: 'on',
    })
    expect(describeKeyChange({ ...open, before: 20, after: '' })).toEqual({
      before: '20',
      after: 'empty',
    })
    expect(describeKeyChange({ ...flag, change: 'added', after: false })).toEqual({
      before: 'not set',
      after: 'off',
    })
  })

  it('says no value of a secret, whatever the answer holds', () => {
    const secret = { ...open, tier: 'secret', before: 'old', after: 'new' } as const
    expect(JSON.stringify(describeKeyChange(secret))).not.toMatch(/old|new/)
  })

  it('says that the rules of a flag changed', () => {
    const rule = { serve: true }
    const changed = { ...flag, before: false, after: false, rulesAfter: [rule] }
    // @ts-expect-error -- a rule has more, which no word depends on
    expect(describeKeyChange(changed).note).toBe('targeting rules: 0 → 1')
  })

  it('explains a key that is set to the value that it had', () => {
    expect(describeKeyChange({ ...flag, change: 'added' }).note).toContain('by default')
  })
})

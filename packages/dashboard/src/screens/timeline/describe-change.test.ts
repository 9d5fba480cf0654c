import { describe, expect, it } from 'vitest'
import { describeKeys } from './describe-change.ts'

const version = { schemaId: 'sch_1', schema: 'web', version: 4 } as const
const changed = (key: string) => ({ key, tier: 'public', change: 'changed' }) as const

describe('describeKeys', () => {
  it('says of a flag what it is now, and of all else what was done to it', () => {
    const flag = { ...changed('newCheckout'), tier: 'featureFlags', before: false, after: true }
    const changes = [{ ...flag, tier: 'featureFlags' } as const, changed('apiUrl')]
    expect(describeKeys({ configuration: { ...version, total: 2, changes } })).toBe(
      'newCheckout on, apiUrl changed',
    )
  })

  it('names three keys and counts the rest, of which the answer may not have all', () => {
    const changes = ['a', 'b', 'c', 'd'].map(changed)
    expect(describeKeys({ configuration: { ...version, total: 30, changes } })).toBe(
      'a changed, b changed, c changed and 27 more',
    )
  })

  it('says nothing of what is no version', () => {
    expect(describeKeys({ configuration: null })).toBe('')
  })
})

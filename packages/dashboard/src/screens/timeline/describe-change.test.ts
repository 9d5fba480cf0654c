import { describe, expect, it } from 'vitest'
import { describeKeyChange, describeRequest } from './describe-change.ts'

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

  it('says of a flag with rules who had it and who has it', () => {
    const share = (percent: number) => [{ when: [], serve: { percent } }]
    const changed = { ...flag, before: false, after: false }
    expect(describeKeyChange({ ...changed, rulesAfter: share(10) })).toEqual({
      before: 'off',
      after: 'on for 10%',
    })
    const pro = { attribute: 'plan', operator: 'equals', value: 'pro' } as const
    const named = { description: 'pro', serve: true }
    const rulesBefore = [{ ...named, when: [pro] }]
    const rulesAfter = [{ ...named, when: [{ ...pro, value: 'team' }] }]
    expect(describeKeyChange({ ...changed, rulesBefore, rulesAfter })).toEqual({
      note: 'rules changed: pro (on where plan is team)',
    })
  })

  it('says of a flag whose segment changed who has it, and leaves the segment to its own line', () => {
    const rules = [{ when: [{ operator: 'segment', segment: 'staff' } as const], serve: true }]
    const same = { before: false, after: false, rulesBefore: rules, rulesAfter: rules }
    expect(describeKeyChange({ ...flag, ...same, segments: ['staff'] })).toEqual({
      note: 'on for staff',
    })
  })

  it('explains a key that is set to the value that it had', () => {
    expect(describeKeyChange({ ...flag, change: 'added' }).note).toContain('same as the default')
    const sources = { sourceBefore: { source: 'default' }, sourceAfter: { source: 'set' } } as const
    const same = { before: false, after: false, ...sources }
    expect(describeKeyChange({ ...flag, ...same })).toEqual({ note: 'default off → set to off' })
    expect(describeKeyChange({ ...open, ...same, before: 20, after: 20 })).toEqual({
      note: 'default 20 → set to 20',
    })
  })
})

describe('describeRequest', () => {
  const request = {
    id: 'chr_1',
    number: 12,
    title: 'Raise the limit',
    state: 'applied',
    environmentIds: ['env_1'],
    versions: 1,
    approvedBy: ['Ben'],
    overridden: false,
  } satisfies Parameters<typeof describeRequest>[0]

  it('says of a change that was applied who approved it, or that nobody had to', () => {
    expect(describeRequest(request)).toBe('request 12, approved by Ben')
    expect(describeRequest({ ...request, approvedBy: ['Ben', 'Cy'], versions: 3 })).toBe(
      'request 12, approved by Ben, Cy, 3 versions',
    )
    expect(describeRequest({ ...request, overridden: true })).toBe(
      'request 12, without its approvals',
    )
    expect(describeRequest({ ...request, approvedBy: [] })).toBe('request 12')
  })

  it('says of any other what became of it', () => {
    const of = { ...request, versions: 0 }
    expect(describeRequest({ ...of, state: 'open', approvedBy: [] })).toBe('request 12, requested')
    expect(describeRequest({ ...of, state: 'approved' })).toBe(
      'request 12, not applied yet, approved by Ben',
    )
    expect(describeRequest({ ...of, state: 'declined', approvedBy: [] })).toBe(
      'request 12, declined',
    )
  })
})

import { unprotected } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import type { Protection } from '../../config-model/confirmation.ts'
import { isWeaker, needsFewerPeople } from './environment-rules.ts'

const policy: Protection = {
  confirm: true,
  comment: true,
  approvals: 2,
  approvers: { roles: ['developer', 'admin'] },
  declineBlocks: true,
  override: 'owner',
  killSwitches: 'approved',
  prove: null,
}
const named: Partial<Protection> = { approvers: { members: ['usr_ada', 'usr_ben'] } }

/** Two protections, of which the second is weaker: the other way round it is none. */
const weaker: readonly [what: string, before: Partial<Protection>, after: Partial<Protection>][] = [
  ['fewer approvals', {}, { approvals: 1 }],
  ['no approvals', {}, { approvals: 0 }],
  ['another role', {}, { approvers: { roles: ['developer', 'admin', 'owner'] } }],
  ['another person', named, { approvers: { members: ['usr_ada', 'usr_ben', 'usr_eve'] } }],
  ['a decline that is only shown', {}, { declineBlocks: false }],
  ['an override by admins', {}, { override: 'admin' }],
  ['an override by anybody', { override: 'nobody' }, { override: 'owner' }],
  ['kill switches at once', {}, { killSwitches: 'free' }],
]

describe('a protection is weaker', () => {
  it.each(weaker)('with %s, and not the other way round', (_what, before, after) => {
    const [from, to] = [
      { ...policy, ...before },
      { ...policy, ...before, ...after },
    ]
    expect([isWeaker(from, to), isWeaker(to, from)]).toEqual([true, false])
    expect([needsFewerPeople(from, to), needsFewerPeople(to, from)]).toEqual([true, false])
  })

  it('without its confirmation or its comment, whatever people approve', () => {
    for (const off of [{ confirm: false }, { comment: false }]) {
      expect(isWeaker(policy, { ...policy, ...off, approvals: 3 })).toBe(true)
      expect(needsFewerPeople(policy, { ...policy, ...off })).toBe(false)
    }
  })

  it('with other people than before, in either way', () => {
    const [roles, members] = [policy, { ...policy, ...named }]
    expect([isWeaker(roles, members), isWeaker(members, roles)]).toEqual([true, true])
    const other: Protection = { ...policy, approvers: { roles: ['owner'] } }
    expect([isWeaker(policy, other), isWeaker(other, policy)]).toEqual([true, true])
  })

  it('in none of that while nobody has to approve, and not by the same', () => {
    for (const [, , after] of weaker) {
      expect(isWeaker(unprotected, { ...unprotected, ...after, approvals: 0 })).toBe(false)
    }
    expect(isWeaker(policy, { ...policy })).toBe(false)
  })
})

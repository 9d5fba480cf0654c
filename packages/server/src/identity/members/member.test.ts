import { roles } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { mayGrant, mayManage } from './member.ts'

describe('who changes members', () => {
  it('an owner everybody, an admin everybody but owners, and nobody else anybody', () => {
    const managed = roles.map((acting) => roles.filter((role) => mayManage(acting, role)))
    expect(managed).toEqual([[...roles], ['admin', 'developer', 'viewer'], [], []])
  })

  it('nobody gives a role above the own one, so nobody raises himself', () => {
    for (const [rank, acting] of roles.entries()) {
      const higher = roles.slice(0, rank)
      expect(higher.filter((role) => mayGrant(acting, role))).toEqual([])
    }
  })
})

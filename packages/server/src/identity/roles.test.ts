import { roles, type Role } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { mayDo } from './roles.ts'

describe('mayDo', () => {
  it('lets each role do what the roles after it may, and nothing that only one before it may', () => {
    const allowed = roles.map((role) => roles.filter((needed) => mayDo(role, needed)))
    expect(allowed).toEqual([
      ['owner', 'admin', 'developer', 'viewer'],
      ['admin', 'developer', 'viewer'],
      ['developer', 'viewer'],
      ['viewer'],
    ])
  })

  it('lets whoever has no role do nothing, and nobody what needs a role that is unknown', () => {
    for (const needed of roles) {
      expect(mayDo(null, needed)).toBe(false)
      expect(mayDo(undefined, needed)).toBe(false)
    }
    const unknown = 'constructor' as Role
    expect(mayDo(unknown, 'viewer')).toBe(false)
    expect(mayDo('owner', unknown)).toBe(false)
  })
})

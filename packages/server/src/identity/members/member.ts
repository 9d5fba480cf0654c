import { Problem, type Role } from '@signalbox/contract'
import type { Maker } from '../../audit/audit-event.ts'
import { mayDo } from '../roles.ts'

/** Describes a member with their role. */
export interface Member {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly joinedAt: Date
  /** Names who gave them their role. `null`: not known. */
  readonly grantedBy: Maker | null
  /** `null`: not lately, or hidden from the caller. */
  readonly lastSeenAt: Date | null
}

/** Returns whether a member with `acting` may give `role`: only owners make owners. */
export function mayGrant(acting: Role, role: Role): boolean {
  return mayDo(acting, role === 'owner' ? 'owner' : 'admin')
}

/** Returns whether a member with `acting` may change or remove one with `role`: only owners do that to owners. */
export function mayManage(acting: Role, role: Role): boolean {
  return mayGrant(acting, role)
}

/** Returns the problem of a change that only owners may make. */
export function ownersOnly(): Problem {
  return new Problem('role_forbidden', 'Only an owner can add, change or remove owners.')
}

/** Returns the problem of a change that leaves no owner. */
export function lastOwner(): Problem {
  const detail = 'This member is the only owner. Make another member an owner first.'
  return new Problem('last_owner', detail)
}

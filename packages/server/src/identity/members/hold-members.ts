import { Problem, type Role } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { lockOrganization } from '../organizations/rows.ts'
import { mayDo } from '../roles.ts'
import { findMemberRole } from './rows.ts'

/**
 * Locks the members of an organization and their roles until the transaction ends, and returns the role of `actor`. The role
 * is read again here: two owners who demote each other at the same moment were both owners when they were authorized.
 *
 * @throws {Problem} `not_found` when the organization is deleted or the actor is no member any more.
 */
export async function holdMembers(tx: Tx, orgId: string, actor: Caller['actor']): Promise<Role> {
  if (!(await lockOrganization(tx, orgId))) throw notFound()
  if (actor.type === 'bootstrap') return 'owner'
  const role = await findMemberRole(tx, orgId, actor.userId)
  if (role === undefined) throw notFound()
  return role
}

/** Requires the role of an admin.
 * @throws {Problem} `role_forbidden` for less than an admin. */
export function requireAdmin(role: Role): void {
  if (mayDo(role, 'admin')) return
  throw new Problem('role_forbidden', 'This needs the admin role. Ask an owner or admin.')
}

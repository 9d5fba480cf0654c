import { roles, type Role } from '@signalbox/contract'

/** Returns whether a member with `role` may do what needs at least `needed`. Without a role nothing is allowed. */
export function mayDo(role: Role | null | undefined, needed: Role): boolean {
  const has = roles.findIndex((known) => known === role)
  const needs = roles.indexOf(needed)
  return has !== -1 && needs !== -1 && has <= needs
}

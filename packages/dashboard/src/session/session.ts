import { useRead } from '../api/use-api.ts'
import type { AnswerOf } from '../api/routes.ts'

type Me = AnswerOf<'GET /me'>
/** Describes an organization that a person reaches. */
export type Membership = Me['organizations'][number]
/** Names a role of a member. */
export type Role = NonNullable<Membership['role']>

/** Returns who is signed in, and the organizations that they reach. */
export function useMe() {
  return useRead('GET /me')
}

/** Holds the roles as people read them. */
export const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  developer: 'Developer',
  admin: 'Admin',
  owner: 'Owner',
}

const rank: readonly Role[] = ['viewer', 'developer', 'admin', 'owner']

/** Returns whether `role` includes what `needed` may do. What it decides is only shown; the server decides what is done. */
export function includesRole(role: Role | null, needed: Role): boolean {
  return role !== null && rank.indexOf(role) >= rank.indexOf(needed)
}

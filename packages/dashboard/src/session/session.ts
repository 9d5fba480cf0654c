import { useRead } from '../api/use-api.ts'
import type { AnswerOf } from '../api/routes.ts'

type Me = AnswerOf<'GET /me'>
/** Describes an organization of a person. */
export type Membership = Me['organizations'][number]
/** Names a role of a member. */
export type Role = NonNullable<Membership['role']>

/** Returns the signed-in person, and their organizations. */
export function useMe() {
  return useRead('GET /me')
}

/** Returns the days after which this server deletes deployments; `undefined`: never, or not known yet. */
export function useKeptDays(): number | undefined {
  return useMe().data?.deploymentsKeptDays ?? undefined
}

/** Maps each role to its name for people. */
export const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  developer: 'Developer',
  admin: 'Admin',
  owner: 'Owner',
}

const rank: readonly Role[] = ['viewer', 'developer', 'admin', 'owner']

/**
 * Returns whether `role` includes the permissions of `needed`. It decides only what is shown; the server decides what
 * is allowed.
 */
export function includesRole(role: Role | null, needed: Role): boolean {
  return role !== null && rank.indexOf(role) >= rank.indexOf(needed)
}

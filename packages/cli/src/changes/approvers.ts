import { roles, type Role } from '@signalbox/contract'
import type { Environment } from '../api/operations.ts'
import { CliError } from '../terminal/cli-error.ts'

export type Approvers = Environment['protection']['approvers']

/** Returns whether a name of a list of approvers is a role. Every other one names a member. */
export function isRole(name: string): name is Role {
  return roles.some((role) => role === name)
}

/** Returns approvers as one list: roles, or ids of members. */
export function listApprovers(approvers: Approvers): readonly string[] {
  return 'roles' in approvers ? approvers.roles : approvers.members
}

/** Says that a list names roles and members. */
export const mixedApprovers = 'Name roles or members, not both.'

/**
 * Returns the approvers that a list names: roles, or members, of which `findId` returns the ids.
 *
 * @throws {CliError} `usage` for roles and members in one list
 */
export async function toApprovers(
  names: readonly string[],
  findId: (name: string) => Promise<string> | string,
): Promise<Approvers> {
  const named = names.filter(isRole)
  if (named.length === names.length) return { roles: named }
  if (named.length > 0) throw new CliError('usage', 'usage', `--approvers: ${mixedApprovers}`)
  return { members: await Promise.all(names.map(async (name) => findId(name))) }
}

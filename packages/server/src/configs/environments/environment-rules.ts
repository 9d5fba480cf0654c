import { isWeakerProof, may, Problem, roles } from '@signalbox/contract'
import { overrideRoles } from '@signalbox/contract/rest'
import { notFound } from '../../http/answers/problem-response.ts'
import { wildcardId, type Caller } from '../../config-model/caller.ts'
import type { Protection } from '../../config-model/confirmation.ts'
import type { EnvironmentRow } from './environment-rows.ts'
import { findParentViolation, type EnvironmentTree } from '../../config-model/environment-tree.ts'

/** Throws {Problem} `already_exists` when another environment has the name, in any case of its letters. */
export function requireFreeName(
  environments: readonly EnvironmentRow[],
  { id, name }: Pick<EnvironmentRow, 'id' | 'name'>,
): void {
  const twin = environments.find((other) => other.name.toLowerCase() === name.toLowerCase())
  if (twin === undefined || twin.id === id) return
  const detail = `The environment ${twin.name} already exists. Choose another name.`
  throw new Problem('already_exists', detail, {
    errors: [{ pointer: '/name', code: 'already_exists', detail }],
  })
}

/**
 * Throws {Problem} `not_found` for a parent that does not exist, `conflict` for one that would close a circle or make
 * the chain too long.
 */
export function refuseParent(
  tree: EnvironmentTree,
  { id, parentId }: Pick<EnvironmentRow, 'id' | 'parentId'>,
): void {
  if (parentId === null) return
  if (!tree.has(parentId)) throw notFound()
  const alone = { id, name: '', parentId: null, inheritedSecrets: null, isArchived: false }
  const withoutParent = new Map(tree).set(id, alone)
  const violation = findParentViolation(withoutParent, id, parentId)
  if (violation === undefined) return
  throw new Problem('conflict', violation, {
    errors: [{ pointer: '/parentId', code: 'conflict', detail: violation }],
  })
}

/** Throws {Problem} `conflict` for a parent that is a preview: it ends, and what inherits from it would end with it. */
export function refusePreviewAsParent(
  environments: readonly EnvironmentRow[],
  parentId: string | null,
): void {
  const parent = environments.find(({ id }) => id === parentId)
  if (parent === undefined || parent.source === null) return
  const detail = `${parent.name} is a preview, which ends with its pull request. Choose another parent.`
  throw new Problem('conflict', detail, {
    errors: [{ pointer: '/parentId', code: 'conflict', detail }],
  })
}

/** Throws {Problem} `conflict` for a change of a preview that its rule decides about. */
export function refusePreviewChange(existing: EnvironmentRow, fields: readonly string[]): void {
  if (existing.source === null || fields.every((field) => field === 'description')) return
  const detail = `${existing.name} is a preview: its rule says what it is called, inherits and requires. Only its description is changed here.`
  throw new Problem('conflict', detail)
}

/** Describes what a request changes of a protection; what it leaves out stays as it is. */
export type ProtectionChange = {
  readonly [Field in keyof Protection]?: Protection[Field] | undefined
}

/** Returns the protection after a change. */
export function applyProtection(before: Protection, change: ProtectionChange = {}): Protection {
  return {
    confirm: change.confirm ?? before.confirm,
    comment: change.comment ?? before.comment,
    approvals: change.approvals ?? before.approvals,
    approvers: change.approvers === undefined ? before.approvers : inOrder(change.approvers),
    declineBlocks: change.declineBlocks ?? before.declineBlocks,
    override: change.override ?? before.override,
    killSwitches: change.killSwitches ?? before.killSwitches,
    prove: change.prove === undefined ? before.prove : change.prove,
  }
}

type Approvers = Protection['approvers']

/** Returns the same approvers, each once and in one order, so that another order is no change. */
function inOrder(approvers: Approvers): Approvers {
  return 'roles' in approvers
    ? { roles: roles.filter((role) => approvers.roles.includes(role)).toReversed() }
    : { members: [...new Set(approvers.members)].toSorted() }
}

/** Returns whether an environment requires less than before. */
export function isWeaker(before: Protection, after: Protection): boolean {
  return (
    (before.confirm && !after.confirm) ||
    (before.comment && !after.comment) ||
    isWeakerProof(before.prove, after.prove) ||
    needsFewerPeople(before, after)
  )
}

/**
 * Returns whether changes of an environment get through with fewer people, or past more of them, than before. Roles and named
 * members are no subset of each other: who has a role changes.
 */
export function needsFewerPeople(before: Protection, after: Protection): boolean {
  if (before.approvals === 0) return false
  return (
    after.approvals < before.approvals ||
    !isSubset(after.approvers, before.approvers) ||
    (before.declineBlocks && !after.declineBlocks) ||
    overrideRoles.indexOf(after.override) < overrideRoles.indexOf(before.override) ||
    (before.killSwitches === 'approved' && after.killSwitches === 'free') ||
    isWeakerProof(before.prove, after.prove)
  )
}

function isSubset(approvers: Approvers, of: Approvers): boolean {
  if ('roles' in approvers) {
    return 'roles' in of && approvers.roles.every((role) => of.roles.includes(role))
  }
  return 'members' in of && approvers.members.every((member) => of.members.includes(member))
}

/**
 * Throws {Problem} `role_forbidden`, or `key_kind_forbidden` for an API key, when the caller may not change the
 * protection of environments.
 */
export function requireProtector({ permissions, author }: Caller, environmentId: string): void {
  if (author.type === 'api_key') {
    const detail =
      'An API key cannot change the protection of an environment. Use a personal access token of an admin or owner.'
    throw new Problem('key_kind_forbidden', detail)
  }
  if (may(permissions, 'deleteConfig', { environmentId, schemaId: wildcardId })) return
  const detail = 'Only admins and owners can change the protection of an environment.'
  throw new Problem('role_forbidden', detail)
}

import { may, Problem } from '@signalbox/contract'
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
  const withoutParent = new Map(tree).set(id, { id, name: '', parentId: null })
  const violation = findParentViolation(withoutParent, id, parentId)
  if (violation === undefined) return
  throw new Problem('conflict', violation, {
    errors: [{ pointer: '/parentId', code: 'conflict', detail: violation }],
  })
}

/** Describes what a request changes of a protection; what it leaves out stays as it is. */
export type ProtectionChange = { readonly [Field in keyof Protection]?: boolean | undefined }

/** Returns the protection after a change. */
export function applyProtection(
  { confirm, comment }: Protection,
  change: ProtectionChange = {},
): Protection {
  return { confirm: change.confirm ?? confirm, comment: change.comment ?? comment }
}

/** Returns whether an environment requires less than before. */
export function isWeaker(before: Protection, after: Protection): boolean {
  return (before.confirm && !after.confirm) || (before.comment && !after.comment)
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

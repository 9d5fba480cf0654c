import { Problem } from '@signalbox/contract'
import { notFound } from '../http/problem-response.ts'
import type { EnvironmentRow } from './environment-rows.ts'
import { findParentFault, type EnvironmentTree } from './environment-tree.ts'

/** @throws {Problem} `already_exists` when another environment has the name, in whatever case of its letters. */
export function requireFreeName(
  environments: readonly EnvironmentRow[],
  { id, name }: Pick<EnvironmentRow, 'id' | 'name'>,
): void {
  const twin = environments.find((other) => other.name.toLowerCase() === name.toLowerCase())
  if (twin === undefined || twin.id === id) return
  const detail = `There is an environment ${twin.name} already. Choose another name.`
  throw new Problem('already_exists', detail, {
    errors: [{ pointer: '/name', code: 'already_exists', detail }],
  })
}

/**
 * @throws {Problem} `not_found` for a parent that does not exist, `conflict` for one that would close a circle or
 * make the chain too long.
 */
export function refuseParent(
  tree: EnvironmentTree,
  { id, parentId }: Pick<EnvironmentRow, 'id' | 'parentId'>,
): void {
  if (parentId === null) return
  if (!tree.has(parentId)) throw notFound()
  const withoutParent = new Map(tree).set(id, { id, name: '', parentId: null })
  const fault = findParentFault(withoutParent, id, parentId)
  if (fault === undefined) return
  throw new Problem('conflict', fault, {
    errors: [{ pointer: '/parentId', code: 'conflict', detail: fault }],
  })
}

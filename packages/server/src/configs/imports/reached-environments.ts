import { chainOf, descendantsOf } from '../../config-model/environment-tree.ts'
import { isOwnKey } from '../../config-model/current-values.ts'
import type { ImportEdit } from './import-plan.ts'
import type { ImportContext } from './plan-import.ts'

/** Returns the ids of the environments that edits are of, and of those that inherit an edited value. */
export function listReached(
  { tree, currentValues }: Pick<ImportContext, 'tree' | 'currentValues'>,
  edits: readonly ImportEdit[],
): ReadonlySet<string> {
  const keysByEnvironment = new Map<string, Set<string>>()
  for (const { environmentId, key } of edits) {
    const keys = keysByEnvironment.get(environmentId) ?? new Set()
    keysByEnvironment.set(environmentId, keys.add(key))
  }
  const reached = new Set(keysByEnvironment.keys())
  const sets = (id: string, key: string) =>
    keysByEnvironment.get(id)?.has(key) === true || isOwnKey(currentValues.get(id), key)
  for (const [environmentId, keys] of keysByEnvironment) {
    for (const { id } of descendantsOf(tree, environmentId)) {
      if (reached.has(id)) continue
      const ids = chainOf(tree, id).map((node) => node.id)
      const between = ids.slice(0, ids.indexOf(environmentId))
      if ([...keys].some((key) => !between.some((each) => sets(each, key)))) reached.add(id)
    }
  }
  return reached
}

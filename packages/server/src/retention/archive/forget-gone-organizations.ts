import type { Store } from '../../store/store.ts'
import { deleteArchived, findNextArchived } from './archive-rows.ts'
import { deleteAll, deletedAtOnce } from './delete-all.ts'

/**
 * Deletes the archive of organizations that are deleted for good, whichever release deleted them: no row of the archive refers to
 * its organization. Safe to repeat and to interrupt.
 *
 * @returns whether everything was looked at.
 */
export async function forgetGoneOrganizations({
  store,
  isOver,
}: {
  readonly store: Pick<Store, 'maintenance'>
  readonly isOver: () => boolean
}): Promise<boolean> {
  const next = (after: string) => store.maintenance((tx) => findNextArchived(tx, after))
  let found = await next('')
  while (found !== undefined) {
    const { orgId, isGone } = found
    const isDone =
      !isGone || (await deleteAll(store, isOver, (tx) => deleteArchived(tx, orgId, deletedAtOnce)))
    if (!isDone) return false
    found = await next(orgId)
  }
  return true
}

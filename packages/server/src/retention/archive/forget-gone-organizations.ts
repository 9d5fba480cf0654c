import { listGoneOrganizations } from '../../identity/organizations/rows.ts'
import type { Store, Tx } from '../../store/store.ts'
import { deleteArchived, listArchivedOrganizations } from './archive-rows.ts'
import { deleteAll, deletedAtOnce } from './delete-all.ts'

/**
 * Deletes the archive of organizations that are deleted for good, whichever release deleted them: no row of the archive refers to
 * its organization. Safe to repeat and to interrupt.
 *
 * @returns whether everything was deleted.
 */
export async function forgetGoneOrganizations({
  store,
  isOver,
}: {
  readonly store: Pick<Store, 'maintenance'>
  readonly isOver: () => boolean
}): Promise<boolean> {
  const gone = await store.maintenance(async (tx) =>
    listGoneOrganizations(tx, await listArchivedOrganizations(tx)),
  )
  for (const orgId of gone) {
    const deleteSome = (tx: Tx) => deleteArchived(tx, orgId, deletedAtOnce)
    if (!(await deleteAll(store, isOver, deleteSome))) return false
  }
  return true
}

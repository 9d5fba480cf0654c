import { systemAuthor } from '../../audit/audit-event.ts'
import { recordMaintenanceEvent } from '../../audit/record-event.ts'
import type { Store, Tx } from '../../store/store.ts'
import { destroyOrganizationRow, listOrganizationsDeletedBefore } from './rows.ts'

/** Keeps a deleted organization for this time before it is destroyed. */
const tombstoneMs = 7 * 24 * 3600 * 1000

/**
 * Destroys what was deleted seven days ago: the rows, and the data key, without which the secrets in older backups
 * stay sealed for good. The audit chain remains. Repeat-safe; returns how many were destroyed. One that fails keeps no other
 * from being destroyed; its error is thrown at the end.
 */
export async function destroyOrganizations({
  store,
  now,
  deleteSnapshots,
}: {
  readonly store: Pick<Store, 'maintenance'>
  readonly now: () => Date
  /** Deletes what was published of an organization: no row of it refers to the organization. */
  readonly deleteSnapshots: (tx: Tx, orgId: string) => Promise<void>
}): Promise<number> {
  const deletedBefore = new Date(now().getTime() - tombstoneMs)
  const due = await store.maintenance((tx) => listOrganizationsDeletedBefore(tx, deletedBefore))
  let destroyed = 0
  const failures: unknown[] = []
  for (const orgId of due) {
    try {
      await store.maintenance(async (tx) => {
        if (!(await destroyOrganizationRow(tx, orgId, deletedBefore))) return
        await deleteSnapshots(tx, orgId)
        recordMaintenanceEvent(tx, {
          orgId,
          actor: systemAuthor,
          action: 'org.destroyed',
          target: { type: 'organization', id: orgId, name: null },
        })
        destroyed += 1
      })
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return destroyed
}

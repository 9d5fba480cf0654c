import type { Tx } from '../../store/store.ts'

/** Returns whether an organization was deleted, of which the data lies unreachable for some days. */
export async function isOrganizationDeleted(tx: Tx, orgId: string): Promise<boolean> {
  const rows = await tx.query<{ id: string }>({
    name: 'is-organization-deleted',
    text: 'select id from organizations where id = $1 and deleted_at is null',
    values: [orgId],
  })
  return rows.length === 0
}

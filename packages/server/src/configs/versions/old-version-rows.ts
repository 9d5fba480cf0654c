import { limits } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'

/** Finds the first organization after another one that has configuration. */
export async function findNextOrganizationOfConfigs(
  tx: Pick<Tx, 'query'>,
  after: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly orgId: string }>({
    name: 'find-next-organization-of-configs',
    text: 'select org_id as "orgId" from config_heads where org_id > $1 order by org_id limit 1',
    values: [after],
  })
  return row?.orgId
}

/** Locks versions that are older than those that are kept of their schema and environment. One in use is left out. */
export async function lockVersionsBeyondLimit(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'lock-versions-beyond-limit',
    text: `select v.id from config_heads h join config_versions v using (org_id, schema_id, environment_id)
      where h.org_id = $1 and v.version <= h.version - ${limits.versionsKept}
        and h.lost_version <= h.version - ${limits.versionsKept}
      limit $2 for update of v skip locked`,
    values: [orgId, limit],
  })
  return rows.map(({ id }) => id)
}

export async function deleteVersionRows(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'delete-old-versions',
    text: 'delete from config_versions where org_id = $1 and id = any ($2)',
    values: [orgId, ids],
  })
}

import type { Archiver } from './archive/archiver.ts'
import {
  deleteVersionRows,
  findNextOrganizationOfConfigs,
  lockVersionsBeyondLimit,
} from '../configs/versions/old-version-rows.ts'
import type { Tx } from '../store/store.ts'
import type { Forgetting } from './forget-deployments.ts'

/**
 * Moves the versions to the archive that are beyond those that are kept of each schema and environment, of every organization. Only
 * for servers that archive: otherwise each write deletes them. Safe to repeat and to interrupt.
 *
 * @returns whether everything was looked at.
 */
export async function forgetVersions({
  store,
  archiver,
  batch,
  isOver,
}: Forgetting): Promise<boolean> {
  const next = (after: string) =>
    store.maintenance((tx) => findNextOrganizationOfConfigs(tx, after))
  let orgId = await next('')
  while (orgId !== undefined) {
    const own = orgId
    for (;;) {
      if (isOver()) return false
      const limit = batch.deployments
      const moved = await archiver.run((tx) => moveVersions(tx, own, { archiver, limit }))
      if (moved < limit) break
    }
    orgId = await next(own)
  }
  return true
}

async function moveVersions(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  { archiver, limit }: { readonly archiver: Archiver; readonly limit: number },
): Promise<number> {
  const ids = await lockVersionsBeyondLimit(tx, orgId, limit)
  if (ids.length === 0) return 0
  await archiver.addVersions(tx, orgId, ids)
  await deleteVersionRows(tx, orgId, ids)
  return ids.length
}

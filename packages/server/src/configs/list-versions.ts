import { notFound } from '../http/problem-response.ts'
import { requireReach, type Caller } from './caller.ts'
import type { ConfigDeps } from './config-deps.ts'
import { pageVersionRows, type VersionRow } from './version-rows.ts'

export interface ListVersions {
  readonly schemaId: string
  readonly environmentId: string
  /** Only versions before this number. */
  readonly below: number | undefined
  readonly limit: number
}

/**
 * Versions of a schema in an environment, newest first, one more than `limit` when there are more.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`
 */
export async function listVersions(
  { store }: ConfigDeps,
  caller: Caller,
  { schemaId, environmentId, below, limit }: ListVersions,
): Promise<VersionRow[]> {
  requireReach(caller, { schemaId, environmentId })
  const of = { orgId: caller.orgId, schemaId, environmentId }
  return store.transaction(caller.scope, async (tx) => {
    const rows = await pageVersionRows(tx, of, { below, limit: limit + 1 })
    if (rows.length > 0) return rows
    // Every pair has the version it began with. After a cursor the versions may have been forgotten since.
    const newest = await pageVersionRows(tx, of, { below: undefined, limit: 1 })
    if (newest.length === 0) throw notFound()
    return rows
  })
}

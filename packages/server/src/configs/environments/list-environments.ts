import { notFound } from '../../http/answers/problem-response.ts'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { findEnvironmentRow, pageEnvironmentRows, type EnvironmentRow } from './environment-rows.ts'

/**
 * Lists environments after an id, oldest first, one more than `limit` when there are more. A restricted key sees its
 * own.
 */
export async function listEnvironments(
  { store }: ConfigDeps,
  caller: Caller,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<EnvironmentRow[]> {
  return store.transaction(caller.scope, (tx) =>
    pageEnvironmentRows(tx, caller.orgId, {
      after: after ?? '',
      limit: limit + 1,
      ids: caller.environmentIds,
    }),
  )
}

/** Returns the environment with this id or name; throws {Problem} `not_found`, `key_scope_forbidden`. */
export async function getEnvironment(
  { store }: ConfigDeps,
  caller: Caller,
  ref: string,
): Promise<EnvironmentRow> {
  const row = await store.transaction(caller.scope, (tx) =>
    findEnvironmentRow(tx, caller.orgId, ref),
  )
  requireReach(caller, 'readValues', { environmentId: row?.id ?? ref })
  if (row === undefined) throw notFound()
  return row
}

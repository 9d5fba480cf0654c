import { notFound } from '../../http/answers/problem-response.ts'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { findSchemaRow } from '../schemas/schema-rows.ts'
import {
  pageVersionRows,
  pageVersionRowsByTime,
  type VersionPosition,
  type VersionRow,
} from './version-rows.ts'

/** Describes which versions of a schema in an environment are listed. */
interface ListVersions {
  readonly schemaId: string
  readonly environmentId: string
  /** Only versions that changed this key, with its values. */
  readonly key: string | undefined
  /** Only versions before this number. */
  readonly below: number | undefined
  readonly limit: number
}

/**
 * Lists versions of a schema in an environment, newest first, one more than `limit` when there are more.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`
 */
export async function listVersions(
  { store }: ConfigDeps,
  caller: Caller,
  { schemaId, environmentId, key, below, limit }: ListVersions,
): Promise<VersionRow[]> {
  requireReach(caller, 'readValues', { schemaId, environmentId })
  const of = { orgId: caller.orgId, schemaId, environmentId }
  return store.transaction(caller.scope, async (tx) => {
    const rows = await pageVersionRows(tx, { ...of, key }, { below, limit: limit + 1 })
    if (rows.length > 0) return rows
    // Every pair of schema and environment has a first version. Behind a cursor the versions may have been deleted
    // since.
    const newest = await pageVersionRows(tx, of, { below: undefined, limit: 1 })
    if (newest.length === 0) throw notFound()
    return rows
  })
}

/** Describes which versions of a schema are listed over several environments. */
interface ListAllVersions extends Pick<ListVersions, 'schemaId' | 'key' | 'limit'> {
  readonly before: VersionPosition | undefined
}

/**
 * Lists versions of a schema in every environment that the caller reaches, newest first, one more than `limit` when
 * there are more.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`
 */
export async function listAllVersions(
  { store }: ConfigDeps,
  caller: Caller,
  { schemaId, key, before, limit }: ListAllVersions,
): Promise<VersionRow[]> {
  requireReach(caller, 'readValues', { schemaId })
  const { orgId, environmentIds } = caller
  return store.transaction(caller.scope, async (tx) => {
    const of = { orgId, schemaId, environmentIds, key }
    const rows = await pageVersionRowsByTime(tx, of, { before, limit: limit + 1 })
    if (rows.length > 0 || (await findSchemaRow(tx, orgId, schemaId)) !== undefined) return rows
    throw notFound()
  })
}

import type { Caller } from '../../config-model/caller.ts'
import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import { listSchemaRows } from '../../configs/schemas/schema-rows.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { pageNameRows } from './name-rows.ts'
import type { TargetDeps } from './target-deps.ts'
import { pageTargetRows } from './target-rows.ts'
import type { LedgerName, ShownTarget } from './target.ts'

interface ListPage {
  readonly after: string
  readonly limit: number
}

/** Lists a page of targets with the names of what they are about, oldest first. */
export async function listTargets(
  { store }: Pick<TargetDeps, 'store'>,
  { orgId, scope }: Caller,
  page: ListPage & { readonly id?: string },
): Promise<ShownTarget[]> {
  return store.transaction(scope, (tx) => readPage(tx, orgId, page))
}

async function readPage(
  tx: Tx,
  orgId: string,
  page: ListPage & { readonly id?: string },
): Promise<ShownTarget[]> {
  const rows = await pageTargetRows(tx, orgId, page)
  const names = await readNames(tx, orgId)
  return rows.map((row) => ({
    ...row,
    schema: names.schemas.get(row.schemaId) ?? null,
    environment: names.environments.get(row.environmentId) ?? null,
  }))
}

/** Returns a target. @throws {Problem} `not_found` */
export async function getTarget(
  { store }: Pick<TargetDeps, 'store'>,
  { orgId, scope }: Caller,
  id: string,
): Promise<ShownTarget> {
  return store.transaction(scope, (tx) => readTarget(tx, orgId, id))
}

/** Reads a target in the caller's transaction. @throws {Problem} `not_found` */
export async function readTarget(tx: Tx, orgId: string, id: string): Promise<ShownTarget> {
  const [target] = await readPage(tx, orgId, { after: '', limit: 1, id })
  if (target === undefined) throw notFound()
  return target
}

/** Lists a page of the names that a target wrote. @throws {Problem} `not_found` */
export async function listNames(
  { store }: Pick<TargetDeps, 'store'>,
  { orgId, scope }: Caller,
  { id, ...page }: ListPage & { readonly id: string },
): Promise<LedgerName[]> {
  return store.transaction(scope, async (tx) => {
    const [target] = await pageTargetRows(tx, orgId, { after: '', limit: 1, id })
    if (target === undefined) throw notFound()
    return pageNameRows(tx, orgId, { targetId: id, ...page })
  })
}

async function readNames(tx: Tx, orgId: string) {
  return {
    schemas: byId(await listSchemaRows(tx, orgId)),
    environments: byId(await listEnvironmentRows(tx, orgId)),
  }
}

function byId(rows: readonly { readonly id: string; readonly name: string }[]) {
  return new Map(rows.map(({ id, name }) => [id, name] as const))
}

import type { WorkflowDeclaration } from '../providers/codehost.ts'
import type { Tx } from '../store/store.ts'

/** A workflow whose file is to be read. */
export interface UndeclaredWorkflow {
  readonly repositoryId: string
  readonly repositoryExternalId: string
  readonly externalId: string
  readonly path: string
}

/** What the file of a workflow says; `undefined`: it cannot be read, or not be understood. */
export interface Declared extends Pick<UndeclaredWorkflow, 'repositoryId' | 'externalId'> {
  readonly declaration: WorkflowDeclaration | undefined
}

/** The active workflows of some repositories, those whose file was read longest ago first. */
export async function listUndeclared(
  tx: Tx,
  orgId: string,
  { repositoryIds, limit }: { readonly repositoryIds: readonly string[]; readonly limit: number },
): Promise<UndeclaredWorkflow[]> {
  return tx.query({
    name: 'list-undeclared-workflows',
    text: `select w.repository_id as "repositoryId", r.external_id as "repositoryExternalId",
        w.external_id as "externalId", w.path
      from workflows w join repositories r on r.org_id = w.org_id and r.id = w.repository_id
      where w.org_id = $1 and w.repository_id = any ($2) and w.state = 'active' and r.external_id is not null
      order by w.declared_at nulls first, w.repository_id, w.external_id limit $3`,
    values: [orgId, repositoryIds, limit],
  })
}

/** Writes what files say. Where one cannot be read, what an attempt has shown still stands. */
export async function putDeclarations(
  tx: Tx,
  orgId: string,
  declared: readonly Declared[],
  declaredAt: Date,
): Promise<void> {
  await tx.query({
    name: 'put-workflow-declarations',
    text: `update workflows w set inputs = now.inputs, dispatchable = coalesce(now.dispatchable, w.dispatchable),
        declared_at = $6
      from unnest($2::text[], $3::text[], $4::boolean[], $5::json[])
        as now (repository_id, external_id, dispatchable, inputs)
      where w.org_id = $1 and w.repository_id = now.repository_id and w.external_id = now.external_id`,
    values: [
      orgId,
      declared.map(({ repositoryId }) => repositoryId),
      declared.map(({ externalId }) => externalId),
      declared.map(({ declaration }) => declaration?.isDispatchable ?? null),
      declared.map(({ declaration }) => (declaration ? JSON.stringify(declaration.inputs) : null)),
      declaredAt,
    ],
  })
}

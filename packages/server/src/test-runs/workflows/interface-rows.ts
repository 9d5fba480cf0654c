import type { WorkflowInterface } from '../../providers/codehosts/workflow.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a workflow whose interface is to be read. */
export interface ReadableWorkflow {
  readonly repositoryId: string
  readonly externalId: string
  readonly path: string
}

/** Describes how a workflow is started; `undefined` where that cannot be read or understood. */
export interface InterfaceRow extends Pick<ReadableWorkflow, 'repositoryId' | 'externalId'> {
  readonly interface: WorkflowInterface | undefined
}

/** Lists the active workflows of some repositories; first those whose interface was read longest ago. */
export async function listReadableWorkflows(
  tx: Tx,
  orgId: string,
  { repositoryIds, limit }: { readonly repositoryIds: readonly string[]; readonly limit: number },
): Promise<ReadableWorkflow[]> {
  return tx.query({
    name: 'list-undeclared-workflows',
    text: `select repository_id as "repositoryId", external_id as "externalId", path from workflows
      where org_id = $1 and repository_id = any ($2) and state = 'active'
      order by declared_at nulls first, repository_id, external_id limit $3`,
    values: [orgId, repositoryIds, limit],
  })
}

/** Stores the inputs of workflows. One that could not be read keeps what an attempt to start it has shown. */
export async function saveInterfaces(
  tx: Tx,
  orgId: string,
  rows: readonly InterfaceRow[],
  readAt: Date,
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
      rows.map(({ repositoryId }) => repositoryId),
      rows.map(({ externalId }) => externalId),
      rows.map((row) => row.interface?.isStartable ?? null),
      rows.map((row) => (row.interface ? JSON.stringify(row.interface.inputs) : null)),
      readAt,
    ],
  })
}

import type { CodehostWorkflow, WorkflowInput } from '../../providers/codehosts/workflow.ts'
import type { Tx } from '../../store/store.ts'

/** Example: `e2e.yml` names the workflow whose path ends with `/e2e.yml`. */
const isCalled = `(w.external_id = $2 or right(w.path, length($2) + 1) = '/' || $2)`

/** Returns when the workflows of repositories were read last, by the ids of those that were. */
export async function mapReadTimes(
  tx: Tx,
  orgId: string,
  repositoryIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await tx.query<{ readonly repositoryId: string; readonly readAt: Date }>({
    name: 'map-workflow-read-times',
    text: `select repository_id as "repositoryId", max(fetched_at) as "readAt" from workflows
      where org_id = $1 and repository_id = any ($2) group by repository_id`,
    values: [orgId, repositoryIds],
  })
  return new Map(rows.map(({ repositoryId, readAt }) => [repositoryId, readAt]))
}

/** Lists the ids of the repositories that are known to have a workflow of this id or name. */
export async function listRepositoriesWith(
  tx: Tx,
  orgId: string,
  workflowId: string,
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'list-repositories-with-workflow',
    text: `select distinct w.repository_id as id from workflows w where w.org_id = $1 and ${isCalled}`,
    values: [orgId, workflowId],
  })
  return rows.map(({ id }) => id)
}

/** Describes a workflow as it was read last. */
export interface WorkflowRow {
  readonly externalId: string
  readonly repositoryId: string
  readonly name: string
  readonly path: string
  readonly state: string
  /** As its interface says, or as an attempt to start it has shown; `null`: neither is known. */
  readonly dispatchable: boolean | null
  /** `null`: its interface could not be read. */
  readonly inputs: readonly WorkflowInput[] | null
}

/** Lists the workflows of repositories as they were read last, in the order of the repositories. */
export async function listWorkflowRows(
  tx: Tx,
  orgId: string,
  repositoryIds: readonly string[],
): Promise<WorkflowRow[]> {
  return tx.query({
    name: 'list-workflows',
    text: `select external_id as "externalId", repository_id as "repositoryId", name, path, state, dispatchable, inputs
      from workflows where org_id = $1 and repository_id = any ($2)
      order by array_position($2, repository_id), lower(name), external_id`,
    values: [orgId, repositoryIds],
  })
}

/** Replaces the workflows of repositories by those that were read. */
export async function replaceWorkflows(
  tx: Tx,
  orgId: string,
  read: readonly { readonly id: string; readonly workflows: readonly CodehostWorkflow[] }[],
  fetchedAt: Date,
): Promise<void> {
  const rows = read.flatMap(({ id, workflows }) =>
    workflows.map((workflow) => ({ repositoryId: id, ...workflow })),
  )
  const column = (name: 'repositoryId' | 'externalId' | 'name' | 'path' | 'state') =>
    rows.map((row) => row[name])
  const keys = [column('repositoryId'), column('externalId')]
  await tx.query({
    name: 'forget-workflows',
    text: `delete from workflows w where w.org_id = $1 and w.repository_id = any ($2)
      and not exists (select from unnest($3::text[], $4::text[]) as now (repository_id, external_id)
        where now.repository_id = w.repository_id and now.external_id = w.external_id)`,
    values: [orgId, read.map(({ id }) => id), ...keys],
  })
  await tx.query({
    name: 'put-workflows',
    text: `insert into workflows (org_id, repository_id, external_id, name, path, state, fetched_at)
      select $1, now.repository_id, now.external_id, now.name, now.path, now.state, $7
      from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
        as now (repository_id, external_id, name, path, state)
      order by now.repository_id, now.external_id
      on conflict (org_id, repository_id, external_id) do update
        set name = excluded.name, path = excluded.path, state = excluded.state, fetched_at = excluded.fetched_at`,
    values: [orgId, ...keys, column('name'), column('path'), column('state'), fetchedAt],
  })
}

/** Records whether a workflow can be started, as an attempt has shown, if the workflow is known. */
export async function noteStartable(
  tx: Tx,
  orgId: string,
  of: { readonly workflowId: string; readonly repositoryId: string },
  dispatchable: boolean,
): Promise<void> {
  await tx.query({
    name: 'note-workflow-dispatchable',
    text: `update workflows w set dispatchable = $4
      where w.org_id = $1 and ${isCalled} and w.repository_id = $3 and w.dispatchable is distinct from $4`,
    values: [orgId, of.workflowId, of.repositoryId, dispatchable],
  })
}

/** Returns the name of a workflow as it was read last; `undefined` as long as it was not. */
export async function findWorkflowName(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string; readonly workflowId: string },
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly name: string }>({
    name: 'find-workflow-name',
    text: `select w.name from workflows w where w.org_id = $1 and ${isCalled} and w.repository_id = $3
      order by w.external_id limit 1`,
    values: [orgId, of.workflowId, of.repositoryId],
  })
  return row?.name
}

/** Returns whether the workflow that has an id or name is certainly one of the chosen, each of which has an id or name as well. */
export async function isCalledAlso(
  tx: Tx,
  orgId: string,
  of: {
    readonly repositoryId: string
    readonly workflowId: string
    readonly chosen: readonly string[]
  },
): Promise<boolean> {
  const [row] = await tx.query<{ readonly isChosen: boolean }>({
    name: 'is-workflow-chosen',
    // Two files of one name in different folders are two workflows: both have to be chosen.
    text: `select coalesce(bool_and(exists (select from unnest($4::text[]) as c (name)
        where w.external_id = c.name or right(w.path, length(c.name) + 1) = '/' || c.name)), false) as "isChosen"
      from workflows w where w.org_id = $1 and ${isCalled} and w.repository_id = $3`,
    values: [orgId, of.workflowId, of.repositoryId, of.chosen],
  })
  return row?.isChosen ?? false
}

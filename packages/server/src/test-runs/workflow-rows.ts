import type { CodehostWorkflow, WorkflowInput } from '../providers/codehost.ts'
import type { Tx } from '../store/store.ts'

/** A repository whose workflows may be started. */
export interface WorkflowRepository {
  readonly id: string
  readonly externalId: string
}

const usable = 'r.external_id is not null and r.tracked and r.removed_at is null'

/** The tracked repositories, or the one of a number, each with when its workflows were read last. */
export async function listWorkflowRepositories(
  tx: Tx,
  orgId: string,
  externalId: string | undefined,
): Promise<(WorkflowRepository & { readonly fetchedAt: Date | null })[]> {
  return tx.query({
    name: 'list-workflow-repositories',
    text: `select r.id, r.external_id as "externalId",
        (select max(w.fetched_at) from workflows w where w.org_id = r.org_id and w.repository_id = r.id) as "fetchedAt"
      from repositories r
      where r.org_id = $1 and ${usable} and ($2::text is null or r.external_id = $2)
      order by r.id`,
    values: [orgId, externalId ?? null],
  })
}

/** The tracked repositories that are known to have a workflow of this number or file name: two are one too many. */
export async function listRepositoriesWith(
  tx: Tx,
  orgId: string,
  workflowId: string,
): Promise<WorkflowRepository[]> {
  return tx.query({
    name: 'list-repositories-with-workflow',
    text: `select distinct r.id, r.external_id as "externalId"
      from workflows w join repositories r on r.org_id = w.org_id and r.id = w.repository_id
      where w.org_id = $1 and ${usable} and ${isCalled}
      order by r.id limit 2`,
    values: [orgId, workflowId],
  })
}

/** Example: `e2e.yml` is `.github/workflows/e2e.yml`. */
const isCalled = `(w.external_id = $2 or right(w.path, length($2) + 1) = '/' || $2)`

export interface WorkflowRow {
  readonly externalId: string
  readonly repositoryExternalId: string
  readonly name: string
  readonly path: string
  readonly state: string
  /** What its file says, or an attempt to start it by hand has shown; `null`: neither is known. */
  readonly dispatchable: boolean | null
  /** `null`: its file could not be read. */
  readonly inputs: readonly WorkflowInput[] | null
}

/** The workflows of tracked repositories as they were read last. */
export async function listWorkflowRows(
  tx: Tx,
  orgId: string,
  repositoryExternalId: string | undefined,
): Promise<WorkflowRow[]> {
  return tx.query({
    name: 'list-workflows',
    text: `select w.external_id as "externalId", r.external_id as "repositoryExternalId", w.name, w.path, w.state, w.dispatchable,
        w.inputs
      from workflows w join repositories r on r.org_id = w.org_id and r.id = w.repository_id
      where w.org_id = $1 and ${usable} and ($2::text is null or r.external_id = $2)
      order by lower(r.full_name), lower(w.name), w.external_id`,
    values: [orgId, repositoryExternalId ?? null],
  })
}

/** Writes what the workflows of some repositories are, and forgets those that they have no more. */
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

/** Notes what an attempt to start a workflow has shown, where the workflow is known. */
export async function noteDispatchable(
  tx: Tx,
  orgId: string,
  of: { readonly workflowId: string; readonly repositoryExternalId: string },
  dispatchable: boolean,
): Promise<void> {
  await tx.query({
    name: 'note-workflow-dispatchable',
    text: `update workflows w set dispatchable = $4 from repositories r
      where w.org_id = $1 and ${isCalled} and r.org_id = w.org_id and r.id = w.repository_id and r.external_id = $3
        and w.dispatchable is distinct from $4`,
    values: [orgId, of.workflowId, of.repositoryExternalId, dispatchable],
  })
}

/** What people call a workflow of a repository, as it was read last; `undefined` as long as it was not. */
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

import { mapExternalIds } from '../../deployments/codehost/tracked-repository-rows.ts'
import type { Tx } from '../../store/store.ts'
import type { DispatchRunState, WorkflowDispatch } from './dispatch.ts'

/** Describes a dispatch as its row has it. */
type DispatchRow = Omit<WorkflowDispatch, 'repositoryExternalId'>

const columns = `id, repository_id as "repositoryId", workflow_id as "workflowId", ref, state, reason,
  external_id as "externalId", url, run_state as "runState", run_finished_at as "runFinishedAt", requested_by as "requestedBy", requested_at as "requestedAt"`

/** Adds the code host's ids of the repositories, where it knows them. */
async function withExternalIds(
  tx: Tx,
  orgId: string,
  rows: readonly DispatchRow[],
): Promise<WorkflowDispatch[]> {
  const ids = rows.map(({ repositoryId }) => repositoryId)
  const externalIds = await mapExternalIds(tx, orgId, ids)
  return rows.map((row) => {
    return { ...row, repositoryExternalId: externalIds.get(row.repositoryId) ?? null }
  })
}

export async function insertDispatch(
  tx: Tx,
  orgId: string,
  dispatch: Omit<DispatchRow, 'runState' | 'runFinishedAt'>,
): Promise<void> {
  await tx.query({
    name: 'insert-workflow-dispatch',
    text: `insert into workflow_dispatches
        (org_id, id, repository_id, workflow_id, ref, state, reason, external_id, url, requested_by, requested_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      orgId,
      dispatch.id,
      dispatch.repositoryId,
      dispatch.workflowId,
      dispatch.ref,
      dispatch.state,
      dispatch.reason,
      dispatch.externalId,
      dispatch.url,
      JSON.stringify(dispatch.requestedBy),
      dispatch.requestedAt,
    ],
  })
}

/** Deletes the dispatches that were requested before a moment. */
export async function deleteOldDispatches(tx: Tx, orgId: string, before: Date): Promise<void> {
  await tx.query({
    name: 'delete-old-workflow-dispatches',
    text: 'delete from workflow_dispatches where org_id = $1 and requested_at < $2',
    values: [orgId, before],
  })
}

/** Finds a dispatch by its id. */
export async function findDispatch(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<WorkflowDispatch | undefined> {
  const rows = await tx.query<DispatchRow>({
    name: 'find-workflow-dispatch',
    text: `select ${columns} from workflow_dispatches where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return (await withExternalIds(tx, orgId, rows))[0]
}

/** Describes where the next page of dispatches begins. */
export interface DispatchPosition {
  readonly requestedAt: Date
  readonly id: string
}

/** Lists dispatches after a position, newest first. */
export async function pageDispatches(
  tx: Tx,
  orgId: string,
  { after, limit }: { readonly after: DispatchPosition | undefined; readonly limit: number },
): Promise<WorkflowDispatch[]> {
  const rows = await tx.query<DispatchRow>({
    name: 'page-workflow-dispatches',
    text: `select ${columns} from workflow_dispatches
      where org_id = $1 and ($2::timestamptz is null or (requested_at, id) < ($2, $3))
      order by requested_at desc, id desc limit $4`,
    values: [orgId, after?.requestedAt ?? null, after?.id ?? null, limit],
  })
  return withExternalIds(tx, orgId, rows)
}

/** Records the outcome of a dispatch; returns whether it was open. One whose run is known, or that was refused, stays. */
export async function settleDispatch(
  tx: Tx,
  orgId: string,
  id: string,
  settled: Pick<WorkflowDispatch, 'state' | 'reason' | 'externalId' | 'url'>,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'settle-workflow-dispatch',
    text: `update workflow_dispatches w set state = $3, reason = $4, external_id = $5, url = $6
      where org_id = $1 and id = $2 and state in ('requested', 'ambiguous')
        and not exists (select from workflow_dispatches other where other.org_id = w.org_id
          and other.repository_id = w.repository_id and other.external_id = $5)
      returning id`,
    values: [orgId, id, settled.state, settled.reason, settled.externalId, settled.url],
  })
  return rows.length === 1
}

/**
 * Records how the run of a dispatch stands; returns the id of the dispatch when that is news. After its end only an attempt is that
 * began later, and a run that is under way is not queued again.
 */
export async function followDispatch(
  tx: Tx,
  orgId: string,
  of: {
    readonly repositoryId: string
    readonly externalId: string
    readonly state: DispatchRunState
    readonly finishedAt: Date | null
    /** When the attempt began; `null` for the first one. */
    readonly againAt: Date | null
  },
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'follow-workflow-dispatch',
    text: `update workflow_dispatches set run_state = $4, run_finished_at = $5
      where org_id = $1 and repository_id = $2 and external_id = $3
        and ((run_finished_at is null and run_state is distinct from $4 and not ($4 = 'queued' and run_state is not null))
          or (run_state is not null and run_finished_at < $6::timestamptz))
      returning id`,
    values: [orgId, of.repositoryId, of.externalId, of.state, of.finishedAt, of.againAt],
  })
  return row?.id
}

/** Records that the code host no longer has the run of a dispatch, so that its end stays unknown. */
export async function forgetDispatchRun(
  tx: Tx,
  orgId: string,
  id: string,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'forget-workflow-dispatch-run',
    text: `update workflow_dispatches set state = 'ambiguous', reason = 'run_not_found', run_state = null, run_finished_at = $3
      where org_id = $1 and id = $2 and run_finished_at is null`,
    values: [orgId, id, now],
  })
}

/** Lists those of the code host's runs that are known to be of something that we started. */
export async function listKnownRuns(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string; readonly externalIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ readonly externalId: string }>({
    name: 'list-known-runs',
    text: `select external_id as "externalId" from test_runs
        where org_id = $1 and coalesce(repository_id, '') = $2 and external_id = any ($3)
      union select external_id from workflow_dispatches
        where org_id = $1 and repository_id = $2 and external_id = any ($3)`,
    values: [orgId, of.repositoryId, of.externalIds],
  })
  return rows.map(({ externalId }) => externalId)
}

/** Returns whether another start in a repository, from one moment to another, has no known run: the two cannot be told apart. */
export async function isOtherStartOpen(
  tx: Tx,
  orgId: string,
  of: {
    readonly repositoryId: string
    readonly id: string
    readonly from: Date
    readonly to: Date
  },
): Promise<boolean> {
  const rows = await tx.query({
    name: 'is-other-start-open',
    text: `select 1 as found from workflow_dispatches
        where org_id = $1 and repository_id = $2 and id <> $3 and state in ('requested', 'ambiguous')
          and requested_at between $4 and $5
      union all select 1 from test_runs
        where org_id = $1 and repository_id = $2 and external_id is null and state in ('dispatching', 'unknown')
          and dispatched_at between $4 and $5
      limit 1`,
    values: [orgId, of.repositoryId, of.id, of.from, of.to],
  })
  return rows.length > 0
}

import type { Tx } from '../store/store.ts'
import type { WorkflowDispatch } from './dispatch.ts'

const selected = `select w.id, w.repository_id as "repositoryId", r.external_id as "repositoryExternalId",
    w.workflow_id as "workflowId", w.ref, w.state, w.reason, w.external_id as "externalId", w.url,
    w.requested_by as "requestedBy", w.requested_at as "requestedAt"
  from workflow_dispatches w join repositories r on r.org_id = w.org_id and r.id = w.repository_id`

export async function insertDispatch(
  tx: Tx,
  orgId: string,
  dispatch: Omit<WorkflowDispatch, 'repositoryExternalId'>,
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

/** Forgets what was asked for before a moment. */
export async function deleteOldDispatches(tx: Tx, orgId: string, before: Date): Promise<void> {
  await tx.query({
    name: 'delete-old-workflow-dispatches',
    text: 'delete from workflow_dispatches where org_id = $1 and requested_at < $2',
    values: [orgId, before],
  })
}

export async function findDispatch(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<WorkflowDispatch | undefined> {
  const [found] = await tx.query<WorkflowDispatch>({
    name: 'find-workflow-dispatch',
    text: `${selected} where w.org_id = $1 and w.id = $2`,
    values: [orgId, id],
  })
  return found
}

export interface DispatchPosition {
  readonly requestedAt: Date
  readonly id: string
}

/** Dispatches after a position, newest first. */
export async function pageDispatches(
  tx: Tx,
  orgId: string,
  { after, limit }: { readonly after: DispatchPosition | undefined; readonly limit: number },
): Promise<WorkflowDispatch[]> {
  return tx.query({
    name: 'page-workflow-dispatches',
    text: `${selected}
      where w.org_id = $1 and ($2::timestamptz is null or (w.requested_at, w.id) < ($2, $3))
      order by w.requested_at desc, w.id desc limit $4`,
    values: [orgId, after?.requestedAt ?? null, after?.id ?? null, limit],
  })
}

/** What became of a dispatch. One whose run is known, or that was refused, stays as it is. */
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

/** Which of the code host's runs are known to be of something that we started. */
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

/** Whether another start in a repository, from one moment to another, has no known run either: theirs cannot be told apart. */
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

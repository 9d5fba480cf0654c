import type { CodehostPerson } from '../../providers/codehosts/repository.ts'
import type { DeployingRun, ReportedState } from '../../providers/codehosts/deployment.ts'
import type { SchemaVersion } from '../../configs/versions/versions-at-rows.ts'
import type { Tx } from '../../store/store.ts'
import type { DeployedRef } from './ref-kind.ts'

/** Names who reported a deployment first. */
export type DeploymentSource = 'webhook' | 'sync' | 'api'

/** Describes a deployment without its statuses. It stays the same in every report, or is added to. */
export interface DeploymentFacts extends DeployedRef {
  readonly externalId: string
  readonly sha: string
  readonly branch: string | null
  readonly task: string
  readonly hostEnvironment: string
  readonly description: string | null
  readonly creator: CodehostPerson | null
  readonly commitMessage: string | null
  /** The code host's id of the workflow whose run made it, where that is known. */
  readonly workflowId: string | null
  readonly run: DeployingRun | null
  readonly source: DeploymentSource
  /** True when it was found long after it happened: no message reports it. */
  readonly isHistory: boolean
  readonly createdAt: Date
}

/** Describes a stored deployment that is to be changed. */
export interface RecordedDeployment {
  readonly id: string
  readonly sha: string
  readonly hostEnvironment: string
  readonly environmentId: string | null
  readonly task: string
  readonly repositoryId: string
  readonly externalId: string
  readonly state: string
  readonly succeededAt: Date | null
  readonly positionAt: Date
  readonly branch: string | null
  readonly previousSuccessfulId: string | null
}

const recordedColumns = `d.id, d.sha, d.host_environment as "hostEnvironment", d.environment_id as "environmentId",
  d.task, d.repository_id as "repositoryId", d.external_id as "externalId", d.state, d.succeeded_at as "succeededAt", d.position_at as "positionAt", d.branch,
  d.previous_successful_id as "previousSuccessfulId"`

/** Describes the newest status of one of the jobs of a deployment. */
export interface NewestStatus {
  readonly reportedState: string
  /** In digits: it outgrows the integers of JavaScript. `0`: no status yet. */
  readonly stateSeq: string
}

/** Finds the deployment of an external id, which may be that of any of its jobs, and the newest status of that. */
export async function findRecordedDeployment(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string; readonly externalId: string },
): Promise<(RecordedDeployment & NewestStatus) | undefined> {
  const [row] = await tx.query<RecordedDeployment & NewestStatus>({
    name: 'find-recorded-deployment',
    text: `select ${recordedColumns}, coalesce(newest.state, 'pending') as "reportedState",
        coalesce(newest.external_id, 0)::text as "stateSeq"
      from (select id, '' as job from deployments where org_id = $1 and repository_id = $2 and external_id = $3
        union all select deployment_id, external_id from deployment_jobs
          where org_id = $1 and repository_id = $2 and external_id = $3) of
      join deployments d on d.org_id = $1 and d.id = of.id
      left join lateral (select s.state, s.external_id from deployment_statuses s
        where s.org_id = $1 and s.deployment_id = d.id and s.job = of.job order by s.external_id desc limit 1) newest on true`,
    values: [orgId, of.repositoryId, of.externalId],
  })
  return row
}

export async function findRecordedDeploymentById(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<RecordedDeployment | undefined> {
  const [row] = await tx.query<RecordedDeployment>({
    name: 'find-recorded-deployment-by-id',
    text: `select ${recordedColumns} from deployments d where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Inserts a deployment of which no status was reported yet. */
export async function insertDeployment(
  tx: Tx,
  orgId: string,
  of: DeploymentFacts & { readonly id: string; readonly repositoryId: string },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'insert-deployment',
    text: `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, branch, task,
        host_environment, state, description, creator, commit_message, source, is_history, created_at, recorded_at, workflow_id, run_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending', $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    values: [
      orgId,
      of.id,
      of.repositoryId,
      of.externalId,
      of.sha,
      of.ref,
      of.refKind,
      of.branch,
      of.task,
      of.hostEnvironment,
      of.description,
      of.creator === null ? null : JSON.stringify(of.creator),
      of.commitMessage,
      of.source,
      of.isHistory,
      of.createdAt,
      now,
      of.workflowId,
      of.run?.id ?? null,
    ],
  })
}

/** Adds what an earlier report did not know; returns whether there was anything. */
export async function completeDeployment(
  tx: Tx,
  orgId: string,
  id: string,
  {
    branch,
    commitMessage,
    workflowId,
    run,
  }: Pick<DeploymentFacts, 'branch' | 'commitMessage' | 'workflowId' | 'run'>,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'complete-deployment',
    text: `update deployments set branch = coalesce(branch, $3), commit_message = coalesce(commit_message, $4),
        workflow_id = coalesce(workflow_id, $5), run_id = coalesce(run_id, $6)
      where org_id = $1 and id = $2
        and ((branch is null and $3::text is not null) or (commit_message is null and $4::text is not null)
          or (workflow_id is null and $5::text is not null) or (run_id is null and $6::text is not null))
      returning id`,
    values: [orgId, id, branch, commitMessage, workflowId, run?.id ?? null],
  })
  return rows.length > 0
}

/**
 * Sets a deployment's times, links and environment from all its statuses, so that the order in which they came leaves no trace.
 * A success counts for as long as nothing but `inactive` is reported after it, and where each of its jobs has succeeded.
 */
export async function settleDeployment(
  tx: Tx,
  orgId: string,
  id: string,
  reported: { readonly state: ReportedState; readonly isHistory: boolean },
): Promise<RecordedDeployment | undefined> {
  const [row] = await tx.query<RecordedDeployment>({
    name: 'settle-deployment',
    text: `with s as (select * from deployment_statuses where org_id = $1 and deployment_id = $2),
      later as (select job, coalesce(max(external_id) filter (where state not in ('success', 'inactive')), -1) as not_success,
        coalesce(max(external_id) filter (where state not in ('success', 'failure', 'error', 'inactive')), -1) as not_end,
        bool_and(state = 'inactive') as is_idle, min(at) filter (where state = 'in_progress') as started from s group by job),
      ended as (select later.is_idle, later.started,
        (select at from s where s.job = later.job and state = 'success' and external_id > not_success
          order by external_id desc limit 1) as succeeded,
        (select at from s where s.job = later.job and state in ('success', 'failure', 'error') and external_id > not_end
          order by external_id desc limit 1) as finished
        from (select '' as job union all select external_id from deployment_jobs where org_id = $1 and deployment_id = $2) each
          left join later using (job)),
      told as (select
        (select environment from s where environment is not null order by external_id desc limit 1) as environment,
        (select url from s where url is not null order by external_id desc limit 1) as url,
        (select log_url from s where log_url is not null order by external_id desc limit 1) as log_url,
        (select description from s where description is not null order by external_id desc limit 1) as description,
        (select coalesce(max(external_id), 0) from s) as number, min(started) as started,
        case when bool_and(succeeded is not null) filter (where is_idle is not true) then max(succeeded) end as succeeded,
        case when bool_and(finished is not null) filter (where is_idle is not true) then max(finished) end as finished
        from ended)
      update deployments d set reported_state = $3, state_seq = told.number, started_at = told.started,
        finished_at = told.finished, succeeded_at = told.succeeded, url = told.url, log_url = told.log_url,
        description = coalesce(told.description, d.description),
        host_environment = coalesce(told.environment, d.host_environment),
        environment_id = (select h.environment_id from host_environments h where h.org_id = $1
          and h.repository_id = d.repository_id and h.name_key = lower(coalesce(told.environment, d.host_environment))),
        is_history = d.is_history and $4, revision = d.revision + 1
      from told where d.org_id = $1 and d.id = $2 returning ${recordedColumns}`,
    values: [orgId, id, reported.state, reported.isHistory],
  })
  return row
}

/** Records which configuration the environment had when the deployment went live: once, and never changed. */
export async function recordConfigVersions(
  tx: Tx,
  orgId: string,
  id: string,
  versions: readonly SchemaVersion[],
): Promise<void> {
  await tx.query({
    name: 'record-config-versions',
    text: `update deployments set config_versions = $3
      where org_id = $1 and id = $2 and config_versions is null and succeeded_at is not null and environment_id is not null`,
    values: [orgId, id, JSON.stringify(versions)],
  })
}

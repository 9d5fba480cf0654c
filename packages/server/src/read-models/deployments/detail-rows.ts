import type { CommitCheck, TestRunState } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'
import type { CommitRange } from '../../deployments/commits/commit-rows.ts'
import type { SkippedCommits } from '../../deployments/commits/enrich-rows.ts'
import type { DeploymentIssueRow } from '../../deployments/issues/issue-rows.ts'
import { deploymentColumns, type DeploymentRow } from './list-rows.ts'

/** Describes a deployment as its own page shows it. */
export interface DeploymentDetailRow extends DeploymentRow {
  readonly range: CommitRange | null
  readonly configVersions: readonly { readonly schemaId: string; readonly version: number }[] | null
  readonly commitsSkipped: SkippedCommits | null
  readonly source: 'webhook' | 'sync' | 'api'
  /** True when it was found long after it happened: no message reports it, and no workflow tests it. */
  readonly isHistory: boolean
  readonly previousId: string | null
  readonly previousSha: string | null
  /** Holds the check of its commit. */
  readonly check: {
    readonly id: string
    readonly results: CommitCheck['schemas']
    readonly checkedAt: string
  } | null
}

/** Finds a deployment by its id. */
export async function findDeploymentDetail(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DeploymentDetailRow | undefined> {
  const [row] = await tx.query<DeploymentDetailRow>({
    name: 'find-deployment-detail',
    text: `select ${deploymentColumns}, d.range, d.config_versions as "configVersions", d.source,
        d.commits_skipped as "commitsSkipped", d.is_history as "isHistory", p.id as "previousId", p.sha as "previousSha",
        (select json_build_object('id', c.id, 'results', c.results, 'checkedAt', c.checked_at) from commit_checks c
          where c.org_id = d.org_id and c.repository_id = d.repository_id and c.sha = d.sha) as check
      from deployments d join repositories r on r.org_id = d.org_id and r.id = d.repository_id
        left join deployments p on p.org_id = d.org_id and p.id = d.previous_successful_id
      where d.org_id = $1 and d.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Describes an issue key of a deployment, with the issue where it is known. */
export interface ShownIssueRow extends Omit<DeploymentIssueRow, 'askedAt'> {
  /** As it is now; `null` as long as the issue is not known. */
  readonly currentKey: string | null
  readonly title: string | null
  readonly type: string | null
  readonly status: string | null
  readonly statusCategory: 'new' | 'indeterminate' | 'done' | null
  readonly assignee: string | null
  readonly priority: string | null
  readonly url: string | null
  readonly fetchedAt: Date | null
  /** `null`: since before this was kept. */
  readonly stateSince: Date | null
}

/** Lists the issue keys of a deployment. */
export async function listShownIssues(tx: Tx, orgId: string, id: string): Promise<ShownIssueRow[]> {
  return tx.query<ShownIssueRow>({
    name: 'list-shown-issues',
    text: `select l.key, l.state, l.reason, l.issue_id as "issueId", l.evidence, i.key as "currentKey", i.title, i.type,
        i.status, i.status_category as "statusCategory", i.assignee, i.priority, i.url, i.fetched_at as "fetchedAt",
        l.state_since as "stateSince"
      from deployment_issues l left join issues i on i.org_id = l.org_id and i.id = l.issue_id
      where l.org_id = $1 and l.deployment_id = $2 order by l.key`,
    values: [orgId, id],
  })
}

/** Describes a status that was reported of a deployment. */
export interface StatusRow {
  /** Tells the jobs of a deployment apart. Empty: the first one that was known. */
  readonly job: string
  readonly jobName: string | null
  readonly state: string
  readonly environment: string | null
  readonly description: string | null
  readonly logUrl: string | null
  readonly at: Date
}

const statusesShown = 100

/** Lists the newest statuses of a deployment, oldest first. */
export async function listStatusRows(tx: Tx, orgId: string, id: string): Promise<StatusRow[]> {
  return tx.query<StatusRow>({
    name: 'list-deployment-statuses',
    text: `select job, job_name as "jobName", state, environment, description, log_url as "logUrl", at from (
        select * from deployment_statuses where org_id = $1 and deployment_id = $2
        order by external_id desc limit ${statusesShown}) s order by external_id`,
    values: [orgId, id],
  })
}

/** Describes a test run as the page of its deployment shows it. */
export interface ShownTestRunRow {
  readonly id: string
  readonly deploymentId: string | null
  readonly environmentId: string | null
  readonly name: string
  readonly externalId: string | null
  readonly url: string | null
  readonly attempt: number
  readonly state: TestRunState
  readonly stateReason: string | null
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  readonly flaky: number | null
  readonly durationMs: number | null
  readonly deployedSha: string | null
  readonly testedSha: string | null
  readonly contaminatedBy: string | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

const testRunsShown = 50

/** Lists the newest test runs of a deployment, newest first. */
export async function listShownTestRuns(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<ShownTestRunRow[]> {
  return tx.query<ShownTestRunRow>({
    name: 'list-shown-test-runs',
    text: `select id, deployment_id as "deploymentId", environment_id as "environmentId", name,
        external_id as "externalId", url, attempt, state, state_reason as "stateReason", passed, failed, skipped, flaky,
        duration_ms as "durationMs", deployed_sha as "deployedSha", tested_sha as "testedSha",
        contaminated_by as "contaminatedBy", created_at as "createdAt", started_at as "startedAt",
        finished_at as "finishedAt"
      from test_runs where org_id = $1 and deployment_id = $2 order by created_at desc, id desc limit ${testRunsShown}`,
    values: [orgId, id],
  })
}

/** Describes the configuration that was live with a deployment, beside that of the success before it. */
export interface LiveConfigRow {
  readonly schemaId: string
  readonly schema: string | null
  readonly version: number
  readonly versionId: string | null
  readonly previousVersion: number | null
  readonly previousVersionId: string | null
  readonly changedKeys: readonly string[]
}

const changedKeysShown = 100

/** Lists the configuration that was live with a deployment, by schema. */
export async function listLiveConfigs(tx: Tx, orgId: string, id: string): Promise<LiveConfigRow[]> {
  return tx.query<LiveConfigRow>({
    name: 'list-live-configs',
    text: `select l."schemaId", s.name as schema, l.version, v.id as "versionId", p.version as "previousVersion",
        pv.id as "previousVersionId", array(
          select distinct key from config_versions c cross join unnest(c.changed_keys) as key
          where c.org_id = $1 and c.schema_id = l."schemaId" and c.environment_id = d.environment_id
            and c.version > p.version and c.version <= l.version
          order by key limit ${changedKeysShown}) as "changedKeys"
      from deployments d
        cross join json_to_recordset(d.config_versions) as l ("schemaId" text, version integer)
        left join config_schemas s on s.org_id = $1 and s.id = l."schemaId"
        left join config_versions v on v.org_id = $1 and v.schema_id = l."schemaId"
          and v.environment_id = d.environment_id and v.version = l.version
        left join deployments b on b.org_id = $1 and b.id = d.previous_successful_id
          and b.environment_id = d.environment_id
        left join lateral json_to_recordset(coalesce(b.config_versions, '[]')) as p ("schemaId" text, version integer)
          on p."schemaId" = l."schemaId"
        left join config_versions pv on pv.org_id = $1 and pv.schema_id = p."schemaId"
          and pv.environment_id = d.environment_id and pv.version = p.version
      where d.org_id = $1 and d.id = $2 and d.config_versions is not null
        and l."schemaId" is not null and l.version is not null
      order by s.name, l."schemaId"`,
    values: [orgId, id],
  })
}

/** Describes what is set up: why steps of a timeline may not have happened. */
export interface StepGround {
  readonly isTrackerConnected: boolean
  /** Names the providers that the organization uses; `null`: none. */
  readonly codehost: string | null
  readonly tracker: string | null
  readonly isChatConnected: boolean
  /** Holds the code host's ids of the repositories whose deployments a workflow tests; `null` in it: of every one. */
  readonly testedRepositories: readonly (string | null)[]
  /** There is a channel for messages of deployments. */
  readonly hasChannel: boolean
}

const connected = `state in ('connected', 'degraded')`

/** Reads what an organization has set up. */
export async function findStepGround(tx: Tx, orgId: string): Promise<StepGround> {
  const [row] = await tx.query<StepGround>({
    name: 'find-step-ground',
    text: `select max(provider) filter (where kind = 'codehost') as codehost,
        max(provider) filter (where kind = 'tracker') as tracker,
        coalesce(bool_or(kind = 'tracker' and ${connected}), false) as "isTrackerConnected",
        coalesce(bool_or(kind = 'chat' and ${connected}), false) as "isChatConnected",
        coalesce((select json_agg(w.value ->> 'repositoryId') from integrations c
          cross join json_array_elements(coalesce(c.settings -> 'testWorkflows', '[]')) w
          where c.org_id = $1 and c.kind = 'codehost' and c.state <> 'disconnected'), '[]') as "testedRepositories",
        coalesce(bool_or(kind = 'chat' and settings ->> 'defaultChannelId' is not null), false)
          or exists (select from notification_routes where org_id = $1) as "hasChannel"
      from integrations where org_id = $1 and state <> 'disconnected'`,
    values: [orgId],
  })
  return (
    row ?? {
      codehost: null,
      tracker: null,
      isTrackerConnected: false,
      isChatConnected: false,
      testedRepositories: [],
      hasChannel: false,
    }
  )
}

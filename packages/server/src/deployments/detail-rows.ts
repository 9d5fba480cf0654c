import type { TestRunState } from '@signalbox/contract/rest'
import type { Tx } from '../store/store.ts'
import type { CommitRange } from './commit-rows.ts'
import type { SkippedCommits } from './enrich-rows.ts'
import type { DeploymentIssueRow } from './issue-rows.ts'
import { deploymentColumns, type DeploymentRow } from './list-rows.ts'

export interface DeploymentDetailRow extends DeploymentRow {
  readonly range: CommitRange | null
  readonly configVersions: readonly { readonly schemaId: string; readonly version: number }[] | null
  readonly commitsSkipped: SkippedCommits | null
  readonly source: 'webhook' | 'sync' | 'api'
  /** Found long after it happened: nobody is told of it, and nothing tests it. */
  readonly isHistory: boolean
  readonly previousId: string | null
  readonly previousSha: string | null
}

export async function findDeploymentDetail(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DeploymentDetailRow | undefined> {
  const [row] = await tx.query<DeploymentDetailRow>({
    name: 'find-deployment-detail',
    text: `select ${deploymentColumns}, d.range, d.config_versions as "configVersions", d.source,
        d.commits_skipped as "commitsSkipped", d.is_history as "isHistory", p.id as "previousId", p.sha as "previousSha"
      from deployments d join repositories r on r.org_id = d.org_id and r.id = d.repository_id
        left join deployments p on p.org_id = d.org_id and p.id = d.previous_successful_id
      where d.org_id = $1 and d.id = $2`,
    values: [orgId, id],
  })
  return row
}

export interface ShownIssueRow extends DeploymentIssueRow {
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
}

export async function listShownIssues(tx: Tx, orgId: string, id: string): Promise<ShownIssueRow[]> {
  return tx.query<ShownIssueRow>({
    name: 'list-shown-issues',
    text: `select l.key, l.state, l.reason, l.issue_id as "issueId", l.evidence, l.asked_at as "askedAt", i.key as "currentKey", i.title, i.type,
        i.status, i.status_category as "statusCategory", i.assignee, i.priority, i.url, i.fetched_at as "fetchedAt"
      from deployment_issues l left join issues i on i.org_id = l.org_id and i.id = l.issue_id
      where l.org_id = $1 and l.deployment_id = $2 order by l.key`,
    values: [orgId, id],
  })
}

export interface StatusRow {
  readonly state: string
  readonly environment: string | null
  readonly description: string | null
  readonly logUrl: string | null
  readonly at: Date
}

const statusesShown = 100

/** The newest statuses, oldest first. */
export async function listStatusRows(tx: Tx, orgId: string, id: string): Promise<StatusRow[]> {
  return tx.query<StatusRow>({
    name: 'list-deployment-statuses',
    text: `select state, environment, description, log_url as "logUrl", at from (
        select * from deployment_statuses where org_id = $1 and deployment_id = $2
        order by external_id desc limit ${statusesShown}) s order by external_id`,
    values: [orgId, id],
  })
}

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

export interface ShownMessageRow {
  readonly id: string
  readonly routeId: string
  readonly channelName: string | null
  readonly url: string | null
  readonly state: 'wanted' | 'sending' | 'live' | 'held' | 'broken' | 'gone'
  /** A code of the provider. */
  readonly reason: string | null
  /** Revisions that were sent, the first one included. */
  readonly sentRevision: number
  readonly updatedAt: Date
}

const messagesShown = 50

const messageColumns = `n.id, n.route_id as "routeId",
  case coalesce(n.channel_id, r.channel_id, c.settings ->> 'defaultChannelId')
    when r.channel_id then r.channel_name
    when c.settings ->> 'defaultChannelId' then c.settings ->> 'defaultChannelName'
  end as "channelName",
  case when n.message_ts is not null then n.message_url end as url, n.state, n.reason,
  n.sent_rev as "sentRevision", n.updated_at as "updatedAt"`

const messageTables = `notifications n
  left join notification_routes r on r.org_id = n.org_id and r.id = n.route_id
  left join integrations c on c.org_id = n.org_id and c.kind = 'chat' and c.state <> 'disconnected'`

export async function listShownMessages(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<ShownMessageRow[]> {
  return tx.query<ShownMessageRow>({
    name: 'list-shown-messages',
    text: `select ${messageColumns} from ${messageTables}
      where n.org_id = $1 and n.subject_kind = 'deployment' and n.subject_id = $2
      order by n.route_id limit ${messagesShown}`,
    values: [orgId, id],
  })
}

export async function findShownMessage(
  tx: Tx,
  orgId: string,
  notificationId: string,
): Promise<ShownMessageRow | undefined> {
  const [row] = await tx.query<ShownMessageRow>({
    name: 'find-shown-message',
    text: `select ${messageColumns} from ${messageTables} where n.org_id = $1 and n.id = $2`,
    values: [orgId, notificationId],
  })
  return row
}

/** The configuration that was live with a deployment, beside what was live with the success before it. */
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
      order by s.name, l."schemaId"`,
    values: [orgId, id],
  })
}

/** What there is for steps that have not happened: why they may not. */
export interface StepGround {
  readonly isTrackerConnected: boolean
  readonly isChatConnected: boolean
  readonly hasTestWorkflows: boolean
  /** Whether messages of deployments have somewhere to go. */
  readonly hasChannel: boolean
}

const connected = `state in ('connected', 'degraded')`

export async function findStepGround(tx: Tx, orgId: string): Promise<StepGround> {
  const [row] = await tx.query<StepGround>({
    name: 'find-step-ground',
    text: `select coalesce(bool_or(kind = 'tracker' and ${connected}), false) as "isTrackerConnected",
        coalesce(bool_or(kind = 'chat' and ${connected}), false) as "isChatConnected",
        coalesce(bool_or(kind = 'codehost' and json_array_length(coalesce(settings -> 'testWorkflows', '[]')) > 0), false)
          as "hasTestWorkflows",
        coalesce(bool_or(kind = 'chat' and settings ->> 'defaultChannelId' is not null), false)
          or exists (select from notification_routes where org_id = $1) as "hasChannel"
      from integrations where org_id = $1 and state <> 'disconnected'`,
    values: [orgId],
  })
  return (
    row ?? {
      isTrackerConnected: false,
      isChatConnected: false,
      hasTestWorkflows: false,
      hasChannel: false,
    }
  )
}

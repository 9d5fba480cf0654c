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
}

export async function findDeploymentDetail(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DeploymentDetailRow | undefined> {
  const [row] = await tx.query<DeploymentDetailRow>({
    name: 'find-deployment-detail',
    text: `select ${deploymentColumns}, d.range, d.config_versions as "configVersions", d.source,
        d.commits_skipped as "commitsSkipped" from deployments d
      join repositories r on r.org_id = d.org_id and r.id = d.repository_id
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
  readonly routeId: string
  readonly channelName: string | null
  readonly url: string | null
  readonly state: 'wanted' | 'sending' | 'live' | 'held' | 'broken' | 'gone'
  readonly reason: string | null
  readonly updatedAt: Date
}

const messagesShown = 50

export async function listShownMessages(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<ShownMessageRow[]> {
  return tx.query<ShownMessageRow>({
    name: 'list-shown-messages',
    text: `select n.route_id as "routeId",
        case coalesce(n.channel_id, r.channel_id, c.settings ->> 'defaultChannelId')
          when r.channel_id then r.channel_name
          when c.settings ->> 'defaultChannelId' then c.settings ->> 'defaultChannelName'
        end as "channelName",
        case when n.message_ts is not null then n.message_url end as url, n.state, n.reason, n.updated_at as "updatedAt"
      from notifications n left join notification_routes r on r.org_id = n.org_id and r.id = n.route_id
        left join integrations c on c.org_id = n.org_id and c.kind = 'chat' and c.state <> 'disconnected'
      where n.org_id = $1 and n.subject_kind = 'deployment' and n.subject_id = $2
      order by n.route_id limit ${messagesShown}`,
    values: [orgId, id],
  })
}

import type { DeploymentState } from '@signalbox/contract'
import type { EnvironmentProtection, TestRunState } from '@signalbox/contract/rest'
import type { CodehostPerson } from '../../providers/codehosts/repository.ts'
import { failingFirst } from '../deployments/failing-first.ts'
import { commitMessageOf } from '../deployments/list-rows.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a deployment as the front page shows it. Times are ISO 8601. */
export interface PlacedDeployment {
  readonly id: string
  readonly state: DeploymentState
  readonly repository: string
  readonly sha: string
  readonly ref: string
  readonly message: string | null
  readonly creator: CodehostPerson | null
  readonly at: string
}

/** Describes a test run as the front page shows it. Times are ISO 8601. */
export interface PlacedTestRun {
  readonly runId: string
  readonly state: TestRunState
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  readonly flaky: number | null
  readonly durationMs: number | null
  readonly contaminated: boolean
  readonly at: string
}

/** Describes an environment with what is deployed in it. */
export interface EnvironmentStatus {
  readonly id: string
  readonly name: string
  readonly production: boolean
  /** Counts the people who have to approve each change. */
  readonly approvals: number
  readonly approvers: EnvironmentProtection['approvers']
  /** Holds since when nobody can meet its policy, which nobody may override. */
  readonly stuckSince: Date | null
  /** Names who has chosen its approvers without an approval, and when, in ISO 8601. */
  readonly replaced: { readonly member: string; readonly at: string } | null
  readonly latest: PlacedDeployment | null
  readonly live: PlacedDeployment | null
  readonly tests: PlacedTestRun | null
}

/** Holds the SQL of a deployment `d` of the repository `r` as the front page shows it. */
export const placedDeployment = `json_build_object('id', d.id, 'state', d.state, 'repository', r.full_name, 'sha', d.sha,
    'ref', d.ref, 'message', ${commitMessageOf('d')}, 'creator', d.creator,
    'at', coalesce(d.finished_at, d.started_at, d.created_at))`

/** Holds the SQL of the test run `t` as the front page shows it. */
export const placedTestRun = `json_build_object('runId', t.id, 'state', t.state, 'passed', t.passed, 'failed', t.failed,
    'skipped', t.skipped, 'flaky', t.flaky, 'durationMs', t.duration_ms,
    'contaminated', t.contaminated_by is not null, 'at', coalesce(t.finished_at, t.created_at))`

const newest = (condition: string) => `(
  select ${placedDeployment} as shown, d.id
  from deployments d join repositories r on r.org_id = d.org_id and r.id = d.repository_id
  where d.org_id = $1 and d.environment_id = e.id ${condition}
  order by d.created_at desc, d.id desc limit 1)`

/**
 * Lists what is deployed in each environment, and how its tests went. It takes some steps down an index for each of at most
 * fifty.
 */
export async function listEnvironmentStatus(tx: Tx, orgId: string): Promise<EnvironmentStatus[]> {
  return tx.query<EnvironmentStatus>({
    name: 'list-environment-places',
    text: `select e.id, e.name, e.production, e.approvals, e.approvers, s.since as "stuckSince", e.approvers_replaced as replaced, latest.shown as latest, live.shown as live, tests.shown as tests
      from environments e
      left join stuck_policies s on s.org_id = e.org_id and s.environment_id = e.id
      left join lateral ${newest('')} latest on true
      left join lateral ${newest(`and d.state = 'success'`)} live on true
      left join lateral (
        select ${placedTestRun} as shown
        from test_runs t where t.org_id = $1 and t.deployment_id = latest.id and t.config_version is null
        order by ${failingFirst('t')} limit 1) tests on true
      where e.org_id = $1 order by e.id`,
    values: [orgId],
  })
}

/** Counts messages that wait for a person, by what they wait for. */
export interface WaitingMessages {
  readonly state: 'held' | 'broken'
  readonly reason: string | null
  readonly routeId: string
  readonly channelName: string | null
  readonly count: number
  readonly newestSubjectId: string
  readonly at: Date
}

const waitingMax = 1_000

/** Lists the messages of the last seven days that wait for a person. Older ones are left out. */
export async function listWaitingMessages(
  tx: Tx,
  orgId: string,
  since: Date,
): Promise<WaitingMessages[]> {
  return tx.query<WaitingMessages>({
    name: 'list-waiting-messages',
    text: `select n.state, n.reason, n.route_id as "routeId", coalesce(r.channel_name, c.settings ->> 'defaultChannelName')
        as "channelName", count(*)::integer as count, max(n.updated_at) as at,
        coalesce((array_agg(n.subject_id order by n.updated_at desc))[1], '') as "newestSubjectId"
      from (select * from notifications where org_id = $1 and state in ('held', 'broken') and updated_at > $2
          order by updated_at desc limit ${waitingMax}) n
        left join notification_routes r on r.org_id = n.org_id and r.id = n.route_id
        left join integrations c on c.org_id = n.org_id and c.kind = 'chat' and c.state <> 'disconnected'
      group by 1, 2, 3, 4 order by at desc limit 10`,
    values: [orgId, since],
  })
}

/** Holds the counts of the front page; `failedWebhooks` up to a thousand. */
export interface Failures {
  readonly failedWebhooks: number
  readonly webhookFailedAt: Date | null
  readonly failedJobs: number
  readonly jobFailedAt: Date | null
  readonly failedSyncId: string | null
  readonly syncDetail: string | null
  readonly syncFailedAt: Date | null
}

/** Counts what went wrong since a moment. */
export async function findFailures(tx: Tx, orgId: string, since: Date): Promise<Failures> {
  const [row] = await tx.query<Failures>({
    name: 'find-trouble',
    text: `select w.count as "failedWebhooks", w.at as "webhookFailedAt", j.count as "failedJobs", j.at as "jobFailedAt",
        s.id as "failedSyncId", s.detail as "syncDetail", s.finished_at as "syncFailedAt"
      from (select count(*)::integer as count, max(received_at) as at from (
          select received_at from received_webhooks
          where org_id = $1 and state = 'dead' and received_at > $2
          order by received_at desc limit 1000) f) w
      cross join (select count(*)::integer as count, max(failed_at) as at from (
          select failed_at from failed_jobs where org_id = $1 and retried_at is null
          order by failed_at desc limit 1000) d) j
      left join lateral (
        select * from (select id, state, detail, finished_at from syncs
          where org_id = $1 and depth <> 'issues' order by id desc limit 1) l
        where state = 'failed') s on true`,
    values: [orgId, since],
  })
  if (row === undefined) throw new Error('Counting answers nothing')
  return row
}

/** Describes an outgoing webhook whose last message did not arrive. */
export interface FailingWebhook {
  readonly id: string
  readonly name: string
  /** Names what the message met: a status such as `http_503`, or `timeout`. */
  readonly reason: string
  /** Says whether it still sends. A receiver that answers 410 switches its webhook off. */
  readonly enabled: boolean
  readonly failingSince: Date
}

/** Lists outgoing webhooks that fail, and those that a 410 has switched off since a moment. */
export async function listFailingWebhooks(
  tx: Tx,
  orgId: string,
  since: Date,
): Promise<FailingWebhook[]> {
  return tx.query<FailingWebhook>({
    name: 'list-failing-webhooks',
    text: `select id, name, health_reason as reason, enabled, failing_since as "failingSince" from outgoing_webhooks
      where org_id = $1 and health_reason is not null and failing_since is not null
        and (enabled or (health_reason = 'http_410' and failing_since > $2))
      order by failing_since desc limit 10`,
    values: [orgId, since],
  })
}

/** Describes an API key with the moment of its end. */
export interface EndingKey {
  readonly id: string
  readonly name: string
  readonly expiresAt: Date
}

/** Lists keys that end soon and keys that have ended lately: their users may not know. */
export async function listEndingKeys(
  tx: Tx,
  orgId: string,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<EndingKey[]> {
  return tx.query<EndingKey>({
    name: 'list-ending-keys',
    text: `select id, name, expires_at as "expiresAt" from api_keys
      where org_id = $1 and revoked_at is null and expires_at between $2 and $3 order by expires_at limit 10`,
    values: [orgId, from, until],
  })
}

/** Describes which steps of the set-up are done. The integrations are read by themselves. */
export interface SetupProgress {
  readonly hasSchema: boolean
  readonly hasRead: boolean
  readonly hasChannel: boolean
}

/** Finds out which steps of the set-up are done. */
export async function findSetupProgress(tx: Tx, orgId: string): Promise<SetupProgress> {
  const [row] = await tx.query<SetupProgress>({
    name: 'find-setup-progress',
    text: `select exists (select from config_schemas where org_id = $1) as "hasSchema",
      exists (select from api_key_uses where org_id = $1) as "hasRead",
      exists (select from notification_routes where org_id = $1) or exists (
        select from integrations where org_id = $1 and kind = 'chat' and state <> 'disconnected'
          and settings ->> 'defaultChannelId' is not null) as "hasChannel"`,
    values: [orgId],
  })
  return row ?? { hasSchema: false, hasRead: false, hasChannel: false }
}

import type { Tx } from '../../store/store.ts'

/** Names a commit of a repository. */
export interface CommitOf {
  readonly repositoryId: string
  readonly sha: string
}

/** Describes a repository of deployments that ask. */
export interface RepositoryFactRow {
  readonly id: string
  readonly fullName: string
  /** `null`: no code host has named it. */
  readonly externalId: string | null
}

/** Lists repositories by their ids. */
export async function listRepositoryFacts(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<RepositoryFactRow[]> {
  return tx.query<RepositoryFactRow>({
    name: 'list-gate-repositories',
    text: `select id, full_name as "fullName", external_id as "externalId" from repositories
      where org_id = $1 and id = any ($2::text[])`,
    values: [orgId, ids],
  })
}

/** Describes the newest test run of a name, of one commit in one environment. */
export interface TestFactRow {
  readonly sha: string | null
  readonly environmentId: string | null
  readonly name: string
  readonly state: string
  readonly isDoubtful: boolean
  readonly at: Date
}

const testColumns = `environment_id, name, state, created_at, id, finished_at, contaminated_by, deployed_sha, tested_sha`

/**
 * Lists the newest test run of each name, of each of the commits in each of the environments. A run is of the commit that is
 * deployed; in doubt, where another one went live meanwhile, or where another commit was tested.
 */
export async function listTestFacts(
  tx: Tx,
  orgId: string,
  of: { readonly shas: readonly string[]; readonly environmentIds: readonly string[] },
): Promise<TestFactRow[]> {
  if (of.shas.length === 0 || of.environmentIds.length === 0) return []
  return tx.query<TestFactRow>({
    name: 'list-gate-tests',
    text: `select distinct on (r.sha, r.environment_id, r.name) r.sha, r.environment_id as "environmentId", r.name, r.state,
        r.contaminated_by is not null or coalesce(not starts_with(r.deployed_sha, r.tested_sha)
          and not starts_with(r.tested_sha, r.deployed_sha), false) as "isDoubtful",
        coalesce(r.finished_at, r.created_at) as at
      from (select deployed_sha as sha, ${testColumns} from test_runs
          where org_id = $1 and deployed_sha = any ($2::text[]) and environment_id = any ($3::text[])
        union all select tested_sha, ${testColumns} from test_runs
          where org_id = $1 and deployed_sha is null and tested_sha = any ($2::text[]) and environment_id = any ($3::text[])) r
      order by r.sha, r.environment_id, r.name, r.created_at desc, r.id desc`,
    values: [orgId, of.shas, of.environmentIds],
  })
}

/** Describes a time in which a commit was live in an environment. */
export interface LiveFactRow extends CommitOf {
  readonly environmentId: string | null
  readonly from: Date | null
  readonly to: Date | null
}

/** Lists when commits were live in environments. What was rolled back counts for nothing. */
export async function listLiveFacts(
  tx: Tx,
  orgId: string,
  of: { readonly commits: readonly CommitOf[]; readonly environmentIds: readonly string[] },
): Promise<LiveFactRow[]> {
  if (of.commits.length === 0 || of.environmentIds.length === 0) return []
  return tx.query<LiveFactRow>({
    name: 'list-gate-live',
    text: `select d.repository_id as "repositoryId", d.sha, d.environment_id as "environmentId", d.succeeded_at as "from",
        case when d.state = 'superseded' then coalesce(s.succeeded_at, d.succeeded_at) end as "to"
      from unnest($2::text[], $3::text[]) as c (repository_id, sha)
      join deployments d on d.org_id = $1 and d.repository_id = c.repository_id and d.sha = c.sha
      left join deployments s on s.org_id = d.org_id and s.id = d.superseded_by
      where d.environment_id = any ($4::text[]) and d.succeeded_at is not null and d.state in ('success', 'superseded')`,
    values: [
      orgId,
      of.commits.map(({ repositoryId }) => repositoryId),
      of.commits.map(({ sha }) => sha),
      of.environmentIds,
    ],
  })
}

/** Names a deployment that asks, as far as its own record is looked for. */
export interface AskingDeployment extends CommitOf {
  readonly decisionId: string
  readonly hostDeploymentId: string | null
}

/** Describes the issues of a deployment that asks. */
export interface IssueFactRow {
  readonly decisionId: string | null
  readonly areRead: boolean
  readonly issues: { readonly key: string; readonly isDone: boolean }[]
}

/**
 * Lists the issues of deployments that ask: those of the deployment itself, else those of the newest deployment of the same commit.
 * One whose commits nobody could read for ten minutes is taken as it is.
 */
export async function listIssueFacts(
  tx: Tx,
  orgId: string,
  { asking, now }: { readonly asking: readonly AskingDeployment[]; readonly now: Date },
): Promise<IssueFactRow[]> {
  if (asking.length === 0) return []
  return tx.query<IssueFactRow>({
    name: 'list-gate-issues',
    text: `select a.decision_id as "decisionId",
        coalesce(d.range is not null or d.commits_skipped is not null or d.recorded_at < $6::timestamptz - interval '10 minutes',
          false) and not exists (select from deployment_issues p where p.org_id = $1 and p.deployment_id = d.id and p.state = 'pending')
          as "areRead",
        (select coalesce(json_agg(json_build_object('key', coalesce(i.key, l.key),
            'isDone', coalesce(i.status_category = 'done', false)) order by l.key), '[]')
          from deployment_issues l left join issues i on i.org_id = l.org_id and i.id = l.issue_id
          where l.org_id = $1 and l.deployment_id = d.id and l.state = 'linked') as issues
      from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as a (decision_id, repository_id, sha, host_deployment_id)
      cross join lateral (select id, range, commits_skipped, recorded_at from deployments
        where org_id = $1 and repository_id = a.repository_id and (external_id = a.host_deployment_id or sha = a.sha)
        order by external_id is not distinct from a.host_deployment_id desc, created_at desc, id desc limit 1) d`,
    values: [orgId, ...columnsOf(asking), now],
  })
}

function columnsOf(asking: readonly AskingDeployment[]) {
  return [
    asking.map(({ decisionId }) => decisionId),
    asking.map(({ repositoryId }) => repositoryId),
    asking.map(({ sha }) => sha),
    asking.map(({ hostDeploymentId }) => hostDeploymentId),
  ]
}

/** Lists those of the deployments that ask which have ended without an answer. */
export async function listEndedDeployments(
  tx: Tx,
  orgId: string,
  asking: readonly AskingDeployment[],
): Promise<ReadonlySet<string>> {
  const known = asking.filter(({ hostDeploymentId }) => hostDeploymentId !== null)
  if (known.length === 0) return new Set()
  const rows = await tx.query<{ readonly decisionId: string | null }>({
    name: 'list-ended-gate-deployments',
    text: `select a.decision_id as "decisionId"
      from unnest($2::text[], $3::text[], $4::text[]) as a (decision_id, repository_id, host_deployment_id)
      join deployments d on d.org_id = $1 and d.repository_id = a.repository_id and d.external_id = a.host_deployment_id
      where d.state not in ('waiting', 'queued', 'pending', 'in_progress')`,
    values: [
      orgId,
      known.map(({ decisionId }) => decisionId),
      known.map(({ repositoryId }) => repositoryId),
      known.map(({ hostDeploymentId }) => hostDeploymentId),
    ],
  })
  return new Set(rows.map(({ decisionId }) => decisionId ?? ''))
}

/** Describes the watched changes of configuration of an environment. */
export interface QuietFactRow {
  readonly environmentId: string | null
  readonly watched: number
  readonly failedAt: Date | null
}

/** Counts the changes of configuration that are watched in environments, and finds when one failed last in the half hour before. */
export async function listQuietFacts(
  tx: Tx,
  orgId: string,
  { environmentIds, now }: { readonly environmentIds: readonly string[]; readonly now: Date },
): Promise<QuietFactRow[]> {
  if (environmentIds.length === 0) return []
  return tx.query<QuietFactRow>({
    name: 'list-gate-quiet',
    text: `select e.id as "environmentId", count(*) filter (where p.state = 'watching')::integer as watched,
        max(p.ended_at) filter (where p.state = 'failed') as "failedAt"
      from unnest($2::text[]) as e (id)
      join proofs p on p.org_id = $1 and (p.environment_id = e.id or p.reached ? e.id)
      where p.state = 'watching' or (p.state = 'failed' and p.ended_at > $3::timestamptz - interval '30 minutes')
      group by e.id`,
    values: [orgId, environmentIds, now],
  })
}

/** Describes a rule that asks for approvals of a deployment. */
export interface ApprovalRule {
  /** Names the rule among the others of the call. */
  readonly position: string
  readonly decisionId: string
  readonly environmentId: string
  /** Lists who may approve. Empty: every member who may write values there. */
  readonly members: readonly string[]
}

const approvalRules = `from jsonb_to_recordset($2::jsonb) as r (position text, decision_id text, environment_id text, approvers jsonb)
  cross join lateral approvers_of($1, r.environment_id, r.approvers) as m (user_id)`

/** Lists the roles, own or granted, that write values. */
const writingRoles = ['owner', 'admin', 'developer', 'editor']

function toParameter(of: readonly ApprovalRule[]): string {
  return JSON.stringify(
    of.map(({ position, decisionId, environmentId, members }) => ({
      position,
      decision_id: decisionId,
      environment_id: environmentId,
      approvers: members.length === 0 ? { roles: writingRoles } : { members },
    })),
  )
}

/** Counts the approvals of rules by people who may approve now. */
export async function countApprovals(
  tx: Tx,
  orgId: string,
  of: readonly ApprovalRule[],
): Promise<ReadonlyMap<string, number>> {
  if (of.length === 0) return new Map()
  const rows = await tx.query<{ readonly position: string | null; readonly count: number }>({
    name: 'count-gate-approvals',
    text: `select r.position, count(*)::integer as count ${approvalRules}
      join gate_approvals a on a.org_id = $1 and a.decision_id = r.decision_id and a.user_id = m.user_id group by r.position`,
    values: [orgId, toParameter(of)],
  })
  return new Map(rows.map(({ position, count }) => [position ?? '', count]))
}

/** Lists those of the decisions that somebody may approve: a gate asks people, and they are among these. */
export async function listApprovable(
  tx: Tx,
  orgId: string,
  { ids, userId }: { readonly ids: readonly string[]; readonly userId: string },
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.query<{ readonly id: string }>({
    name: 'list-approvable-decisions',
    text: `select distinct d.id from gate_decisions d
      join gates t on t.org_id = d.org_id and d.environment_id = any (t.environment_ids)
      cross join lateral jsonb_array_elements(t.rules) as u (rule)
      cross join lateral approvers_of(d.org_id, d.environment_id, case when u.rule -> 'members' = '[]' then $4::jsonb
        else jsonb_build_object('members', u.rule -> 'members') end) as m (user_id)
      where d.org_id = $1 and d.id = any ($2::text[]) and d.state = 'waiting' and u.rule ->> 'rule' = 'approvals' and m.user_id = $3
        and exists (select from jsonb_array_elements(d.reasons) as r (reason)
          where r.reason ->> 'code' = 'approvals' and r.reason ->> 'gateId' = t.id)`,
    values: [orgId, ids, userId, JSON.stringify({ roles: writingRoles })],
  })
  return new Set(rows.map(({ id }) => id))
}

import type { FlagRule } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import { explainRun } from '../../test-runs/runs/explain-run.ts'
import { judgeResult, type Judged } from '../../test-runs/runs/judge-result.ts'
import type {
  CommitView,
  DeploymentState,
  DeploymentView,
  IssueView,
  MatchedDeployment,
  Outcome,
  TestRunView,
} from './deployment-view.ts'
import { outcomeOf } from './deployment-view.ts'
import { findDecisionOfDeployment, type DecisionViewRow } from '../gates/decision-view-rows.ts'
import { describeDecision } from '../gates/describe-decision.ts'
import type { AttentionView, ConfigurationView, FlagView } from './notice-views.ts'
import { isOfProofSql, listProofViews } from './proof-views.ts'

/** Holds a deployment as messages describe it, and as routes look at it. */
export interface DeploymentSubject {
  readonly view: DeploymentView
  readonly matched: MatchedDeployment
}

interface DeploymentRow {
  readonly id: string
  readonly environmentId: string | null
  readonly environmentName: string | null
  readonly hostEnvironment: string
  readonly isProduction: boolean | null
  readonly repository: string
  readonly ref: string
  readonly refKind: MatchedDeployment['refKind']
  readonly sha: string
  readonly relation: DeploymentView['relation']
  readonly state: DeploymentState
  readonly description: string | null
  readonly creator: { readonly name?: unknown; readonly login?: unknown } | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly url: string | null
  readonly logUrl: string | null
  readonly commitMessage: string | null
  readonly range: { readonly total?: unknown } | null
  readonly configVersions: readonly { readonly schema: string; readonly version: number }[] | null
  readonly previousState: DeploymentState | null
}

const deploymentSql = `select d.id, d.environment_id as "environmentId", e.name as "environmentName",
    d.host_environment as "hostEnvironment", e.production as "isProduction", r.full_name as repository, d.ref,
    d.ref_kind as "refKind", d.sha, d.relation, d.state, d.description, d.creator, d.created_at as "createdAt",
    d.finished_at as "finishedAt", d.url, d.log_url as "logUrl", d.commit_message as "commitMessage", d.range,
    (select json_agg(json_build_object('schema', coalesce(s.name, v."schemaId"), 'version', v.version) order by s.name)
      from json_to_recordset(case when json_typeof(d.config_versions) = 'array' then d.config_versions else '[]' end)
        as v ("schemaId" text, version integer)
      left join config_schemas s on s.org_id = d.org_id and s.id = v."schemaId") as "configVersions",
    (select p.state from deployments p
      where p.org_id = d.org_id and p.repository_id = d.repository_id
        and p.host_key = d.host_key and p.task = d.task
        and (p.created_at, p.id) < (d.created_at, d.id)
        and p.state in ('success', 'superseded', 'rolled_back', 'failure', 'error')
      order by p.created_at desc, p.id desc limit 1) as "previousState"
  from deployments d
  join repositories r on r.org_id = d.org_id and r.id = d.repository_id
  left join environments e on e.org_id = d.org_id and e.id = d.environment_id
  where d.org_id = $1 and d.id = $2`

/** Finds all that messages say of a deployment. */
export async function findDeploymentSubject(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DeploymentSubject | undefined> {
  const [row] = await tx.query<DeploymentRow>({
    name: 'notifications-deployment',
    text: deploymentSql,
    values: [orgId, id],
  })
  if (row === undefined) return undefined
  const [commits, issues, testRuns, decision] = await Promise.all([
    listCommits(tx, orgId, id),
    listIssues(tx, orgId, id),
    listTestRuns(tx, orgId, id),
    findDecisionOfDeployment(tx, orgId, id),
  ])
  const gate = decision && toGateText(decision)
  const { environmentId, repository, ref, refKind, state } = row
  const previousOutcome: Outcome = row.previousState === null ? null : outcomeOf(row.previousState)
  return {
    view: toView(row, { commits, issues, testRuns, gate }),
    matched: { environmentId, repository, ref, refKind, state, testRuns, previousOutcome },
  }
}

/** Returns the line about a gate. A deployment that did not wait has none. */
function toGateText(decision: DecisionViewRow): string | undefined {
  const { state, waitedFor, comment } = decision
  if (state === 'expired' || (state === 'passed' && waitedFor === null)) return undefined
  const text = describeDecision(decision)
  return comment === null ? text : `${text}: ${comment}`
}

function toView(
  row: DeploymentRow,
  of: Pick<DeploymentView, 'commits' | 'issues' | 'testRuns' | 'gate'>,
): DeploymentView {
  const { commitMessage, sha, createdAt, finishedAt } = row
  const author = toText(row.creator?.login) ?? toText(row.creator?.name)
  const deployedCommit =
    commitMessage === null ? [] : [{ sha, message: commitMessage, author: null, url: null }]
  const commits = of.commits.length > 0 ? of.commits : deployedCommit
  const total = row.range?.total
  return {
    ...of,
    id: row.id,
    environment: row.environmentName ?? row.hostEnvironment,
    isProduction: row.isProduction ?? false,
    repository: row.repository,
    ref: row.ref,
    sha,
    relation: row.relation,
    state: row.state,
    description: row.description,
    who: author,
    durationMs: measureDuration(createdAt, finishedAt),
    url: row.url,
    logUrl: row.logUrl,
    commits,
    commitCount: typeof total === 'number' ? Math.max(total, commits.length) : commits.length,
    configVersions: row.configVersions ?? [],
  }
}

/** Returns how long a deployment took. `null`: it runs, or a pipeline has reported only its end. */
function measureDuration(createdAt: Date, finishedAt: Date | null): number | null {
  const ms = finishedAt === null ? 0 : finishedAt.getTime() - createdAt.getTime()
  return ms > 0 ? ms : null
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The newest commits of a deployment, newest first: as many as a thread shows. */
function listCommits(tx: Tx, orgId: string, id: string): Promise<CommitView[]> {
  return tx.query({
    name: 'notifications-commits',
    text: `select sha, message, coalesce(author ->> 'login', author ->> 'name') as author, url from deployment_commits
      where org_id = $1 and deployment_id = $2 order by position desc limit 20`,
    values: [orgId, id],
  })
}

function listIssues(tx: Tx, orgId: string, id: string): Promise<IssueView[]> {
  return tx.query({
    name: 'notifications-issues',
    text: `select coalesce(i.key, d.key) as key, d.state, i.title, i.status, i.url from deployment_issues d
      left join issues i on i.org_id = d.org_id and i.id = d.issue_id
      where d.org_id = $1 and d.deployment_id = $2 order by d.key limit 1000`,
    values: [orgId, id],
  })
}

type TestRunRow = Omit<TestRunView, 'reason' | 'warnings'> &
  Judged & { readonly codehost: string | null }

/**
 * Lists the runs of a deployment, without those that were run again, by hand or after a further job, and of those for proofs the last:
 * the newer run counts.
 */
async function listTestRuns(tx: Tx, orgId: string, id: string): Promise<TestRunView[]> {
  const rows = await tx.query<TestRunRow>({
    name: 'notifications-test-runs',
    text: `select r.id, r.name, r.state, r.state_reason as "stateReason", r.passed, r.failed, r.skipped, r.flaky,
        r.duration_ms::float8 as "durationMs", r.url, r.deployed_sha as "deployedSha", r.tested_sha as "testedSha",
        r.contaminated_by as "contaminatedBy", r.workflow_outcome as "workflowOutcome",
        r.report_outcome as "reportOutcome", r.report_notes as "reportNotes", r.deadline_minutes as "deadlineMinutes",
        (select i.provider from integrations i
          where i.org_id = $1 and i.kind = 'codehost' and i.state <> 'disconnected') as codehost,
        array(select c.name from test_results c
          where c.org_id = r.org_id and c.run_id = r.id and c.attempt = r.attempt and c.status = 'failed'
          order by c.suite, c.name limit 15) as failing, r.config_version is not null as "isOfProof"
      from test_runs r where r.org_id = $1 and r.deployment_id = $2
        and not exists (select from test_runs again where again.org_id = $1 and again.deployment_id = $2
          and (again.name = r.name and again.rule_key ~ '^(asked|again):'
            or again.workflow_id = r.workflow_id and again.config_version is not null and r.config_version is not null)
          and (again.created_at, again.id) > (r.created_at, r.id))
      order by r.created_at, r.id limit 50`,
    values: [orgId, id],
  })
  return rows.map(({ codehost, ...row }) => ({
    ...row,
    reason: explainRun({ ...row, codehost }).detail,
    ...judgeResult(row, codehost),
  }))
}

/** Finds the deployment of a test run. One that a change of configuration asked for begins no message of its deployment. */
export async function findDeploymentOfRun(
  tx: Tx,
  orgId: string,
  runId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'notifications-deployment-of-run',
    text: `select deployment_id as id from test_runs where org_id = $1 and id = $2 and deployment_id is not null
      and (config_version is null or exists (select from notifications n
        where n.org_id = $1 and n.subject_kind = 'deployment' and n.subject_id = deployment_id))`,
    values: [orgId, runId],
  })
  return row?.id
}

/** Finds the state of an integration, for its message. */
export async function findAttentionView(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<AttentionView | undefined> {
  const [row] = await tx.query<AttentionView>({
    name: 'notifications-integration',
    text: `select kind, provider, account ->> 'name' as account, state,
        coalesce(state_reason, case state when 'disconnected' then revocation ->> 'detail' end) as reason,
        case state when 'disconnected' then 'Connect it again, if that was not meant.'
          else last_error ->> 'nextStep' end as "nextStep"
      from integrations where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row
}

interface ConfigurationRow extends Omit<ConfigurationView, 'flags' | 'proof'> {
  readonly isProduction: boolean
  readonly flags: readonly StoredFlag[] | null
}

/** Holds the change of a flag as a version stores it. */
interface StoredFlag extends Omit<FlagView, 'rulesBefore' | 'rulesAfter'> {
  /** The texts of the rules. */
  readonly rulesBefore?: string
  readonly rulesAfter?: string
}

function toFlagView({ rulesBefore, rulesAfter, ...flag }: StoredFlag): FlagView {
  return { ...flag, rulesBefore: readRules(rulesBefore), rulesAfter: readRules(rulesAfter) }
}

function readRules(text: string | undefined): readonly FlagRule[] {
  const rules: readonly FlagRule[] = text === undefined ? [] : JSON.parse(text)
  return rules
}

/**
 * Finds a version of configuration, where its environment is one of production or its proof has failed, which is never silent. Of keys
 * but flags it has no values.
 */
export async function findConfigurationView(
  tx: Tx,
  orgId: string,
  versionId: string,
): Promise<ConfigurationView | undefined> {
  const [row] = await tx.query<ConfigurationRow>({
    name: 'notifications-configuration',
    text: `select e.name as environment, e.production as "isProduction", s.name as schema, v.version, coalesce(v.author ->> 'name', '') as who, v.comment,
        array(select c ->> 'key' from json_array_elements(v.changes) c
          where c ->> 'key' is not null and c ->> 'tier' <> 'featureFlags') as keys,
        (select json_agg(c) from json_array_elements(v.changes) c where c ->> 'tier' = 'featureFlags') as flags
      from config_versions v
      join environments e on e.org_id = v.org_id and e.id = v.environment_id
      join config_schemas s on s.org_id = v.org_id and s.id = v.schema_id
      where v.org_id = $1 and v.id = $2`,
    values: [orgId, versionId],
  })
  if (row === undefined) return undefined
  const { isProduction, ...view } = row
  const [proof = null] = await listProofViews(tx, orgId, { versionId })
  if (!isProduction && proof?.state !== 'failed') return undefined
  return { ...view, flags: (row.flags ?? []).map(toFlagView), proof }
}

/** Says how long a message about a version waits for those about the versions before it. */
export interface EarlierVersions {
  readonly versionId: string
  readonly routeId: string
  /** Ends the wait for a message that is not sent: only versions since then are waited for. */
  readonly unsentSince: Date
  /** Ends the wait for a message that is not even written down, and may not be wanted. */
  readonly unknownSince: Date
}

/** Returns whether an earlier version of the same values has no message on this route yet, and may still get one. */
export async function hasEarlierUnsentVersion(
  tx: Tx,
  orgId: string,
  { versionId, routeId, unsentSince, unknownSince }: EarlierVersions,
): Promise<boolean> {
  const [row] = await tx.query<{ readonly waits: boolean }>({
    name: 'notifications-earlier-version',
    text: `select exists (
        select from config_versions v
        join config_versions p on p.org_id = v.org_id and p.schema_id = v.schema_id
          and p.environment_id = v.environment_id and p.version < v.version and p.version >= v.version - 50
        left join notifications n on n.org_id = p.org_id and n.subject_kind = 'configuration'
          and n.subject_id = p.id and n.route_id = $3
        where v.org_id = $1 and v.id = $2
          and not exists (select from change_request_versions m where m.org_id = p.org_id and m.version_id = p.id)
          and not ${isOfProofSql('p')}
          and case when n.id is null then p.created_at > $5
          else n.state in ('wanted', 'sending') and n.message_id is null and p.created_at > $4 end) as waits`,
    values: [orgId, versionId, routeId, unsentSince, unknownSince],
  })
  return row?.waits ?? false
}

/** Returns whether another message says what a version changed: that of its change request, or that of the change it took back. */
export async function isOfOther(tx: Tx, orgId: string, versionId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'notifications-version-of-other',
    text: `select from change_request_versions where org_id = $1 and version_id = $2
      union all select from config_versions v where v.org_id = $1 and v.id = $2 and ${isOfProofSql('v')}`,
    values: [orgId, versionId],
  })
  return rows.length > 0
}

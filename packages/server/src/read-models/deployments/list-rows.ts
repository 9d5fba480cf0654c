import type { DeploymentState } from '@signalbox/contract'
import type { MessageState, TestRunState } from '@signalbox/contract/rest'
import type { CodehostPerson } from '../../providers/codehosts/repository.ts'
import type { Tx } from '../../store/store.ts'
import { repositoryNamed } from '../../deployments/codehost/repository-rows.ts'
import type { DeployedRef } from '../../deployments/reports/ref-kind.ts'
import type { Relation } from '../../deployments/reports/relate-deployments.ts'
import { failingFirst } from './failing-first.ts'
import { hasFailed, wentLive } from './failed-deployments.ts'

/** Describes a deployment as lists show it. */
export interface DeploymentRow extends DeployedRef {
  readonly id: string
  /** As it is stored: that of a pipeline has a mark before it, because pipelines and hosts may use the same. */
  readonly externalId: string
  readonly repository: string
  /** Says that its repository is at another code host than the connected one. */
  readonly isOfFormerHost: boolean
  readonly sha: string
  readonly hostEnvironment: string
  readonly environmentId: string | null
  readonly state: DeploymentState
  readonly description: string | null
  readonly creator: CodehostPerson | null
  readonly url: string | null
  readonly logUrl: string | null
  readonly commitMessage: string | null
  readonly relation: Relation
  readonly issueKeys: readonly string[]
  /** The newest test run. */
  readonly tests: {
    readonly runId: string
    readonly state: TestRunState
    readonly passed: number | null
    readonly failed: number | null
    readonly flaky: number | null
    readonly contaminated: boolean
  } | null
  readonly messageState: MessageState | null
  readonly committedAt: Date | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** Returns the SQL of a deployment's commit message: as it was reported with it, or read since with the commits of its range. */
export function commitMessageOf(deployment: string): string {
  return `coalesce(${deployment}.commit_message, (select c.message from deployment_commits c
    where c.org_id = ${deployment}.org_id and c.deployment_id = ${deployment}.id and c.sha = ${deployment}.sha limit 1))`
}

/** Tells, of the id of a repository or an account, the instance of the code host that it is of. Empty where ids name none. */
const instanceOf = (id: string) => `coalesce(substring(${id} from '^(.*)/'), '')`

/** One that only pipelines have reported is of no code host. */
const isOfFormerHost = `coalesce(r.external_id is not null and ${instanceOf('r.external_id')} <> (select ${instanceOf('i.account_id')} from integrations i
    where i.org_id = d.org_id and i.kind = 'codehost' and i.state not in ('pending', 'disconnected')), false)`

/** Holds the SQL of what a list or a detail reads of a deployment `d`, in one statement: keys, the test run to show and messages with it. */
export const deploymentColumns = `d.id, d.external_id as "externalId", r.full_name as repository, ${isOfFormerHost} as "isOfFormerHost", d.sha, d.ref,
  d.ref_kind as "refKind", d.host_environment as "hostEnvironment", d.environment_id as "environmentId", d.state,
  d.description, d.creator, d.url, d.log_url as "logUrl",
  ${commitMessageOf('d')} as "commitMessage", d.relation,
  array(select i.key from deployment_issues i where i.org_id = d.org_id and i.deployment_id = d.id
    and i.state in ('linked', 'pending', 'forbidden') order by i.key) as "issueKeys",
  (select json_build_object('runId', t.id, 'state', t.state, 'passed', t.passed, 'failed', t.failed, 'flaky', t.flaky,
      'contaminated', t.contaminated_by is not null)
    from test_runs t where t.org_id = d.org_id and t.deployment_id = d.id and t.config_version is null
    order by ${failingFirst('t')} limit 1) as tests,
  (select n.state from notifications n where n.org_id = d.org_id and n.subject_kind = 'deployment' and n.subject_id = d.id
    order by array_position(array['broken', 'held', 'wanted', 'sending', 'gone', 'live'], n.state) limit 1)
    as "messageState",
  (select c.at from deployment_commits c where c.org_id = d.org_id and c.deployment_id = d.id and c.sha = d.sha
    limit 1) as "committedAt",
  d.created_at as "createdAt", d.started_at as "startedAt", d.finished_at as "finishedAt"`

/** Describes which deployments are listed. */
export interface DeploymentFilter {
  readonly environmentId?: string | undefined
  /** Its full name, in any case. */
  readonly repository?: string | undefined
  readonly branch?: string | undefined
  /** The beginning is enough. */
  readonly sha?: string | undefined
  readonly state?: DeploymentState | undefined
  /** In upper case. Also finds where the key was taken back. */
  readonly issueKey?: string | undefined
  /** Narrows to those that went live or failed, as the delivery figures count them; the period is about that moment then. */
  readonly outcome?: 'live' | 'failed' | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** `exclude`: without those that never went live, and those of an environment that is gone. */
  readonly inactive?: 'include' | 'exclude' | undefined
  /** `null`: of every environment. */
  readonly environmentIds: readonly string[] | null
}

/** Describes where a page of deployments goes on. */
export interface ListPosition {
  readonly createdAt: Date
  readonly id: string
}

interface Clause {
  readonly name: string
  readonly values: readonly unknown[]
  readonly sql: (...parameters: readonly string[]) => string
}

const isActive = `not (d.state = 'superseded' and d.finished_at is null)
  and not exists (select from host_environments h where h.org_id = $1 and h.repository_id = d.repository_id
    and h.name_key = d.host_key and h.removed_at is not null)`

/** Hexadecimal digits come before it. */
const afterHexadecimal = 'g'

function clause(name: string, value: unknown, sql: (parameter: string) => string): Clause[] {
  if (value === undefined || value === null) return []
  return [{ name, values: [value], sql: (parameter = '') => sql(parameter) }]
}

function listClauses(filter: DeploymentFilter, after: ListPosition | undefined): Clause[] {
  const { sha, outcome } = filter
  return [
    ...clause('environment', filter.environmentId, (p) => `d.environment_id = ${p}`),
    ...clause('repository', filter.repository, (p) => `d.repository_id = ${repositoryNamed(p)}`),
    ...clause('reach', filter.environmentIds, (p) => `d.environment_id = any (${p}::text[])`),
    ...clause('branch', filter.branch, (p) => `d.branch = ${p}`),
    ...clause('state', filter.state, (p) => `d.state = ${p}`),
    ...clause(
      'issue',
      filter.issueKey,
      (p) => `d.id in (select deployment_id from deployment_issues
        where org_id = $1 and key = ${p} and state <> 'ignored')`,
    ),
    ...(outcome === undefined
      ? [
          ...clause('from', filter.from, (p) => `d.created_at >= ${p}`),
          ...clause('to', filter.to, (p) => `d.created_at < ${p}`),
        ]
      : [
          {
            name: outcome === 'live' ? 'live' : 'failed',
            values: [filter.from ?? '-infinity', filter.to ?? 'infinity'],
            sql: (p = '', q = '') =>
              (outcome === 'live' ? wentLive : hasFailed)(`${p}::timestamptz`, `${q}::timestamptz`),
          },
        ]),
    ...(filter.inactive === 'exclude' ? [{ name: 'active', values: [], sql: () => isActive }] : []),
    // As a range, because the plan of a prepared statement cannot use the index for a pattern that it does not know yet.
    ...(sha === undefined
      ? []
      : [
          {
            name: 'sha',
            values: [sha, sha + afterHexadecimal],
            sql: (p = '', q = '') => `d.sha ~>=~ ${p} and d.sha ~<~ ${q}`,
          },
        ]),
    ...(after === undefined
      ? []
      : [
          {
            name: 'after',
            values: [after.createdAt, after.id],
            sql: (p = '', q = '') => `(d.created_at, d.id) < (${p}, ${q})`,
          },
        ]),
  ]
}

/**
 * Lists a page of deployments, newest first. Each combination of filters is a statement of its own, with the plan that its index
 * gives it: a condition that holds for whatever was left out would read the whole list instead.
 */
export async function pageDeploymentRows(
  tx: Tx,
  orgId: string,
  filter: DeploymentFilter,
  { after, limit }: { readonly after: ListPosition | undefined; readonly limit: number },
): Promise<DeploymentRow[]> {
  const clauses = listClauses(filter, after)
  const values: unknown[] = [orgId, limit]
  const conditions = clauses.map((clause) =>
    clause.sql(...clause.values.map((value) => `$${values.push(value)}`)),
  )
  const text = `select ${deploymentColumns} from deployments d
      join repositories r on r.org_id = d.org_id and r.id = d.repository_id
      where ${['d.org_id = $1', ...conditions].join(' and ')}
      order by d.created_at desc, d.id desc limit $2`
  // Planned anew, with the key: one that every twentieth deployment names is found by walking down the list, any other by
  // its own rows. A plan for all keys took a second and a half for the former.
  // So is an outcome: of a short period it is found by when it ended.
  const isPlannedAnew = filter.issueKey !== undefined || filter.outcome !== undefined
  const name = isPlannedAnew
    ? ''
    : `page-deployments-${clauses.map((clause) => clause.name).join('-')}`
  return tx.query<DeploymentRow>({ name, text, values })
}

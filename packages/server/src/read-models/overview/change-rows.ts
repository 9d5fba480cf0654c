import type { DeploymentState, ProofState } from '@signalbox/contract'
import type { TestRunState } from '@signalbox/contract/rest'
import type { ChangeSource, ConfigValue, Tier } from '@signalbox/contract'
import type { Author } from '../../audit/audit-event.ts'
import type { CodehostPerson } from '../../providers/codehosts/repository.ts'
import { failingFirst } from '../deployments/failing-first.ts'
import { commitMessageOf } from '../deployments/list-rows.ts'
import type { Tx } from '../../store/store.ts'
import {
  clause,
  commonClauses,
  joinConditions,
  moment,
  repositoryClauses,
  select,
  textClause,
  type ChangeRow,
  type Clause,
  type ListChangeRows,
} from './change-filter.ts'
import { requestOf, type RequestOfChange } from './request-change-rows.ts'

interface DeployTarget {
  readonly id: string
  readonly sha: string
  readonly ref: string
  readonly repository: string
}

interface Proof {
  readonly runId: string
  readonly state: TestRunState
  readonly passed: number | null
  readonly failed: number | null
}

export interface DeploymentChange extends ChangeRow {
  readonly kind: 'deployment'
  readonly repositoryId: string
  readonly target: DeployTarget
  readonly state: DeploymentState
  readonly message: string | null
  readonly creator: CodehostPerson | null
  readonly issueKeys: readonly string[]
  readonly proof: Proof | null
  readonly testRuns: number
  readonly previousId: string | null
  readonly previousSha: string | null
}

/** Describes a finished test run as a change. */
export interface TestRunChange extends ChangeRow {
  readonly kind: 'test_run'
  readonly repositoryId: string | null
  readonly name: string
  readonly proof: Proof
  readonly target: DeployTarget | null
}

/** Describes versions of configuration that one write made, as a change. */
export interface VersionChange extends ChangeRow {
  readonly kind: 'version'
  readonly versionKind: string
  readonly schemaId: string
  readonly schema: string
  readonly version: number
  readonly author: Author
  readonly comment: string | null
  /** The first of them. */
  readonly changes: readonly {
    readonly key: string
    readonly tier: Tier
    readonly change: 'added' | 'changed' | 'removed'
    readonly before?: ConfigValue
    readonly after?: ConfigValue
    /** The texts of a flag's rules, each where there are some. */
    readonly rulesBefore?: string
    readonly rulesAfter?: string
    /** The segments that changed, where the rules of a flag stay and refer to them. */
    readonly segments?: readonly string[]
    readonly sourceBefore?: ChangeSource
    readonly sourceAfter?: ChangeSource
  }[]
  readonly changesTotal: number
  /** True when flags were set and nothing else. A flag that a schema adds does not count. */
  readonly isFlip: boolean
  readonly previous: { readonly versionId: string; readonly version: number } | null
  readonly request: RequestOfChange | null
  readonly proof: ProofOfChange | null
}

/** Describes how a version is watched. */
export interface ProofOfChange {
  readonly id: string
  readonly state: ProofState
  readonly until: string
  readonly waitsFor: string | null
  readonly hasTests: boolean
  readonly reason: string | null
  readonly restoredVersions: readonly {
    readonly environmentId: string
    readonly versionId: string
    readonly version: number
  }[]
  readonly notRestored: string | null
}

const microsOf = (alias: string) =>
  `(extract(epoch from ${alias}.created_at) * 1000000)::bigint as micros`
const targetOf = (d: string, r: string) =>
  `json_build_object('id', ${d}.id, 'sha', ${d}.sha, 'ref', ${d}.ref, 'repository', ${r}.full_name)`
const proofOf = (t: string) =>
  `json_build_object('runId', ${t}.id, 'state', ${t}.state, 'passed', ${t}.passed, 'failed', ${t}.failed)`

const deploymentTexts = `concat_ws(' ', ${commitMessageOf('d')}, d.sha, d.ref, r.full_name)`

/** Lists deployments, newest first. */
export async function listDeploymentChanges(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  of: ListChangeRows,
): Promise<DeploymentChange[]> {
  const { name, where, values } = select('deployment', orgId, of, [
    ...commonClauses(of, 'd'),
    ...repositoryClauses(of),
    ...clause('author', of.author, (p) => `d.creator_name = ${p}`),
    ...textClause(of.text, { table: 'deployments', alias: 'd', columns: deploymentTexts }),
  ])
  return tx.query<DeploymentChange>({
    name,
    text: `select 'deployment' as kind, d.id, d.created_at as at, ${microsOf('d')}, d.environment_id as "environmentId",
        d.repository_id as "repositoryId", ${targetOf('d', 'r')} as target, d.state, ${commitMessageOf('d')} as message, d.creator,
        array(select i.key from deployment_issues i where i.org_id = $1 and i.deployment_id = d.id
          and i.state in ('linked', 'pending', 'forbidden') order by i.key) as "issueKeys",
        (select ${proofOf('t')} from test_runs t where t.org_id = $1 and t.deployment_id = d.id and t.config_version is null
          order by ${failingFirst('t')} limit 1) as proof,
        (select count(*) from test_runs t where t.org_id = $1 and t.deployment_id = d.id)::int as "testRuns",
        p.id as "previousId", p.sha as "previousSha"
      from deployments d join repositories r on r.org_id = $1 and r.id = d.repository_id
        left join deployments p on p.org_id = $1 and p.id = d.previous_successful_id
      where d.org_id = $1 and (d.created_at, d.id) < (${moment}, $3) ${where}
      order by d.created_at desc, d.id desc limit $4`,
    values,
  })
}

/** Describes which test runs are listed: all, or those of no deployment. */
export interface ListTestRunRows extends ListChangeRows {
  readonly isFolded: boolean
}

/** Lists test runs, newest first. */
export async function listTestRunChanges(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  of: ListTestRunRows,
): Promise<TestRunChange[]> {
  const which = of.isFolded ? 'lone-test-run' : 'test-run'
  const { name, where, values } = select(which, orgId, of, [
    ...commonClauses(of, 't'),
    ...repositoryClauses(of),
    ...textClause(of.text, { table: 'test_runs', alias: 't', columns: 't.name' }),
  ])
  return tx.query<TestRunChange>({
    name,
    text: `select 'test_run' as kind, t.id, t.created_at as at, ${microsOf('t')}, t.environment_id as "environmentId", d.repository_id as "repositoryId", t.name,
        ${proofOf('t')} as proof, case when d.id is not null then ${targetOf('d', 'r')} end as target
      from test_runs t left join deployments d on d.org_id = $1 and d.id = t.deployment_id
        left join repositories r on r.org_id = $1 and r.id = d.repository_id
      where t.org_id = $1 and (t.created_at, t.id) < (${moment}, $3) ${which === 'test-run' ? '' : 'and t.deployment_id is null'}${where}
      order by t.created_at desc, t.id desc limit $4`,
    values,
  })
}

const changesShown = 20

/** Describes which versions are listed: all, those that flip flags, or the others. */
export interface ListVersionRows extends ListChangeRows {
  readonly isFlip: boolean | undefined
}

function versionClauses(of: ListVersionRows, v: string, s: string): Clause[] {
  const columns = `concat_ws(' ', ${v}.comment, ${s}.name, array_to_string(${v}.changed_keys, ' '))`
  return [
    ...commonClauses(of, v),
    ...clause('flip', of.isFlip, (p) => `${v}.is_flip = ${p}`),
    ...clause('author', of.author, (p) => `${v}.author_name = ${p}`),
    ...clause('key', of.key, (p) => `${p}::text = any (${v}.changed_keys)`),
    ...textClause(of.text, { table: 'config_versions', alias: v, columns }),
  ]
}

/** Lists versions of configuration, newest first. Of those that a change request made, the first that the filters select. */
export async function listVersionChanges(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  of: ListVersionRows,
): Promise<VersionChange[]> {
  const { name, where, values } = select('version', orgId, of, versionClauses(of, 'v', 's'))
  return tx.query<VersionChange>({
    name,
    text: `select 'version' as kind, v.id, v.created_at as at, ${microsOf('v')}, v.environment_id as "environmentId", v.kind as "versionKind",
        v.schema_id as "schemaId", s.name as schema, v.version, v.author, v.comment,
        (select coalesce(json_agg(c), '[]') from (
          select c from json_array_elements(v.changes) c limit ${changesShown}) c (c)) as changes,
        json_array_length(v.changes) as "changesTotal", v.is_flip as "isFlip",
        (select json_build_object('versionId', p.id, 'version', p.version) from config_versions p
          where p.org_id = $1 and p.schema_id = v.schema_id and p.environment_id = v.environment_id and p.version < v.version
          order by p.version desc limit 1) as previous,
        (select ${requestOf('r')} from change_request_versions m
          join change_requests r on r.org_id = $1 and r.id = m.request_id
          where m.org_id = $1 and m.version_id = v.id) as request,
        (select json_build_object('id', p.id, 'state', p.state, 'until', p.until, 'waitsFor', p.waits_for,
            'hasTests', exists (select from signals g where g.org_id = $1 and g.kind = 'tests' and p.terms -> 'signals' ? g.id), 'reason', p.reason ->> 'detail',
            'restoredVersions', coalesce(p.restored, '[]'), 'notRestored', p.not_restored ->> 'detail')
          from proofs p where p.org_id = $1 and p.version_id = v.id) as proof
      from config_versions v join config_schemas s on s.org_id = $1 and s.id = v.schema_id
      where v.org_id = $1 and (v.created_at, v.id) < (${moment}, $3) ${where}
        and not exists (select from change_request_versions m
          join change_request_versions o on o.org_id = $1 and o.request_id = m.request_id and o.version_id < m.version_id
          join config_versions w on w.org_id = $1 and w.id = o.version_id
          join config_schemas x on x.org_id = $1 and x.id = w.schema_id
          where m.org_id = $1 and m.version_id = v.id ${joinConditions(versionClauses(of, 'w', 'x'))})
      order by v.created_at desc, v.id desc limit $4`,
    values,
  })
}

/** Lists the ids of the repositories that have a name, given in lower case: the code host and a pipeline may each report one. */
export async function listRepositoriesCalled(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  name: string,
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'list-repositories-called',
    text: 'select id from repositories where org_id = $1 and lower(full_name) = $2',
    values: [orgId, name],
  })
  return rows.map(({ id }) => id)
}

import type { DeploymentState } from '@signalbox/contract'
import type { TestRunState } from '@signalbox/contract/rest'
import type { Tier } from '@signalbox/contract'
import type { Author } from '../../audit/audit-event.ts'
import type { CodehostPerson } from '../../providers/codehost.ts'
import { commitMessageOf } from '../deployments/list-rows.ts'
import type { Tx } from '../../store/store.ts'

/** Holds the end of the page before: its moment, and the id, which distinguishes the changes of one moment. */
export interface ChangePosition {
  /** Microseconds since 1970, as the database keeps them: many changes share a millisecond. */
  readonly micros: number
  readonly id: string
}

/** Describes which changes a page has. */
export interface ListChangeRows {
  /** `undefined`: of all environments. */
  readonly environmentId: string | undefined
  readonly after: ChangePosition
  readonly limit: number
}

interface ChangeRow extends ChangePosition {
  readonly at: Date
  readonly environmentId: string | null
}

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

/** Describes a deployment as a change. */
export interface DeploymentChange extends ChangeRow {
  readonly kind: 'deployment'
  readonly target: DeployTarget
  readonly state: DeploymentState
  readonly message: string | null
  readonly creator: CodehostPerson | null
  readonly issueKeys: readonly string[]
  readonly proof: Proof | null
  readonly previousId: string | null
  readonly previousSha: string | null
}

/** Describes a finished test run as a change. */
export interface TestRunChange extends ChangeRow {
  readonly kind: 'test_run'
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
    readonly before?: unknown
    readonly after?: unknown
    /** The texts of a flag's rules, each where there are some. */
    readonly rulesBefore?: string
    readonly rulesAfter?: string
  }[]
  readonly changesTotal: number
  /** True when nothing but flags was changed. */
  readonly isFlags: boolean
  readonly previousVersionId: string | null
}

/** A page of each kind is read by its own statement: one for all environments has another index than one for a single one. */
function within({ environmentId }: ListChangeRows, alias: string): string {
  return environmentId === undefined ? '' : `and ${alias}.environment_id = $5`
}

function nameOf(what: string, { environmentId }: ListChangeRows): string {
  return `list-${what}-changes${environmentId === undefined ? '' : '-of-environment'}`
}

function valuesOf(orgId: string, { after, limit, environmentId }: ListChangeRows): unknown[] {
  const values = [orgId, after.micros, after.id, limit]
  return environmentId === undefined ? values : [...values, environmentId]
}

const microsOf = (alias: string) =>
  `(extract(epoch from ${alias}.created_at) * 1000000)::bigint as micros`
const moment = `'epoch'::timestamptz + $2::bigint * interval '1 microsecond'`
const targetOf = (d: string, r: string) =>
  `json_build_object('id', ${d}.id, 'sha', ${d}.sha, 'ref', ${d}.ref, 'repository', ${r}.full_name)`
const proofOf = (t: string) =>
  `json_build_object('runId', ${t}.id, 'state', ${t}.state, 'passed', ${t}.passed, 'failed', ${t}.failed)`

/** Lists deployments, newest first. */
export async function listDeploymentChanges(
  tx: Tx,
  orgId: string,
  of: ListChangeRows,
): Promise<DeploymentChange[]> {
  return tx.query<DeploymentChange>({
    name: nameOf('deployment', of),
    text: `select 'deployment' as kind, d.id, d.created_at as at, ${microsOf('d')}, d.environment_id as "environmentId",
        ${targetOf('d', 'r')} as target, d.state, ${commitMessageOf('d')} as message, d.creator,
        array(select i.key from deployment_issues i where i.org_id = $1 and i.deployment_id = d.id
          and i.state in ('linked', 'pending', 'forbidden') order by i.key) as "issueKeys",
        (select ${proofOf('t')} from test_runs t where t.org_id = $1 and t.deployment_id = d.id
          order by t.created_at desc, t.id desc limit 1) as proof,
        p.id as "previousId", p.sha as "previousSha"
      from deployments d join repositories r on r.org_id = $1 and r.id = d.repository_id
        left join deployments p on p.org_id = $1 and p.id = d.previous_successful_id
      where d.org_id = $1 and (d.created_at, d.id) < (${moment}, $3) ${within(of, 'd')}
      order by d.created_at desc, d.id desc limit $4`,
    values: valuesOf(orgId, of),
  })
}

/** Lists test runs, newest first. */
export async function listTestRunChanges(
  tx: Tx,
  orgId: string,
  of: ListChangeRows,
): Promise<TestRunChange[]> {
  return tx.query<TestRunChange>({
    name: nameOf('test-run', of),
    text: `select 'test_run' as kind, t.id, t.created_at as at, ${microsOf('t')}, t.environment_id as "environmentId", t.name,
        ${proofOf('t')} as proof, case when d.id is not null then ${targetOf('d', 'r')} end as target
      from test_runs t left join deployments d on d.org_id = $1 and d.id = t.deployment_id
        left join repositories r on r.org_id = $1 and r.id = d.repository_id
      where t.org_id = $1 and (t.created_at, t.id) < (${moment}, $3) ${within(of, 't')}
      order by t.created_at desc, t.id desc limit $4`,
    values: valuesOf(orgId, of),
  })
}

const changesShown = 20

/** Lists versions of configuration, newest first. */
export async function listVersionChanges(
  tx: Tx,
  orgId: string,
  of: ListChangeRows,
): Promise<VersionChange[]> {
  return tx.query<VersionChange>({
    name: nameOf('version', of),
    text: `select 'version' as kind, v.id, v.created_at as at, ${microsOf('v')}, v.environment_id as "environmentId", v.kind as "versionKind",
        v.schema_id as "schemaId", s.name as schema, v.version, v.author, v.comment,
        (select coalesce(json_agg(c), '[]') from (
          select c from json_array_elements(v.changes) c limit ${changesShown}) c (c)) as changes,
        json_array_length(v.changes) as "changesTotal",
        json_array_length(v.changes) > 0 and not exists (
          select from json_array_elements(v.changes) c where c ->> 'tier' <> 'featureFlags') as "isFlags",
        (select p.id from config_versions p where p.org_id = $1 and p.schema_id = v.schema_id
          and p.environment_id = v.environment_id and p.version = v.version - 1) as "previousVersionId"
      from config_versions v join config_schemas s on s.org_id = $1 and s.id = v.schema_id
      where v.org_id = $1 and (v.created_at, v.id) < (${moment}, $3) ${within(of, 'v')}
      order by v.created_at desc, v.id desc limit $4`,
    values: valuesOf(orgId, of),
  })
}

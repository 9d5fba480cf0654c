import type { TestRunState } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'
import { isOverSql } from '../../jobs/stored-pause.ts'
import type { TestRun } from './test-run.ts'

/** Field -> column. The organization and the id stand apart: neither ever changes. */
const fields = {
  deploymentId: 'deployment_id',
  environmentId: 'environment_id',
  repositoryId: 'repository_id',
  ruleKey: 'rule_key',
  name: 'name',
  workflowId: 'workflow_id',
  externalId: 'external_id',
  attempt: 'attempt',
  state: 'state',
  stateRank: 'state_rank',
  stateReason: 'state_reason',
  requestedRef: 'requested_ref',
  deployedSha: 'deployed_sha',
  testedSha: 'tested_sha',
  configVersion: 'config_version',
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  flaky: 'flaky',
  reportNotes: 'report_notes',
  durationMs: 'duration_ms',
  url: 'url',
  contaminatedBy: 'contaminated_by',
  decidedBy: 'decided_by',
  workflowOutcome: 'workflow_outcome',
  reportOutcome: 'report_outcome',
  dispatchedAt: 'dispatched_at',
  deadlineMinutes: 'deadline_minutes',
  deadlineAt: 'deadline_at',
  createdAt: 'created_at',
  startedAt: 'started_at',
  finishedAt: 'finished_at',
} as const satisfies Record<Exclude<keyof TestRun, 'id'>, string>

const names = Object.keys(fields).filter((name): name is keyof typeof fields => name in fields)
const columnList = names.map((name) => fields[name]).join(', ')
const placeholders = names.map((_, index) => `$${index + 3}`).join(', ')
const assignments = names.map((name, index) => `${fields[name]} = $${index + 3}`).join(', ')
// A bigint comes as text, and no test runs for as long as a double counts milliseconds exactly.
const selected = ['id', ...names.map((name) => `${asNumber(name)} as "${name}"`)].join(', ')

function asNumber(name: keyof typeof fields): string {
  return name === 'durationMs' ? `${fields[name]}::float8` : fields[name]
}

const valuesOf = (orgId: string, run: TestRun) => [orgId, run.id, ...names.map((name) => run[name])]

/** Adds a run; `false` when the deployment has one of this rule already, or the code host's run is known. */
export async function insertRun(tx: Tx, orgId: string, run: TestRun): Promise<boolean> {
  const rows = await tx.query({
    name: 'insert-test-run',
    text: `insert into test_runs (org_id, id, ${columnList}) values ($1, $2, ${placeholders})
      on conflict do nothing returning id`,
    values: valuesOf(orgId, run),
  })
  return rows.length === 1
}

/** Returns whether the tests of a rule began before the last job of the deployment had deployed, and none of them waits to begin. */
export async function haveTestedPart(
  tx: Tx,
  orgId: string,
  of: { readonly deploymentId: string; readonly ruleKey: string; readonly liveAt: Date },
): Promise<boolean> {
  const rows = await tx.query({
    name: 'have-tests-tested-a-part',
    text: `select from test_runs r where r.org_id = $1 and r.deployment_id = $2 and r.rule_key = $3 and r.dispatched_at < $4
        and not exists (select from test_runs waiting where waiting.org_id = $1 and waiting.deployment_id = $2
          and waiting.workflow_id = r.workflow_id and waiting.state = 'planned')`,
    values: [orgId, of.deploymentId, of.ruleKey, of.liveAt],
  })
  return rows.length > 0
}

export async function updateRun(tx: Tx, orgId: string, run: TestRun): Promise<void> {
  await tx.query({
    name: 'update-test-run',
    text: `update test_runs set ${assignments} where org_id = $1 and id = $2`,
    values: valuesOf(orgId, run),
  })
}

/** Finds a run by its id. */
export async function findRun(tx: Tx, orgId: string, id: string): Promise<TestRun | undefined> {
  const [run] = await tx.query<TestRun>({
    name: 'find-test-run',
    text: `select ${selected} from test_runs where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return run
}

/** Lists the runs that proofs asked for by these rules. */
export async function listRunsOfProofs(
  tx: Tx,
  orgId: string,
  ruleKeys: readonly string[],
): Promise<TestRun[]> {
  return tx.query<TestRun>({
    name: 'list-test-runs-of-proofs',
    text: `select ${selected} from test_runs
      where org_id = $1 and rule_key = any ($2) and rule_key like 'proof:%'`,
    values: [orgId, ruleKeys],
  })
}

/** Locks a run until the end of the transaction: reports of it are merged one after the other. */
export async function lockRun(tx: Tx, orgId: string, id: string): Promise<TestRun | undefined> {
  const [run] = await tx.query<TestRun>({
    name: 'lock-test-run',
    text: `select ${selected} from test_runs where org_id = $1 and id = $2 for update`,
    values: [orgId, id],
  })
  return run
}

/** Locks the newest run that a person requested for a deployment and that could not be sent. */
export async function lockUnsentRun(
  tx: Tx,
  orgId: string,
  of: { readonly deploymentId: string; readonly workflowId: string; readonly ref: string },
): Promise<TestRun | undefined> {
  const [run] = await tx.query<TestRun>({
    name: 'lock-unsent-test-run',
    text: `select ${selected} from test_runs
      where org_id = $1 and deployment_id = $2 and workflow_id = $3 and requested_ref = $4 and state = 'planned'
        and dispatched_at is null and state_reason is not null and rule_key like 'asked:%'
      order by created_at desc limit 1 for update`,
    values: [orgId, of.deploymentId, of.workflowId, of.ref],
  })
  return run
}

/** Locks the run of the code host's id until the end of the transaction. */
export async function lockRunByExternalId(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string | null; readonly externalId: string },
): Promise<TestRun | undefined> {
  const [run] = await tx.query<TestRun>({
    name: 'lock-test-run-by-external-id',
    text: `select ${selected} from test_runs
      where org_id = $1 and coalesce(repository_id, '') = $2 and external_id = $3 for update`,
    values: [orgId, of.repositoryId ?? '', of.externalId],
  })
  return run
}

/** Moves the runs of deployments into the repositories that these are in now. One whose id another run has there stays. */
export async function moveTestRuns(
  tx: Tx,
  orgId: string,
  moved: readonly { readonly id: string; readonly repositoryId: string }[],
): Promise<void> {
  if (moved.length === 0) return
  await tx.query({
    name: 'move-test-runs',
    text: `update test_runs t set repository_id = d.into_id
      from unnest($2::text[], $3::text[]) as d (id, into_id)
      where t.org_id = $1 and t.deployment_id = d.id and not exists (select from test_runs o
        where o.org_id = $1 and coalesce(o.repository_id, '') = d.into_id and o.external_id = t.external_id)`,
    values: [orgId, moved.map(({ id }) => id), moved.map(({ repositoryId }) => repositoryId)],
  })
}

/** Returns whether the code host was asked for a run of this repository, by a test run or a dispatch, and has not named it yet. */
export async function isRunExpected(tx: Tx, orgId: string, repositoryId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'is-test-run-expected',
    text: `select 1 as found from test_runs
        where org_id = $1 and repository_id = $2 and external_id is null and state in ('dispatching', 'unknown')
      union all select 1 from workflow_dispatches
        where org_id = $1 and repository_id = $2 and state in ('requested', 'ambiguous') and reason is null
      limit 1`,
    values: [orgId, repositoryId],
  })
  return rows.length > 0
}

/** Describes which runs are listed. */
export interface RunFilter {
  readonly deploymentId?: string | undefined
  readonly environmentId?: string | undefined
  /** Runs that were reported without a repository have none. */
  readonly repositoryId?: string | undefined
  readonly state?: TestRunState | undefined
  /** `null`: whatever their environment. */
  readonly environmentIds: readonly string[] | null
}

/** Describes where the next page of runs begins. */
export interface RunPosition {
  readonly createdAt: Date
  readonly id: string
}

interface Clause {
  readonly name: string
  readonly value: unknown
  readonly sql: (parameter: string) => string
}

function clause(name: string, value: unknown, sql: Clause['sql']): Clause[] {
  return value === undefined || value === null ? [] : [{ name, value, sql }]
}

function listClauses(filter: RunFilter): Clause[] {
  return [
    ...clause('deployment', filter.deploymentId, (p) => `deployment_id = ${p}`),
    ...clause('environment', filter.environmentId, (p) => `environment_id = ${p}`),
    ...clause('repository', filter.repositoryId, (p) => `repository_id = ${p}`),
    ...clause('state', filter.state, (p) => `state = ${p}`),
    ...clause('reach', filter.environmentIds, (p) => `environment_id = any (${p}::text[])`),
  ]
}

/** Lists runs after a position, newest first. Each combination of filters is a statement of its own, with the plan of its index. */
export async function pageRuns(
  tx: Tx,
  orgId: string,
  filter: RunFilter,
  { after, limit }: { readonly after: RunPosition | undefined; readonly limit: number },
): Promise<TestRun[]> {
  const clauses = listClauses(filter)
  const values: unknown[] = [orgId, limit, after?.createdAt ?? 'infinity', after?.id ?? '']
  const conditions = clauses.map(({ value, sql }) => sql(`$${values.push(value)}`))
  return tx.query<TestRun>({
    name: `page-test-runs-${clauses.map(({ name }) => name).join('-')}`,
    text: `select ${selected} from test_runs
      where ${['org_id = $1 and (created_at, id) < ($3::timestamptz, $4)', ...conditions].join(' and ')}
      order by created_at desc, id desc limit $2`,
    values,
  })
}

/** Lists the runs of deployments that were under way at a moment and still count. */
export async function listRunsUnderWay(
  tx: Tx,
  orgId: string,
  at: Date,
): Promise<{ readonly id: string; readonly deploymentId: string }[]> {
  const underWay = `select id, deployment_id from test_runs
    where org_id = $1 and deployment_id is not null and contaminated_by is null and started_at < $2`
  // In two parts, because each has an index of its own.
  return tx.query({
    name: 'list-test-runs-under-way',
    text: `select id, deployment_id as "deploymentId" from (
        ${underWay} and state in ('planned', 'dispatching', 'unknown', 'queued', 'running') and finished_at is null
        union all ${underWay} and finished_at >= $2) r
      order by id limit 10000`,
    values: [orgId, at],
  })
}

/** Lists the runs of every organization whose time is over, but for some, oldest first. For maintenance. */
export async function listOverdueRuns(
  tx: Tx,
  {
    now,
    except,
    limit,
  }: { readonly now: Date; readonly except: readonly string[]; readonly limit: number },
): Promise<{ readonly orgId: string; readonly id: string }[]> {
  return tx.query({
    name: 'list-overdue-test-runs',
    text: `select org_id as "orgId", id from test_runs
      where finished_at is null and deadline_at is not null and ${isOverSql('deadline_at', '$1', '2 days')}
        and id <> all ($2::text[]) order by deadline_at limit $3`,
    values: [now, except, limit],
  })
}

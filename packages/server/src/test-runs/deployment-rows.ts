import type { Tx } from '../store/store.ts'

/** What the tests of a deployment need to know of it. */
export interface TestedDeployment {
  readonly id: string
  readonly state: string
  readonly repositoryId: string
  readonly repositoryExternalId: string | null
  readonly defaultBranch: string
  readonly sha: string
  readonly ref: string
  readonly refKind: 'branch' | 'tag' | 'sha'
  readonly hostEnvironment: string
  readonly environmentId: string | null
  /** Of the environment; a name of the host that looks like production counts where none is mapped. */
  readonly isProduction: boolean
  readonly url: string | null
  /** When it went live. */
  readonly liveAt: Date
  readonly isReplaced: boolean
}

const wasLive = `('success', 'superseded', 'rolled_back')`

/** A deployment, and whether a later one to the same place has succeeded. */
export async function findTestedDeployment(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<TestedDeployment | undefined> {
  const [row] = await tx.query<TestedDeployment>({
    name: 'find-tested-deployment',
    text: `select d.id, d.state, d.repository_id as "repositoryId", r.external_id as "repositoryExternalId",
        r.default_branch as "defaultBranch", d.sha, d.ref, d.ref_kind as "refKind",
        d.host_environment as "hostEnvironment", d.environment_id as "environmentId",
        coalesce(e.production, d.host_environment ~* '^(live|prod)') as "isProduction", d.url,
        coalesce(d.finished_at, d.created_at) as "liveAt",
        exists (select from deployments later
          where later.org_id = d.org_id and later.repository_id = d.repository_id
            and lower(later.host_environment) = lower(d.host_environment) and later.task = d.task
            and later.state in ${wasLive} and (later.created_at, later.id) > (d.created_at, d.id)) as "isReplaced"
      from deployments d
      join repositories r on r.org_id = d.org_id and r.id = d.repository_id
      left join environments e on e.org_id = d.org_id and e.id = d.environment_id
      where d.org_id = $1 and d.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** The first deployment that went live, at the place of `deploymentId`, from one moment to another. */
export async function findIntruder(
  tx: Tx,
  orgId: string,
  of: { readonly deploymentId: string; readonly from: Date; readonly to: Date },
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'find-intruding-deployment',
    text: `select other.id from deployments d
      join deployments other on other.org_id = d.org_id and other.repository_id = d.repository_id
        and lower(other.host_environment) = lower(d.host_environment) and other.task = d.task
        and other.state in ${wasLive} and other.id <> d.id
      where d.org_id = $1 and d.id = $2
        and coalesce(other.finished_at, other.created_at) > $3
        and coalesce(other.finished_at, other.created_at) <= $4
      order by coalesce(other.finished_at, other.created_at) limit 1`,
    values: [orgId, of.deploymentId, of.from, of.to],
  })
  return row?.id
}

/** The runs of other deployments to the same place that were under way when `deploymentId` went live. */
export async function listDisturbedRuns(
  tx: Tx,
  orgId: string,
  deploymentId: string,
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'list-disturbed-test-runs',
    text: `select t.id from deployments d
      join deployments other on other.org_id = d.org_id and other.repository_id = d.repository_id
        and lower(other.host_environment) = lower(d.host_environment) and other.task = d.task and other.id <> d.id
      join test_runs t on t.org_id = d.org_id and t.deployment_id = other.id
      where d.org_id = $1 and d.id = $2 and d.state in ${wasLive} and t.contaminated_by is null
        and t.started_at < coalesce(d.finished_at, d.created_at)
        and (t.finished_at is null or t.finished_at >= coalesce(d.finished_at, d.created_at))
      order by t.id limit 1000`,
    values: [orgId, deploymentId],
  })
  return rows.map(({ id }) => id)
}

/** What the settings of the connected code host say of tests, as it is stored; `undefined` without one. */
export async function findTestSettings(tx: Tx, orgId: string): Promise<unknown> {
  const [row] = await tx.query<{ readonly workflows: unknown }>({
    name: 'find-test-settings',
    text: `select settings -> 'testWorkflows' as workflows from integrations
      where org_id = $1 and kind = 'codehost' and state in ('connected', 'degraded')`,
    values: [orgId],
  })
  return row?.workflows
}

/** The environment of this name, whichever case it is written in. */
export async function findEnvironmentId(
  tx: Tx,
  orgId: string,
  name: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'find-tested-environment',
    text: 'select id from environments where org_id = $1 and lower(name) = lower($2)',
    values: [orgId, name],
  })
  return row?.id
}

/** The repository that the code host knows by this number. */
export async function findRepositoryId(
  tx: Tx,
  orgId: string,
  externalId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'find-tested-repository',
    text: 'select id from repositories where org_id = $1 and external_id = $2',
    values: [orgId, externalId],
  })
  return row?.id
}

/** The code host's number of a repository. */
export async function findRepositoryExternalId(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly externalId: string | null }>({
    name: 'find-tested-repository-external-id',
    text: 'select external_id as "externalId" from repositories where org_id = $1 and id = $2',
    values: [orgId, id],
  })
  return row?.externalId ?? undefined
}

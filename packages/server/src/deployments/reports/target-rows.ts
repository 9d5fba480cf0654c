import type { Tx } from '../../store/store.ts'

/** Describes a deployment, and how it lies to the others on its target: same repository, host environment and task. */
export interface DeploymentOnTarget {
  readonly id: string
  /** The code host's id; `null` where a pipeline reported it. */
  readonly externalId: string | null
  readonly state: string
  readonly repositoryId: string
  readonly repositoryExternalId: string | null
  readonly defaultBranch: string
  readonly sha: string
  readonly ref: string
  readonly refKind: 'branch' | 'tag' | 'sha'
  readonly hostEnvironment: string
  readonly environmentId: string | null
  readonly url: string | null
  /** When it went live; when it was created, as long as it has not ended. */
  readonly liveAt: Date
  /** It went live, though it may have been replaced since. */
  readonly wasLive: boolean
  /** It has not ended. That includes a deployment that a further job of its run continues. */
  readonly isUnderWay: boolean
  /** Several jobs of a run made it. */
  readonly hasJobs: boolean
  /** A later deployment on the target has succeeded. */
  readonly isReplaced: boolean
}

const liveStates = `('success', 'superseded', 'rolled_back')`

/** Finds a deployment, and whether a later one on its target has succeeded. */
export async function findDeploymentOnTarget(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DeploymentOnTarget | undefined> {
  const [row] = await tx.query<DeploymentOnTarget>({
    name: 'find-deployment-on-target',
    text: `select d.id, d.external_id as "externalId", d.state, d.repository_id as "repositoryId", r.external_id as "repositoryExternalId",
        r.default_branch as "defaultBranch", d.sha, d.ref, d.ref_kind as "refKind",
        d.host_environment as "hostEnvironment", d.environment_id as "environmentId", d.url,
        coalesce(d.finished_at, d.created_at) as "liveAt", d.state in ${liveStates} as "wasLive",
        d.state in ('waiting', 'queued', 'pending', 'in_progress') as "isUnderWay",
        exists (select from deployment_jobs j where j.org_id = d.org_id and j.deployment_id = d.id) as "hasJobs",
        exists (select from deployments later
          where later.org_id = d.org_id and later.repository_id = d.repository_id
            and later.host_key = d.host_key and later.task = d.task
            and later.state in ${liveStates} and (later.created_at, later.position_at, later.external_id)
              > (d.created_at, d.position_at, d.external_id)) as "isReplaced"
      from deployments d join repositories r on r.org_id = d.org_id and r.id = d.repository_id
      where d.org_id = $1 and d.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Finds the newest deployment of a repository of the code host that is live in an environment. */
export async function findLiveDeployment(
  tx: Tx,
  orgId: string,
  of: { readonly environmentId: string; readonly repository: string },
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'find-live-deployment',
    text: `select d.id from deployments d join repositories r on r.org_id = d.org_id and r.id = d.repository_id
      where d.org_id = $1 and d.environment_id = $2 and d.state = 'success'
        and r.external_id is not null and lower(r.full_name) = lower($3)
      order by d.position_at desc, d.external_id desc limit 1`,
    values: [orgId, of.environmentId, of.repository],
  })
  return row?.id
}

/** Describes a deployment that went live. */
export interface Deployed {
  readonly environmentId: string
  readonly deploymentId: string
  readonly at: Date
}

/** Lists the deployments that went live in environments after a moment, oldest first. */
export async function listDeployed(
  tx: Tx,
  orgId: string,
  of: { readonly environmentIds: readonly string[]; readonly since: Date },
): Promise<Deployed[]> {
  return tx.query<Deployed>({
    name: 'list-deployed',
    text: `select environment_id as "environmentId", id as "deploymentId", succeeded_at as at from deployments
      where org_id = $1 and succeeded_at > $3 and environment_id = any ($2)
      order by succeeded_at, id limit 1000`,
    values: [orgId, of.environmentIds, of.since],
  })
}

/** Finds the first deployment that went live on the target of another one, after `from` and until `to`. */
export async function findLiveOnTarget(
  tx: Tx,
  orgId: string,
  of: { readonly deploymentId: string; readonly from: Date; readonly to: Date },
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'find-live-on-target',
    text: `select other.id from deployments d
      join deployments other on other.org_id = d.org_id and other.repository_id = d.repository_id
        and other.host_key = d.host_key and other.task = d.task
        and other.state in ${liveStates} and other.id <> d.id
      where d.org_id = $1 and d.id = $2
        and coalesce(other.finished_at, other.created_at) > $3
        and coalesce(other.finished_at, other.created_at) <= $4
      order by coalesce(other.finished_at, other.created_at) limit 1`,
    values: [orgId, of.deploymentId, of.from, of.to],
  })
  return row?.id
}

/** Returns those of `ids` that are on the target of a deployment, without the deployment itself. */
export async function keepOnTarget(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'keep-on-target',
    text: `select other.id from deployments d
      join deployments other on other.org_id = d.org_id and other.repository_id = d.repository_id
        and other.host_key = d.host_key and other.task = d.task and other.id <> d.id
      where d.org_id = $1 and d.id = $2 and other.id = any ($3)`,
    values: [orgId, deploymentId, ids],
  })
  return new Set(rows.map(({ id }) => id))
}

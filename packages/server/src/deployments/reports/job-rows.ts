import type { Tx } from '../../store/store.ts'
import type { JobState } from './combine-jobs.ts'
import type { DeploymentFacts } from './deployment-rows.ts'

/**
 * Finds the deployment that a job deploys with: that of another job of the same run, to the same environment. A job that runs a second
 * time deploys anew, and so does one that deploys after something else was deployed there.
 */
export async function findDeploymentOfRun(
  tx: Tx,
  orgId: string,
  of: DeploymentFacts & { readonly repositoryId: string },
): Promise<string | undefined> {
  if (of.run === null) return undefined
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'find-deployment-of-run',
    text: `select d.id from deployments d
      where d.org_id = $1 and d.repository_id = $2 and d.run_id = $3 and d.sha = $4 and d.host_key = lower($5) and d.task = $6
        and not exists (select from deployment_statuses s
          where s.org_id = $1 and s.deployment_id = d.id and s.job_name = $7)
        and not exists (select from deployments other
          where other.org_id = $1 and other.repository_id = $2 and other.host_key = d.host_key and other.task = $6 and other.id <> d.id
            and other.created_at > least(d.created_at, $8) and other.created_at < greatest(d.created_at, $8))
      order by d.created_at desc, d.id desc limit 1`,
    values: [
      orgId,
      of.repositoryId,
      of.run.id,
      of.sha,
      of.hostEnvironment,
      of.task,
      of.run.job,
      of.createdAt,
    ],
  })
  return row?.id
}

/** Adds a job to a deployment, which then began when the first of its jobs did. */
export async function insertJob(
  tx: Tx,
  orgId: string,
  id: string,
  of: Pick<DeploymentFacts, 'externalId' | 'createdAt'> & { readonly repositoryId: string },
): Promise<void> {
  await tx.query({
    name: 'insert-deployment-job',
    text: `with job as (insert into deployment_jobs (org_id, repository_id, external_id, deployment_id) values ($1, $2, $3, $4))
      update deployments set created_at = least(created_at, $5) where org_id = $1 and id = $4`,
    values: [orgId, of.repositoryId, of.externalId, id, of.createdAt],
  })
}

/** Lists how the jobs of a deployment stand: mostly one. */
export async function listJobStates(tx: Tx, orgId: string, id: string): Promise<JobState[]> {
  return tx.query<JobState>({
    name: 'list-job-states',
    text: `select
        (select s.state from deployment_statuses s where s.org_id = $1 and s.deployment_id = $2 and s.job = j.job
          order by s.external_id desc limit 1) as state,
        (select s.state from deployment_statuses s where s.org_id = $1 and s.deployment_id = $2 and s.job = j.job
          and s.state <> 'inactive' order by s.external_id desc limit 1) as "lastWord"
      from (select '' as job union all
        select external_id from deployment_jobs where org_id = $1 and deployment_id = $2) j`,
    values: [orgId, id],
  })
}

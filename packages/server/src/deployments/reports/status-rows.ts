import type { CodehostStatus } from '../../providers/codehosts/deployment.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a status of one of the jobs of a deployment. */
export interface StatusOfJob extends CodehostStatus {
  /** Empty: of the job that the deployment was recorded for; else the external id of another one. */
  readonly job: string
  readonly jobName: string | null
}

/** Stores a status. Returns `false` when it is stored already. */
export async function insertStatus(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  status: StatusOfJob,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'insert-deployment-status',
    text: `insert into deployment_statuses
        (org_id, deployment_id, external_id, state, environment, description, url, log_url, at, job, job_name)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning deployment_id`,
    values: [
      orgId,
      deploymentId,
      status.externalId,
      status.state,
      status.environment,
      status.description,
      status.environmentUrl,
      status.logUrl,
      status.at,
      status.job,
      status.jobName,
    ],
  })
  return rows.length > 0
}

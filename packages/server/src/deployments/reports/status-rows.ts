import type { CodehostStatus } from '../../providers/codehost.ts'
import type { Tx } from '../../store/store.ts'

/** Stores a status. Returns `false` when it is stored already. */
export async function insertStatus(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  status: CodehostStatus,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'insert-deployment-status',
    text: `insert into deployment_statuses
        (org_id, deployment_id, external_id, state, environment, description, url, log_url, at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning deployment_id`,
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
    ],
  })
  return rows.length > 0
}

import type { Tx } from '../store/store.ts'
import type { IssueEvidence } from './issue-keys.ts'

export interface DeploymentIssueRow {
  readonly key: string
  readonly state: 'linked' | 'reverted' | 'not_found' | 'forbidden' | 'pending' | 'ignored'
  readonly reason: string | null
  readonly issueId: string | null
  readonly evidence: readonly IssueEvidence[]
}

/** The keys of a deployment, of which there are at most fifty. */
export async function listDeploymentIssueRows(
  tx: Tx,
  orgId: string,
  deploymentId: string,
): Promise<DeploymentIssueRow[]> {
  return tx.query<DeploymentIssueRow>({
    name: 'list-deployment-issues',
    text: `select key, state, reason, issue_id as "issueId", evidence from deployment_issues
      where org_id = $1 and deployment_id = $2 order by key`,
    values: [orgId, deploymentId],
  })
}

export async function writeDeploymentIssueRows(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  rows: readonly DeploymentIssueRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.query({
    name: 'write-deployment-issues',
    text: `insert into deployment_issues (org_id, deployment_id, key, state, reason, issue_id, evidence)
      select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::json[])
      on conflict (org_id, deployment_id, key) do update set state = excluded.state, reason = excluded.reason,
        issue_id = excluded.issue_id, evidence = excluded.evidence`,
    values: [
      orgId,
      deploymentId,
      rows.map(({ key }) => key),
      rows.map(({ state }) => state),
      rows.map(({ reason }) => reason),
      rows.map(({ issueId }) => issueId),
      rows.map(({ evidence }) => JSON.stringify(evidence)),
    ],
  })
}

export async function deleteDeploymentIssueRows(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  await tx.query({
    name: 'delete-deployment-issues',
    text: 'delete from deployment_issues where org_id = $1 and deployment_id = $2 and key = any ($3)',
    values: [orgId, deploymentId, keys],
  })
}

import type { Tx } from '../../store/store.ts'
import type { IssueEvidence } from './issue-keys.ts'

/** Describes an issue key of a deployment as it is stored. */
export interface DeploymentIssueRow {
  readonly key: string
  readonly state: 'linked' | 'reverted' | 'not_found' | 'forbidden' | 'pending' | 'ignored'
  readonly reason: string | null
  readonly issueId: string | null
  readonly evidence: readonly IssueEvidence[]
  /** When the tracker was last asked for it; `null`: never. */
  readonly askedAt: Date | null
}

/** Lists the keys of a deployment, of which there are at most 500. */
export async function listDeploymentIssueRows(
  tx: Tx,
  orgId: string,
  deploymentId: string,
): Promise<DeploymentIssueRow[]> {
  return tx.query<DeploymentIssueRow>({
    name: 'list-deployment-issues',
    text: `select key, state, reason, issue_id as "issueId", evidence, asked_at as "askedAt" from deployment_issues
      where org_id = $1 and deployment_id = $2 order by key`,
    values: [orgId, deploymentId],
  })
}

/** Writes keys of a deployment, and since when each has its state. */
export async function writeDeploymentIssueRows(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  { rows, at }: { readonly rows: readonly DeploymentIssueRow[]; readonly at: Date },
): Promise<void> {
  if (rows.length === 0) return
  await tx.query({
    name: 'write-deployment-issues',
    text: `insert into deployment_issues as n (org_id, deployment_id, state_since, key, state, reason, issue_id, evidence, asked_at)
      select $1, $2, $3, * from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::json[], $9::timestamptz[])
      on conflict (org_id, deployment_id, key) do update set state = excluded.state, reason = excluded.reason,
        issue_id = excluded.issue_id, evidence = excluded.evidence, asked_at = excluded.asked_at,
        state_since = case when n.state = excluded.state then n.state_since else excluded.state_since end`,
    values: [
      orgId,
      deploymentId,
      at,
      rows.map(({ key }) => key),
      rows.map(({ state }) => state),
      rows.map(({ reason }) => reason),
      rows.map(({ issueId }) => issueId),
      rows.map(({ evidence }) => JSON.stringify(evidence)),
      rows.map(({ askedAt }) => askedAt),
    ],
  })
}

/** Deletes keys of a deployment. */
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

/** Names a deployment, and a key that it contains. */
export interface NamingDeployment {
  readonly deploymentId: string
  readonly key: string
}

/** Lists the newest deployments that name an issue, by its key or by a former one. */
export async function listNamingDeployments(
  tx: Tx,
  orgId: string,
  {
    key,
    externalId,
    limit,
  }: { readonly key: string; readonly externalId: string; readonly limit: number },
): Promise<NamingDeployment[]> {
  return tx.query<NamingDeployment>({
    name: 'list-deployments-naming-issue',
    text: `select deployment_id as "deploymentId", key from (
        select deployment_id, key from deployment_issues where org_id = $1 and key = $2 and state <> 'ignored'
        union
        select n.deployment_id, n.key from issues i join deployment_issues n on n.org_id = i.org_id and n.issue_id = i.id
        where i.org_id = $1 and i.external_id = $3 and n.state <> 'ignored'
      ) named order by deployment_id desc, key limit $4`,
    values: [orgId, key, externalId, limit],
  })
}

/** Records that the tracker was asked for keys, or could not be. */
export async function markIssuesAsked(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  { keys, at }: { readonly keys: readonly string[]; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'mark-issues-asked',
    text: `update deployment_issues set asked_at = $4 where org_id = $1 and deployment_id = $2 and key = any ($3)`,
    values: [orgId, deploymentId, keys, at],
  })
}

/** Stores why keys are not looked up yet. Returns whether the reason is new. */
export async function notePendingIssues(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  {
    keys,
    reason,
    at,
  }: { readonly keys: readonly string[]; readonly reason: string; readonly at: Date },
): Promise<boolean> {
  const rows = await tx.query({
    name: 'note-pending-issues',
    text: `update deployment_issues set reason = $4, asked_at = $5
      where org_id = $1 and deployment_id = $2 and key = any ($3) and state = 'pending' and reason is distinct from $4
      returning key`,
    values: [orgId, deploymentId, keys, reason, at],
  })
  return rows.length > 0
}

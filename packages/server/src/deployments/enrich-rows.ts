import type { Tx } from '../store/store.ts'
import type { CommitRange } from './commit-rows.ts'

/** Why the commits of a deployment were not compared, the last time that somebody asked for them. */
export interface SkippedCommits {
  readonly reason: string
  /** The commit that it was to be compared with. */
  readonly base: string | null
  /** As ISO 8601. */
  readonly at: string
}

/** A deployment as far as it decides which commits are asked for. */
export interface EnrichedDeployment {
  readonly sha: string
  readonly isHistory: boolean
  /** `null`: only pipelines know the repository. */
  readonly repositoryExternalId: string | null
  /** The success before it. */
  readonly baseId: string | null
  readonly baseSha: string | null
  readonly range: CommitRange | null
  readonly skipped: SkippedCommits | null
}

export async function findEnrichedDeployment(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<EnrichedDeployment | undefined> {
  const [row] = await tx.query<EnrichedDeployment>({
    name: 'find-enriched-deployment',
    text: `select d.sha, d.is_history as "isHistory", r.external_id as "repositoryExternalId", b.id as "baseId",
        b.sha as "baseSha", d.range, d.commits_skipped as skipped
      from deployments d join repositories r on r.org_id = d.org_id and r.id = d.repository_id
        left join deployments b on b.org_id = d.org_id and b.id = d.previous_successful_id
      where d.org_id = $1 and d.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Keeps why commits were not compared. */
export async function writeSkippedCommits(
  tx: Tx,
  orgId: string,
  id: string,
  skipped: SkippedCommits,
): Promise<void> {
  await tx.query({
    name: 'write-skipped-commits',
    text: 'update deployments set commits_skipped = $3 where org_id = $1 and id = $2',
    values: [orgId, id, JSON.stringify(skipped)],
  })
}

/** Texts of a deployment besides its commits. */
export interface DeploymentTexts {
  readonly sha: string
  readonly branch: string | null
  readonly commitMessage: string | null
  readonly description: string | null
  readonly relation: string
  readonly isCompared: boolean
}

export async function findDeploymentTexts(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DeploymentTexts | undefined> {
  const [row] = await tx.query<DeploymentTexts>({
    name: 'find-deployment-texts',
    text: `select sha, branch, commit_message as "commitMessage", description, relation, range is not null as "isCompared"
      from deployments where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row
}

const recentMax = 500

/** The newest deployments since a moment; `skippedOnly`: those whose commits were not compared. */
export async function listRecentDeployments(
  tx: Tx,
  orgId: string,
  of: { readonly since: Date; readonly skippedOnly: boolean },
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: `list-recent-deployments-${of.skippedOnly}`,
    text: `select id from deployments where org_id = $1 and created_at >= $2
      ${of.skippedOnly ? 'and commits_skipped is not null' : ''}
      order by created_at desc, id desc limit ${recentMax}`,
    values: [orgId, of.since],
  })
  return rows.map(({ id }) => id)
}

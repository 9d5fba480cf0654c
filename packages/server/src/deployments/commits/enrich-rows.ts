import type { KeyRepository } from '../../providers/tracker.ts'
import type { Tx } from '../../store/store.ts'
import type { CommitRange } from './commit-rows.ts'
import type { IssueText } from '../issues/issue-keys.ts'

/** Describes why the commits of a deployment were not compared at the last attempt. */
export interface SkippedCommits {
  readonly reason: string
  /**
   * Names what is missing: access to the commits, the deployed commit, the one before it, or the repository. Left out by versions
   * that did not know it.
   */
  readonly cause?: 'access' | 'head' | 'base' | 'repository' | 'other'
  /** The commit that it was to be compared with. */
  readonly base: string | null
  /** The last attempt, as ISO 8601. */
  readonly at: string
  /** The first attempt in a row with the same reason. Left out by versions that did not keep it. */
  readonly since?: string
  /** True when a person has fixed something: the commits are fetched now, however recent the last attempt is. */
  readonly isWantedAgain?: boolean
}

/** Describes a deployment as far as it decides which commits are compared. */
export interface EnrichedDeployment {
  readonly sha: string
  readonly isHistory: boolean
  /** `null`: only pipelines know the repository. */
  readonly repositoryExternalId: string | null
  /** The success before it. */
  readonly baseId: string | null
  readonly baseSha: string | null
  /** The success before it was deleted because of its age, so that there is nothing to compare with. */
  readonly isBaseGone: boolean
  readonly range: CommitRange | null
  readonly skipped: SkippedCommits | null
}

/** Finds a deployment whose commits are to be compared. */
export async function findEnrichedDeployment(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<EnrichedDeployment | undefined> {
  const [row] = await tx.query<EnrichedDeployment>({
    name: 'find-enriched-deployment',
    text: `select d.sha, d.is_history as "isHistory", r.external_id as "repositoryExternalId", b.id as "baseId",
        b.sha as "baseSha", d.previous_successful_id is not null and b.id is null as "isBaseGone", d.range,
        d.commits_skipped as skipped
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

/** Holds the texts of a deployment that are searched for issue keys, other than those of its commits. */
export interface DeploymentTexts {
  readonly sha: string
  readonly branch: string | null
  readonly commitMessage: string | null
  readonly description: string | null
  readonly relation: string
  /** From its payload and from those who reported it. */
  readonly keyTexts: readonly IssueText[]
  readonly isCompared: boolean
  readonly repository: KeyRepository
}

/** Finds the texts of a deployment that may name issues. */
export async function findDeploymentTexts(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DeploymentTexts | undefined> {
  const [row] = await tx.query<DeploymentTexts>({
    name: 'find-deployment-texts',
    text: `select d.sha, d.branch, d.commit_message as "commitMessage", d.description, d.relation,
        coalesce(d.key_texts, '[]') as "keyTexts", d.range is not null as "isCompared",
        json_build_object('fullName', r.full_name, 'url', r.url) as repository
      from deployments d join repositories r on r.org_id = d.org_id and r.id = d.repository_id
      where d.org_id = $1 and d.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** As many texts as may name keys of one deployment. */
const keyTextsMax = 500

/** Keeps texts in which keys stand, once each, and no more than anybody writes. */
export async function keepKeyTexts(
  tx: Tx,
  orgId: string,
  id: string,
  texts: readonly IssueText[],
): Promise<void> {
  const firstTexts = texts.slice(0, keyTextsMax)
  await tx.query({
    name: 'keep-key-texts',
    text: `update deployments set key_texts = coalesce(key_texts, '[]') || $3::jsonb
      where org_id = $1 and id = $2 and not coalesce(key_texts, '[]') @> $3::jsonb
        and jsonb_array_length(coalesce(key_texts, '[]')) + $4 <= ${keyTextsMax}`,
    values: [orgId, id, JSON.stringify(firstTexts), firstTexts.length],
  })
}

const [recentMs, recentMax] = [30 * 86_400_000, 500]

/** Lists the newest deployments of the last thirty days. */
export async function listRecentDeployments(tx: Tx, orgId: string, now: Date): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'list-recent-deployments',
    text: `select id from deployments where org_id = $1 and created_at >= $2
      order by created_at desc, id desc limit ${recentMax}`,
    values: [orgId, new Date(now.getTime() - recentMs)],
  })
  return rows.map(({ id }) => id)
}

/** Marks commits of recent deployments that were not compared, so that they are compared again. Returns the deployments' ids. */
export async function markSkippedForRetry(tx: Tx, orgId: string, now: Date): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'mark-skipped-for-retry',
    text: `update deployments set commits_skipped = (commits_skipped::jsonb || '{"isWantedAgain": true}')::json
      where org_id = $1 and id in (
        select id from deployments where org_id = $1 and created_at >= $2 and commits_skipped is not null
        order by created_at desc, id desc limit ${recentMax})
      returning id`,
    values: [orgId, new Date(now.getTime() - recentMs)],
  })
  return rows.map(({ id }) => id)
}

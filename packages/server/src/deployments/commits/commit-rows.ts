import type { CodehostCommit } from '../../providers/codehosts/commit.ts'
import type { CodehostPerson } from '../../providers/codehosts/repository.ts'
import type { Tx } from '../../store/store.ts'
import type { Relation } from '../reports/relate-deployments.ts'

/** Describes the commits that a deployment brings, or takes out. */
export interface CommitRange {
  readonly base: string | null
  readonly head: string
  readonly status: 'ahead' | 'behind' | 'diverged' | 'identical' | null
  readonly total: number
  readonly truncated: boolean
  /** When it was asked for, as ISO 8601. */
  readonly comparedAt: string
}

/** Replaces the commits of a deployment. */
export async function replaceCommits(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  commits: readonly CodehostCommit[],
): Promise<void> {
  await tx.query({
    name: 'delete-deployment-commits',
    text: 'delete from deployment_commits where org_id = $1 and deployment_id = $2',
    values: [orgId, deploymentId],
  })
  if (commits.length === 0) return
  await tx.query({
    name: 'insert-deployment-commits',
    text: `insert into deployment_commits (org_id, deployment_id, position, sha, message, author, at, url)
      select $1, $2, c.position, c.sha, c.message, c.author, c.at, c.url
      from unnest($3::text[], $4::text[], $5::json[], $6::timestamptz[], $7::text[])
        with ordinality as c (sha, message, author, at, url, position)`,
    values: [
      orgId,
      deploymentId,
      commits.map(({ sha }) => sha),
      commits.map(({ message }) => message),
      commits.map(({ author }) => (author === null ? null : JSON.stringify(author))),
      commits.map(({ at }) => at),
      commits.map(({ url }) => url),
    ],
  })
}

/** Keeps what the comparison with the last success said, and how old the oldest of its commits is where it goes forward. */
export async function writeRange(
  tx: Tx,
  orgId: string,
  deploymentId: string,
  { range, relation }: { readonly range: CommitRange; readonly relation: Relation },
): Promise<void> {
  await tx.query({
    name: 'write-deployment-range',
    text: `update deployments set range = $3, relation = $4, commits_skipped = null, revision = revision + 1,
        first_committed_at = case when $4 in ('forward', 'hotfix') then (
          select min(at) from deployment_commits where org_id = $1 and deployment_id = $2) end
      where org_id = $1 and id = $2`,
    values: [orgId, deploymentId, JSON.stringify(range), relation],
  })
}

/** Describes a commit of a deployment. */
export interface CommitRow {
  readonly sha: string
  readonly message: string
  readonly author: CodehostPerson | null
  readonly at: Date | null
  readonly url: string | null
}

/** Lists the commits of a deployment, oldest first. There are at most a thousand. */
export async function listCommitRows(
  tx: Tx,
  orgId: string,
  deploymentId: string,
): Promise<CommitRow[]> {
  return tx.query<CommitRow>({
    name: 'list-deployment-commits',
    text: `select sha, message, author, at, url from deployment_commits
      where org_id = $1 and deployment_id = $2 order by position`,
    values: [orgId, deploymentId],
  })
}

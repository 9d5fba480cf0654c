import type { CodehostPullRequest } from '../../providers/codehosts/pull-request.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a pull request as it is stored. */
export interface PullRequestRow extends Omit<CodehostPullRequest, 'updatedAt'> {
  readonly repositoryId: string
}

/** Stores a pull request, unless a newer event has stored it. Returns whether it did. */
export async function savePullRequestRow(
  tx: Tx,
  orgId: string,
  { repositoryId, ...of }: PullRequestRow & Pick<CodehostPullRequest, 'updatedAt'>,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'save-pull-request',
    text: `insert into pull_requests as p (org_id, repository_id, number, url, state, head_sha, head_ref, is_fork, host_updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (org_id, repository_id, number) do update set url = excluded.url, state = excluded.state,
        head_sha = excluded.head_sha, head_ref = excluded.head_ref, is_fork = excluded.is_fork,
        host_updated_at = excluded.host_updated_at
      where p.host_updated_at <= excluded.host_updated_at
      returning 1`,
    values: [
      orgId,
      repositoryId,
      of.number,
      of.url,
      of.state,
      of.headSha,
      of.headRef,
      of.isFork,
      of.updatedAt,
    ],
  })
  return rows.length > 0
}

/** Returns whether a pull request comes from a fork; `undefined` of one that nobody has reported. */
export async function isPullRequestOfFork(
  tx: Tx,
  orgId: string,
  of: Pick<PullRequestRow, 'repositoryId' | 'number'>,
): Promise<boolean | undefined> {
  const [row] = await tx.query<Pick<PullRequestRow, 'isFork'>>({
    name: 'find-pull-request-fork',
    text: `select is_fork as "isFork" from pull_requests where org_id = $1 and repository_id = $2 and number = $3`,
    values: [orgId, of.repositoryId, of.number],
  })
  return row?.isFork
}

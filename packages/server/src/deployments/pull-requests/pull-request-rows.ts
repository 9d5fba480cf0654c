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

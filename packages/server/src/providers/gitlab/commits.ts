import { z } from 'zod'
import type { CodehostComparison } from '../codehosts/commit.ts'
import { ProviderError } from '../provider-error.ts'
import { getPage, readAnswer, type GitlabRequests } from './api-request.ts'
import { list } from '../codehosts/fields.ts'
import { readCommits } from '../codehosts/read-answer.ts'
import { gitlabCommit } from './shapes.ts'

const pagesMax = 10

/**
 * Returns the commits from `base` to `head`, oldest first and a thousand at most. `compare` would send the diffs as well, which may
 * be hundreds of megabytes, so the commits of the range are listed, and their common ancestor says the direction.
 *
 * @see https://docs.gitlab.com/api/commits/#list-repository-commits
 * @see https://docs.gitlab.com/api/repositories/#merge-base
 */
export async function compareCommits(
  requests: Pick<GitlabRequests, 'get'>,
  project: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<CodehostComparison> {
  if (base === head) return { status: 'identical', commits: [], total: 0, isTruncated: false }
  const ancestor = await findMergeBase(requests, project, [base, head])
  const status = ancestor === base ? 'ahead' : ancestor === head ? 'behind' : 'diverged'
  const [from, to] = status === 'behind' ? [head, base] : [base, head]
  const path = `${project}/repository/commits?ref_name=${encodeURIComponent(`${from}..${to}`)}`
  const { commits, isWhole } = await readCommits(
    (page) => getPage(requests, { path, page }, { list, item: gitlabCommit }),
    pagesMax,
  )
  return { status, commits, total: commits.length, isTruncated: !isWhole }
}

/** Returns the newest commit that both have; `undefined` where their histories have nothing in common. */
async function findMergeBase(
  { get }: Pick<GitlabRequests, 'get'>,
  project: string,
  refs: readonly string[],
): Promise<string | undefined> {
  const query = new URLSearchParams(refs.map((ref): [string, string] => ['refs[]', ref]))
  const answer = await get(`${project}/repository/merge_base?${query.toString()}`, {
    accept: [400, 404],
  })
  // A commit that is not there any more, after a forced push.
  if (answer.status === 400) {
    throw new ProviderError({ provider: 'gitlab', failure: 'notFound', code: 'no_such_commit' })
  }
  return answer.status === 404 ? undefined : readAnswer(answer, z.object({ id: z.string() })).id
}

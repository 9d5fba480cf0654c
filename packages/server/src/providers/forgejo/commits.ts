import type { CodehostCommit, CodehostComparison } from '../codehosts/commit.ts'
import { getPage, readAnswer, readTotal, type ForgejoRequests } from './api-request.ts'
import { list } from '../codehosts/fields.ts'
import { readCommits } from '../codehosts/read-answer.ts'
import { forgejoCommit } from './shapes.ts'

const pagesMax = 20

/** Leaves out what takes long to find, and what the diffs are made of. */
const brief = 'stat=false&verification=false&files=false'

/**
 * Returns the commits from `base` to `head`, oldest first and a thousand at most. The API's own comparison has no pages and no
 * direction, so the commits are listed that one has and the other has not.
 *
 * @throws {ProviderError} `notFound` for a commit that is not there, as after a forced push.
 */
export async function compareCommits(
  requests: Pick<ForgejoRequests, 'get'>,
  repository: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<CodehostComparison> {
  if (base === head) return { status: 'identical', commits: [], total: 0, isTruncated: false }
  // An unknown commit after `not` would be taken for trouble of the instance.
  await getCommit(requests, repository, base)
  const ahead = await countBeyond(requests, repository, [base, head])
  const behind = await countBeyond(requests, repository, [head, base])
  const status = behind === 0 ? 'ahead' : ahead === 0 ? 'behind' : 'diverged'
  const between = status === 'behind' ? ([head, base] as const) : ([base, head] as const)
  const path = `${repository}/commits?${beyond(between)}&${brief}`
  const { commits, isWhole } = await readCommits(
    (page) => getPage(requests, { path, page }, { list, item: forgejoCommit }),
    pagesMax,
  )
  const total = status === 'behind' ? behind : ahead
  return { status, commits, total, isTruncated: !isWhole }
}

/** Reads a commit by a commit, a branch or a tag. @throws {ProviderError} */
export async function getCommit(
  { get }: Pick<ForgejoRequests, 'get'>,
  repository: string,
  ref: string,
): Promise<CodehostCommit> {
  const answer = await get(`${repository}/git/commits/${encodeURIComponent(ref)}?${brief}`)
  return readAnswer(answer, forgejoCommit)
}

/** Returns the query for the commits that the second of two has and the first has not. */
function beyond([not, sha]: readonly [string, string]): string {
  return new URLSearchParams({ sha, not }).toString()
}

async function countBeyond(
  { get }: Pick<ForgejoRequests, 'get'>,
  repository: string,
  between: readonly [string, string],
): Promise<number> {
  const answer = await get(`${repository}/commits?${beyond(between)}&${brief}&limit=1`)
  return readTotal(answer) ?? readAnswer(answer, list).length
}

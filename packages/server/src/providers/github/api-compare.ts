import { z } from 'zod'
import type { CodehostCommit, CodehostComparison } from '../codehosts/commit.ts'
import { nextLink, readAnswer, readItems, type GithubRequests } from './api-request.ts'
import { textOrNull } from '../codehosts/fields.ts'
import { moment } from './shapes.ts'

/** Parses a commit of GitHub. */
export const githubCommit = z
  .object({
    sha: z.string(),
    html_url: textOrNull,
    commit: z.object({
      message: z.string().catch(''),
      author: z
        .object({ name: textOrNull, date: moment.nullish().catch(null) })
        .nullish()
        .catch(null),
    }),
    /** The account, where GitHub knows one. */
    author: z.object({ login: z.string() }).nullish().catch(null),
    parents: z
      .array(z.object({ sha: z.string() }))
      .nullish()
      .catch([]),
  })
  .transform(({ sha, html_url: url, commit, author: account, parents }): CodehostCommit => {
    const login = account?.login ?? null
    const name = commit.author?.name ?? login
    return {
      sha,
      message: commit.message,
      author: name === null ? null : { name, login },
      at: commit.author?.date ?? null,
      url,
      parents: parents?.map((parent) => parent.sha) ?? [],
    }
  })

const comparison = z.object({
  status: z.enum(['ahead', 'behind', 'diverged', 'identical']),
  total_commits: z.number().int().nonnegative(),
  commits: z.array(z.unknown()).catch([]),
})

const commitsMax = 1000
const pageItems = 100
/** The first page has the files that were changed, with their patches. */
const bytesMax = 30 * 1024 * 1024

/**
 * Returns the commits from `base` to `head`, oldest first and a thousand at most. For a `head` behind `base` GitHub lists none, so
 * that the two are compared the other way round.
 *
 * @see https://docs.github.com/en/rest/commits/commits#compare-two-commits
 */
export async function compareCommits(
  requests: Pick<GithubRequests, 'get'>,
  repository: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<CodehostComparison> {
  const comparison = await readComparison(requests, repository, [base, head])
  if (comparison.status !== 'behind') return comparison
  const takenOut = await readComparison(requests, repository, [head, base])
  return { ...takenOut, status: 'behind' }
}

async function readComparison(
  { get }: Pick<GithubRequests, 'get'>,
  repository: string,
  [base, head]: readonly [string, string],
): Promise<CodehostComparison> {
  const path = `${repository}/compare/${encodeURIComponent(base)}...${encodeURIComponent(head)}`
  const commits: CodehostCommit[] = []
  for (let page = 1; ; page += 1) {
    const options = { maxBytes: bytesMax }
    const answer = await get(`${path}?per_page=${pageItems}&page=${page}`, options)
    const read = readAnswer(answer, comparison)
    commits.push(...readItems(read.commits, githubCommit))
    const isLast = nextLink(answer) === undefined || page * pageItems >= commitsMax
    if (!isLast) continue
    const { status, total_commits: total } = read
    return { status, commits, total, isTruncated: commits.length < total }
  }
}

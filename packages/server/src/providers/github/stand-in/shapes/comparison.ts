import type { components } from '@octokit/openapi-types'
import type { Comparison, FileChange } from '../history.ts'
import type { GithubCommit, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toCommit, toDiffEntry } from './commit.ts'
import { fullNameOf, repositoryUrl } from './repository.ts'

/** Returns a comparison of two commits, with those of its commits and files that are on the requested page. */
export function toComparison(
  addresses: GithubAddresses,
  repository: GithubRepository,
  compared: {
    readonly comparison: Comparison
    /** Names both commits as the request did. Example: `main...feature/login`. */
    readonly basehead: string
    readonly commits: readonly GithubCommit[]
    /** Holds the files. `undefined`: they are not on this page. */
    readonly files: readonly FileChange[] | undefined
  },
) {
  const { comparison, basehead, commits, files } = compared
  const { base, headCommit: head, mergeBase, status, aheadBy, behindBy } = comparison
  const compare = `compare/${basehead}`
  const page = `${addresses.web}/${fullNameOf(repository)}`
  const { login } = repository.owner
  const permanent = `${login}:${base.sha.slice(0, 7)}...${login}:${head.sha.slice(0, 7)}`
  return {
    url: `${repositoryUrl(addresses, repository)}/${compare}`,
    html_url: `${page}/${compare}`,
    permalink_url: `${page}/compare/${permanent}`,
    diff_url: `${page}/${compare}.diff`,
    patch_url: `${page}/${compare}.patch`,
    base_commit: toCommit(addresses, repository, base),
    merge_base_commit: toCommit(addresses, repository, mergeBase),
    status,
    ahead_by: aheadBy,
    behind_by: behindBy,
    total_commits: aheadBy,
    commits: commits.map((commit) => toCommit(addresses, repository, commit)),
    ...(files && {
      files: files.map((change) => toDiffEntry(addresses, repository, { sha: head.sha, change })),
    }),
  } satisfies components['schemas']['commit-comparison']
}

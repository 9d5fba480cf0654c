import { createHash } from 'node:crypto'
import type { components } from '@octokit/openapi-types'
import type { FileChange } from '../history.ts'
import type { GithubCommit, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toNodeId } from './node-id.ts'
import { fullNameOf, repositoryUrl } from './repository.ts'
import { toSimpleUser } from './simple-user.ts'
import { toTimestamp } from './timestamp.ts'

/** Returns a commit as lists show it. */
export function toCommit(
  addresses: GithubAddresses,
  repository: GithubRepository,
  commit: GithubCommit,
) {
  const { sha, message, author, treeSha, parents } = commit
  const url = repositoryUrl(addresses, repository)
  const page = `${addresses.web}/${fullNameOf(repository)}`
  const person = toGitUser(commit)
  return {
    sha,
    node_id: toNodeId('Commit', sha),
    commit: {
      author: person,
      committer: person,
      message,
      tree: { sha: treeSha, url: `${url}/git/trees/${treeSha}` },
      url: `${url}/git/commits/${sha}`,
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    url: `${url}/commits/${sha}`,
    html_url: `${page}/commit/${sha}`,
    comments_url: `${url}/commits/${sha}/comments`,
    author: toSimpleUser(addresses, author),
    committer: toSimpleUser(addresses, author),
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${url}/commits/${parent}`,
      html_url: `${page}/commit/${parent}`,
    })),
  } satisfies components['schemas']['commit']
}

/** Returns a commit as its own endpoint shows it: with its files. */
export function toCommitWithFiles(
  addresses: GithubAddresses,
  repository: GithubRepository,
  at: { readonly commit: GithubCommit; readonly changes: readonly FileChange[] },
) {
  const { commit, changes } = at
  const files = changes.map((change) =>
    toDiffEntry(addresses, repository, { sha: commit.sha, change }),
  )
  const additions = files.reduce((sum, file) => sum + file.additions, 0)
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0)
  return {
    ...toCommit(addresses, repository, commit),
    stats: { total: additions + deletions, additions, deletions },
    files,
  } satisfies components['schemas']['commit']
}

/** Returns a changed file. The sandbox keeps no contents, so each change counts as one line. */
export function toDiffEntry(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { sha, change }: { readonly sha: string; readonly change: FileChange },
) {
  const { path, status } = change
  const page = `${addresses.web}/${fullNameOf(repository)}`
  const additions = status === 'removed' ? 0 : 1
  const deletions = status === 'added' ? 0 : 1
  return {
    sha: createHash('sha1').update(`${sha} ${path}`).digest('hex'),
    filename: path,
    status,
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${page}/blob/${sha}/${encodeURI(path)}`,
    raw_url: `${page}/raw/${sha}/${encodeURI(path)}`,
    contents_url: `${repositoryUrl(addresses, repository)}/contents/${encodeURI(path)}?ref=${sha}`,
  } satisfies components['schemas']['diff-entry']
}

/** Returns a commit as workflow runs show theirs. */
export function toSimpleCommit(commit: GithubCommit) {
  const { name, email } = commit.author
  return {
    id: commit.sha,
    tree_id: commit.treeSha,
    message: commit.message,
    timestamp: toTimestamp(commit.at),
    author: { name, email },
    committer: { name, email },
  } satisfies components['schemas']['simple-commit']
}

function toGitUser({ author: { name, email }, at }: GithubCommit) {
  return { name, email, date: toTimestamp(at) } satisfies components['schemas']['git-user']
}

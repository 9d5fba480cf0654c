import { createHash } from 'node:crypto'
import type { GithubAccount, GithubCommit, GithubRepository, GithubState } from '../state.ts'

/** Describes a commit to store. */
export interface NewCommit {
  readonly message: string
  readonly author: GithubAccount
  /** Lists the SHAs of the parents. Default: the newest commit of the default branch. */
  readonly parents?: readonly string[]
  /** Lists paths. Default: none. */
  readonly added?: readonly string[]
  readonly modified?: readonly string[]
  readonly removed?: readonly string[]
}

/** Creates a commit that is on no branch yet. */
export function storeCommit(
  state: GithubState,
  repository: GithubRepository,
  made: NewCommit,
): GithubCommit {
  const { message, author, added = [], modified = [], removed = [] } = made
  const parents = made.parents ?? newestOf(repository, repository.defaultBranch)
  for (const parent of parents) {
    if (!repository.commits.has(parent)) throw new Error(`There is no commit ${parent}.`)
  }
  // Makes equal commits at the same moment differ, as their ids do.
  const text = JSON.stringify([state.nextId(), message, author.login, parents])
  const commit: GithubCommit = {
    sha: hash('commit', text),
    treeSha: hash('tree', text),
    message,
    author,
    at: state.clock.now(),
    parents,
    added,
    modified,
    removed,
  }
  repository.commits.set(commit.sha, commit)
  return commit
}

function newestOf({ branches }: GithubRepository, branch: string): readonly string[] {
  const sha = branches.get(branch)
  return sha === undefined ? [] : [sha]
}

function hash(kind: string, text: string): string {
  return createHash('sha1').update(`${kind} ${text}`).digest('hex')
}

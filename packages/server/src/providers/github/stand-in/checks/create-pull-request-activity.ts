import { listCommits } from '../../../../../../sandbox/src/models/git.ts'
import type { ActivityDeps } from '../activity/activity-deps.ts'
import { createCommitActivity, type CommitActivity } from '../activity/create-commit-activity.ts'
import { nextNumber } from '../activity/create-issue-activity.ts'
import { createRepositoryActivity } from '../activity/create-repository-activity.ts'
import { addressesOf } from '../shapes/addresses.ts'
import type { GithubAccount, GithubCommit, GithubPullRequest, GithubRepository } from '../state.ts'
import { toPullRequestEvent } from './pull-request-shape.ts'

/** Describes a pull request to open. */
export interface NewPullRequest {
  readonly author: GithubAccount
  readonly title?: string
  /** Names the branch. It is pushed with one commit where it is not there. Default: one with the number. */
  readonly branch?: string
  /** Holds the repository of the branch. Default: the same. */
  readonly from?: GithubRepository
  /** Names the branch that it is for. Default: the default one. */
  readonly base?: string
}

/** Describes the steps in the life of a pull request. Each sends a `pull_request` webhook to the apps. */
export interface PullRequestActivity {
  /** Copies a repository, as people do who may not push to it. */
  fork(repository: GithubRepository, owner: GithubAccount): GithubRepository
  /** Deletes a fork. Its pull requests stay. */
  deleteFork(fork: GithubRepository): void
  propose(repository: GithubRepository, proposed: NewPullRequest): GithubPullRequest
  /** Pushes a commit to its branch. */
  pushToPullRequest(
    repository: GithubRepository,
    pull: GithubPullRequest,
    message?: string,
  ): GithubCommit
  editPullRequest(repository: GithubRepository, pull: GithubPullRequest, title: string): void
  closePullRequest(repository: GithubRepository, pull: GithubPullRequest): void
  reopenPullRequest(repository: GithubRepository, pull: GithubPullRequest): void
  /** Merges it, and returns the commit that the branch is at then. */
  mergePullRequest(repository: GithubRepository, pull: GithubPullRequest): GithubCommit
}

/** Creates the activity of pull requests on the state of the sandbox. */
export function createPullRequestActivity(deps: ActivityDeps): PullRequestActivity {
  const { state } = deps
  const git = createCommitActivity(deps)
  return {
    fork: (repository, owner) => copyRepository(deps, repository, owner),
    deleteFork(fork) {
      state.repositories.delete(fork.id)
      for (const { proposals } of state.repositories.values()) {
        for (const pull of proposals.values()) if (pull.from === fork) pull.from = undefined
      }
    },
    propose(repository, proposed) {
      const pull = open(deps, git, repository, proposed)
      change(deps, repository, pull, { action: 'opened' })
      return pull
    },
    pushToPullRequest(repository, pull, message = 'Change it again') {
      const { from, branch, base, author, headSha: before } = pull
      if (from === undefined) throw new Error('The fork is gone.')
      const pushed = git.push(from, { ref: branch, pusher: author, commits: [{ message }] })
      const headSha = pushed.sha
      const mergeSha = tryMerge(git, repository, { from, headSha, base, author })
      const more = { before, after: headSha }
      change(deps, repository, pull, { action: 'synchronize', headSha, mergeSha, more })
      return pushed
    },
    editPullRequest(repository, pull, title) {
      const more = { changes: { title: { from: pull.title } } }
      change(deps, repository, pull, { action: 'edited', title, more })
    },
    closePullRequest(repository, pull) {
      const closedAt = state.clock.now()
      change(deps, repository, pull, { action: 'closed', state: 'closed', closedAt })
    },
    reopenPullRequest(repository, pull) {
      change(deps, repository, pull, { action: 'reopened', state: 'open', closedAt: undefined })
    },
    mergePullRequest(repository, pull) {
      const { base, headSha, number, author } = pull
      const parents = [getTip(repository, base), headSha]
      const merge = git.commit(repository, {
        message: `Merge pull request #${number}`,
        author,
        parents,
      })
      git.push(repository, { ref: base, pusher: author, to: merge.sha })
      const now = state.clock.now()
      const merged = { state: 'closed', closedAt: now, mergedAt: now, mergeSha: merge.sha } as const
      change(deps, repository, pull, { action: 'closed', ...merged })
      return merge
    },
  }
}

function copyRepository(
  deps: ActivityDeps,
  repository: GithubRepository,
  owner: GithubAccount,
): GithubRepository {
  const { name, defaultBranch, private: isPrivate } = repository
  const repositories = createRepositoryActivity(deps)
  const fork = repositories.addRepository({ owner, name, defaultBranch, private: isPrivate })
  fork.commits.clear()
  for (const [sha, one] of repository.commits) fork.commits.set(sha, one)
  for (const [branch, sha] of repository.branches) fork.branches.set(branch, sha)
  return fork
}

function open(
  { state }: ActivityDeps,
  git: CommitActivity,
  repository: GithubRepository,
  { author, ...proposed }: NewPullRequest,
): GithubPullRequest {
  const number = nextNumber(repository)
  const { title = `Change ${number}`, branch = `topic-${number}` } = proposed
  const { from = repository, base = repository.defaultBranch } = proposed
  if (!from.branches.has(branch)) {
    git.push(from, { ref: branch, pusher: author, commits: [{ message: title }] })
  }
  const headSha = getTip(from, branch)
  const now = state.clock.now()
  const pull: GithubPullRequest = {
    id: state.nextId(),
    number,
    title,
    author,
    base,
    from,
    branch,
    headSha,
    mergeSha: tryMerge(git, repository, { from, headSha, base, author }),
    state: 'open',
    createdAt: now,
    updatedAt: now,
    closedAt: undefined,
    mergedAt: undefined,
  }
  repository.pullRequests.add(number)
  repository.proposals.set(number, pull)
  return pull
}

/** Makes the commits of a branch known here, as `refs/pull/…` does, and returns the merge that GitHub makes of it. */
function tryMerge(
  git: CommitActivity,
  repository: GithubRepository,
  of: Pick<GithubPullRequest, 'headSha' | 'base' | 'author'> & { readonly from: GithubRepository },
): string {
  const { from, headSha, base, author } = of
  for (const one of listCommits(from, [headSha])) repository.commits.set(one.sha, one)
  const tip = getTip(repository, base)
  const message = `Merge ${headSha} into ${tip}`
  return git.commit(repository, { message, author, parents: [tip, headSha] }).sha
}

function getTip({ branches }: GithubRepository, branch: string): string {
  const tip = branches.get(branch)
  if (tip === undefined) throw new Error(`There is no branch ${branch}.`)
  return tip
}

function change(
  { state, emit }: ActivityDeps,
  repository: GithubRepository,
  pull: GithubPullRequest,
  of: Partial<GithubPullRequest> & { readonly action: string; readonly more?: object },
): void {
  const { action, more, ...changes } = of
  Object.assign(pull, changes, { updatedAt: state.clock.now() })
  const body = toPullRequestEvent(addressesOf(state), repository, { pull, sender: pull.author })
  emit({ name: 'pull_request', action, repository, payload: { action, ...more, ...body } })
}

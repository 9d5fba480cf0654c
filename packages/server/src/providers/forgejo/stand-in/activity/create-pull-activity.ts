import { listCommits, pushBranch, storeCommit } from '../../../../../../sandbox/src/models/git.ts'
import type { ForgejoHooks } from '../hooks.ts'
import { presentPullHook } from '../pull-shapes.ts'
import type {
  ForgejoCommit,
  ForgejoPull,
  ForgejoRepository,
  ForgejoState,
  ForgejoUser,
} from '../state.ts'
import { createIssueActivity } from './create-issue-activity.ts'

/** Describes a pull request to open. */
export interface NewPull {
  readonly author: ForgejoUser
  readonly title?: string
  /** Names the branch. It is pushed with one commit where it is not there. Default: one with the number. */
  readonly branch?: string
  /** Holds the repository of the branch. Default: the same. */
  readonly from?: ForgejoRepository
}

/** Describes the steps in the life of a pull request. Each sends a webhook. */
export interface ForgejoPullActivity {
  openPull(repository: ForgejoRepository, made: NewPull): ForgejoPull
  /** Pushes a commit to its branch. */
  pushToPull(repository: ForgejoRepository, pull: ForgejoPull, message?: string): ForgejoCommit
  editPull(repository: ForgejoRepository, pull: ForgejoPull, title: string): void
  closePull(repository: ForgejoRepository, pull: ForgejoPull): void
  reopenPull(repository: ForgejoRepository, pull: ForgejoPull): void
  /** Merges it, and returns the commit that the branch is at then. */
  mergePull(repository: ForgejoRepository, pull: ForgejoPull): ForgejoCommit
}

interface Deps {
  readonly state: ForgejoState
  readonly hooks: Pick<ForgejoHooks, 'emit'>
}

/** Creates the activity of pull requests on the state of the sandbox. */
export function createPullActivity(deps: Deps): ForgejoPullActivity {
  const { state } = deps
  return {
    openPull(repository, made) {
      const pull = open(deps, repository, made)
      report(deps, repository, pull, { action: 'opened' })
      return pull
    },
    pushToPull(repository, pull, message = 'Change it again') {
      const { from, branch, issue } = pull
      if (from === undefined) throw new Error('The fork is gone.')
      const pushed = pushBranch(state, from, {
        branch,
        author: issue.author,
        commits: [{ message }],
      })
      bring(repository, from, pushed.sha)
      pull.headSha = pushed.sha
      report(deps, repository, pull, { action: 'synchronized', type: 'pull_request_sync' })
      return pushed
    },
    editPull(repository, pull, title) {
      pull.issue.title = title
      report(deps, repository, pull, { action: 'edited' })
    },
    closePull(repository, pull) {
      pull.issue.state = 'closed'
      report(deps, repository, pull, { action: 'closed' })
    },
    reopenPull(repository, pull) {
      pull.issue.state = 'open'
      report(deps, repository, pull, { action: 'reopened' })
    },
    mergePull(repository, pull) {
      const { base: branch, headSha, issue } = pull
      const message = `Merge pull request #${issue.number}`
      const parents = [repository.branches.get(branch) ?? '', headSha]
      const merge = storeCommit(state, repository, { message, author: issue.author, parents })
      pushBranch(state, repository, { branch, author: issue.author, to: merge.sha })
      pull.issue.state = 'closed'
      pull.isMerged = true
      report(deps, repository, pull, { action: 'closed' })
      return merge
    },
  }
}

function open(
  deps: Deps,
  repository: ForgejoRepository,
  { author, title = 'Change it', branch, from = repository }: NewPull,
): ForgejoPull {
  const { state } = deps
  const issue = createIssueActivity(deps).openIssue(repository, { title, author, isPull: true })
  const name = branch ?? `topic-${issue.number}`
  if (!from.branches.has(name)) {
    pushBranch(state, from, { branch: name, author, commits: [{ message: title }] })
  }
  const headSha = from.branches.get(name) ?? ''
  bring(repository, from, headSha)
  const base = repository.defaultBranch
  const pull: ForgejoPull = { issue, branch: name, from, base, headSha, isMerged: false }
  repository.pulls.set(issue.number, pull)
  return pull
}

/** Makes the commits of a branch known in the repository that they are proposed to, as `refs/pull/…` does. */
function bring(repository: ForgejoRepository, from: ForgejoRepository, sha: string): void {
  for (const commit of listCommits(from, [sha])) repository.commits.set(commit.sha, commit)
}

function report(
  { state, hooks }: Deps,
  repository: ForgejoRepository,
  pull: ForgejoPull,
  { action, type = 'pull_request' }: { readonly action: string; readonly type?: string },
): void {
  pull.issue.updatedAt = state.clock.now()
  const payload = presentPullHook(state, repository, { pull, action })
  hooks.emit({ repository, name: 'pull_request', type, payload })
}

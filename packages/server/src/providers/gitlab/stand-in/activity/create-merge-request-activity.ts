import { listCommits, pushBranch, storeCommit } from '../../../../../../sandbox/src/models/git.ts'
import type { GitlabHooks } from '../hooks/create-hooks.ts'
import { toMergeRequestHook } from '../shapes/merge-request.ts'
import type {
  GitlabCommit,
  GitlabMergeRequest,
  GitlabProject,
  GitlabState,
  GitlabUser,
} from '../state.ts'

/** Describes a merge request to open. */
export interface NewMergeRequest {
  readonly author: GitlabUser
  readonly title?: string
  /** Names the branch. It is pushed with one commit where it is not there. Default: one with the number. */
  readonly branch?: string
  /** Holds the project of the branch. Default: the same. */
  readonly from?: GitlabProject
}

/** Describes the steps in the life of a merge request. Each sends a Merge Request Hook. */
export interface MergeRequestActivity {
  openMergeRequest(project: GitlabProject, made: NewMergeRequest): GitlabMergeRequest
  /** Pushes a commit to its branch. */
  pushToMergeRequest(project: GitlabProject, of: GitlabMergeRequest, message?: string): GitlabCommit
  editMergeRequest(project: GitlabProject, of: GitlabMergeRequest, title: string): void
  closeMergeRequest(project: GitlabProject, of: GitlabMergeRequest): void
  reopenMergeRequest(project: GitlabProject, of: GitlabMergeRequest): void
  /** Merges it, and returns the commit that the branch is at then. */
  mergeMergeRequest(project: GitlabProject, of: GitlabMergeRequest): GitlabCommit
}

interface Deps {
  readonly state: GitlabState
  readonly hooks: Pick<GitlabHooks, 'emit'>
}

/** Creates the activity of merge requests on the state of the sandbox. */
export function createMergeRequestActivity(deps: Deps): MergeRequestActivity {
  const { state } = deps
  return {
    openMergeRequest(project, made) {
      const mergeRequest = open(state, project, made)
      change(deps, project, mergeRequest, { action: 'open' })
      return mergeRequest
    },
    pushToMergeRequest(project, of, message = 'Change it again') {
      const { source, sourceBranch: branch, author, headSha: oldrev } = of
      if (source === undefined) throw new Error('The fork is gone.')
      const pushed = pushBranch(state, source, { branch, author, commits: [{ message }] })
      bring(project, source, pushed.sha)
      change(deps, project, of, { action: 'update', headSha: pushed.sha, more: { oldrev } })
      return pushed
    },
    editMergeRequest: (project, of, title) =>
      change(deps, project, of, { action: 'update', title }),
    closeMergeRequest: (project, of) =>
      change(deps, project, of, { action: 'close', state: 'closed' }),
    reopenMergeRequest: (project, of) =>
      change(deps, project, of, { action: 'reopen', state: 'opened' }),
    mergeMergeRequest(project, of) {
      const { author, targetBranch: branch, headSha } = of
      const message = `Merge branch '${of.sourceBranch}' into '${branch}'`
      const parents = [project.branches.get(branch) ?? '', headSha]
      const merge = storeCommit(state, project, { message, author, parents })
      pushBranch(state, project, { branch, author, to: merge.sha })
      change(deps, project, of, { action: 'merge', state: 'merged' })
      return merge
    },
  }
}

function open(
  state: GitlabState,
  project: GitlabProject,
  { author, ...made }: NewMergeRequest,
): GitlabMergeRequest {
  const iid = Math.max(0, ...project.mergeRequests.keys()) + 1
  const { title = `Change ${iid}`, branch = `topic-${iid}`, from: source = project } = made
  if (!source.branches.has(branch)) {
    pushBranch(state, source, { branch, author, commits: [{ message: title }] })
  }
  const headSha = source.branches.get(branch) ?? ''
  bring(project, source, headSha)
  const now = state.clock.now()
  const mergeRequest: GitlabMergeRequest = {
    id: state.nextId(),
    iid,
    title,
    author,
    sourceBranch: branch,
    source,
    targetBranch: project.defaultBranch,
    headSha,
    state: 'opened',
    createdAt: now,
    updatedAt: now,
  }
  project.mergeRequests.set(iid, mergeRequest)
  return mergeRequest
}

/** Makes the commits of a branch known in the project that they are proposed to, as `refs/merge-requests/…` does. */
function bring(project: GitlabProject, source: GitlabProject, sha: string): void {
  for (const commit of listCommits(source, [sha])) project.commits.set(commit.sha, commit)
}

function change(
  { state, hooks }: Deps,
  project: GitlabProject,
  mergeRequest: GitlabMergeRequest,
  of: Partial<GitlabMergeRequest> & { readonly action: string; readonly more?: object },
): void {
  const { action, more = {}, ...changes } = of
  Object.assign(mergeRequest, changes, { updatedAt: state.clock.now() })
  const payload = toMergeRequestHook(state, project, { mergeRequest, action, more })
  hooks.emit({ project, trigger: 'merge_requests_events', name: 'Merge Request Hook', payload })
}

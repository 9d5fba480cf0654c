import type { GitlabHooks } from '../hooks/create-hooks.ts'
import { toIssueHook } from '../shapes/issue.ts'
import type { GitlabIssue, GitlabProject, GitlabState, GitlabUser } from '../state.ts'

/** Describes an issue to open. */
export interface NewGitlabIssue {
  readonly title: string
  readonly author: GitlabUser
  readonly assignee?: GitlabUser | undefined
  readonly isConfidential?: boolean
  /** Default `issue`. */
  readonly type?: GitlabIssue['type']
}

/** Describes the steps in the life of an issue. Each sends an Issue Hook, or the confidential one to hooks that want that. */
export interface GitlabIssueActivity {
  openIssue(project: GitlabProject, made: NewGitlabIssue): GitlabIssue
  closeIssue(project: GitlabProject, issue: GitlabIssue): void
  reopenIssue(project: GitlabProject, issue: GitlabIssue): void
  editIssue(project: GitlabProject, issue: GitlabIssue, title: string): void
  /** Moves an issue: it is closed, and a copy with another id and number is in the other project. */
  moveIssue(from: GitlabProject, issue: GitlabIssue, to: GitlabProject): GitlabIssue
  /** Deletes an issue. Its number is not used again, and no hook tells of it. */
  deleteIssue(project: GitlabProject, issue: GitlabIssue): void
}

export function createIssueActivity({
  state,
  hooks,
}: {
  readonly state: GitlabState
  readonly hooks: Pick<GitlabHooks, 'emit'>
}): GitlabIssueActivity {
  const emit = (project: GitlabProject, issue: GitlabIssue, action: string) => {
    const payload = toIssueHook(state, project, { issue, action })
    hooks.emit(
      issue.isConfidential
        ? {
            project,
            trigger: 'confidential_issues_events',
            name: 'Confidential Issue Hook',
            payload,
          }
        : { project, trigger: 'issues_events', name: 'Issue Hook', payload },
    )
  }
  const change = (
    project: GitlabProject,
    issue: GitlabIssue,
    { action, ...changed }: Partial<GitlabIssue> & { readonly action: string },
  ) => {
    Object.assign(issue, changed, { updatedAt: state.clock.now() })
    emit(project, issue, action)
  }
  const openIssue: GitlabIssueActivity['openIssue'] = (project, made) => {
    const issue = storeIssue(state, project, made)
    emit(project, issue, 'open')
    return issue
  }
  return {
    openIssue,
    closeIssue: (project, issue) => change(project, issue, { action: 'close', state: 'closed' }),
    reopenIssue: (project, issue) => change(project, issue, { action: 'reopen', state: 'opened' }),
    editIssue: (project, issue, title) => change(project, issue, { action: 'update', title }),
    moveIssue(from, issue, to) {
      const moved = openIssue(to, issue)
      const movedTo = { projectId: to.id, iid: moved.iid }
      change(from, issue, { action: 'close', state: 'closed', movedTo })
      return moved
    },
    deleteIssue(project, issue) {
      project.issues.delete(issue.iid)
    },
  }
}

function storeIssue(
  state: GitlabState,
  project: GitlabProject,
  { title, author, assignee, isConfidential = false, type = 'issue' }: NewGitlabIssue,
): GitlabIssue {
  const now = state.clock.now()
  project.lastIssue += 1
  const issue: GitlabIssue = {
    id: state.nextId(),
    iid: project.lastIssue,
    title,
    author,
    assignee,
    type,
    isConfidential,
    state: 'opened',
    movedTo: undefined,
    createdAt: now,
    updatedAt: now,
  }
  project.issues.set(issue.iid, issue)
  return issue
}

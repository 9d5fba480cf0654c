import type { ForgejoHooks } from '../hooks.ts'
import { presentIssueHook } from '../issue-shapes.ts'
import type { ForgejoIssue, ForgejoRepository, ForgejoState, ForgejoUser } from '../state.ts'

/** Describes an issue to open. */
export interface NewForgejoIssue {
  readonly title: string
  readonly author: ForgejoUser
  readonly assignee?: ForgejoUser
  /** True: it is a pull request. Default false. */
  readonly isPull?: boolean
}

/** Describes the steps in the life of an issue. Each sends a webhook, unless it is a pull request, which the sandbox only stores. */
export interface ForgejoIssueActivity {
  openIssue(repository: ForgejoRepository, made: NewForgejoIssue): ForgejoIssue
  closeIssue(repository: ForgejoRepository, issue: ForgejoIssue): void
  editIssue(repository: ForgejoRepository, issue: ForgejoIssue, title: string): void
  assignIssue(repository: ForgejoRepository, issue: ForgejoIssue, to: ForgejoUser): void
}

export function createIssueActivity({
  state,
  hooks,
}: {
  readonly state: ForgejoState
  readonly hooks: Pick<ForgejoHooks, 'emit'>
}): ForgejoIssueActivity {
  const emit = (
    repository: ForgejoRepository,
    issue: ForgejoIssue,
    { action, type = 'issues' }: { readonly action: string; readonly type?: string },
  ) => {
    if (issue.isPull) return
    const payload = presentIssueHook(state, repository, { issue, action })
    hooks.emit({ repository, name: 'issues', type, payload })
  }
  const change = (
    repository: ForgejoRepository,
    issue: ForgejoIssue,
    { action, type, ...changed }: Partial<ForgejoIssue> & { action: string; type?: string },
  ) => {
    Object.assign(issue, changed, { updatedAt: state.clock.now() })
    emit(repository, issue, { action, ...(type !== undefined && { type }) })
  }
  return {
    openIssue(repository, made) {
      const issue = storeIssue(state, repository, made)
      emit(repository, issue, { action: 'opened' })
      return issue
    },
    closeIssue: (repository, issue) =>
      change(repository, issue, { action: 'closed', state: 'closed' }),
    editIssue: (repository, issue, title) => change(repository, issue, { action: 'edited', title }),
    assignIssue: (repository, issue, assignee) =>
      change(repository, issue, { action: 'assigned', type: 'issue_assign', assignee }),
  }
}

function storeIssue(
  state: ForgejoState,
  { issues }: ForgejoRepository,
  { title, author, assignee, isPull = false }: NewForgejoIssue,
): ForgejoIssue {
  const now = state.clock.now()
  const issue: ForgejoIssue = {
    id: state.nextId(),
    number: issues.size + 1,
    title,
    author,
    assignee,
    isPull,
    state: 'open',
    createdAt: now,
    updatedAt: now,
  }
  issues.set(issue.number, issue)
  return issue
}

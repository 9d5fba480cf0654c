import { presentRepository, presentUser, toTime } from './shapes.ts'
import type { ForgejoIssue, ForgejoRepository, ForgejoState } from './state.ts'

/** Returns the address of the page of an issue, or of a pull request. */
export function issueUrl(
  { baseUrl }: Pick<ForgejoState, 'baseUrl'>,
  { fullName }: ForgejoRepository,
  { number, isPull }: ForgejoIssue,
): string {
  return `${baseUrl}/${fullName}/${isPull ? 'pulls' : 'issues'}/${number}`
}

/**
 * Returns an issue as the API shows it, or a pull request among issues.
 *
 * @see https://codeberg.org/api/swagger#/issue/issueGetIssue
 */
export function presentIssue(
  state: ForgejoState,
  repository: ForgejoRepository,
  issue: ForgejoIssue,
) {
  const { id: repositoryId, fullName } = repository
  const { id, number, title, author, assignee, isPull, createdAt, updatedAt } = issue
  const [owner = '', name = ''] = fullName.split('/')
  const page = issueUrl(state, repository, issue)
  const people = assignee === undefined ? null : [presentUser(state, assignee)]
  return {
    id,
    url: `${state.baseUrl}/api/v1/repos/${fullName}/issues/${number}`,
    html_url: page,
    number,
    user: presentUser(state, author),
    original_author: '',
    original_author_id: 0,
    title,
    body: '',
    ref: '',
    assets: [],
    labels: [],
    milestone: null,
    assignee: people?.[0] ?? null,
    assignees: people,
    state: issue.state,
    is_locked: false,
    comments: 0,
    created_at: toTime(createdAt),
    updated_at: toTime(updatedAt),
    closed_at: issue.state === 'closed' ? toTime(updatedAt) : null,
    due_date: null,
    pull_request: isPull ? { merged: false, merged_at: null, draft: false, html_url: page } : null,
    repository: { id: repositoryId, name, owner, full_name: fullName },
    pin_order: 0,
  }
}

/** Returns the body of a webhook about an issue. */
export function presentIssueHook(
  state: ForgejoState,
  repository: ForgejoRepository,
  { issue, action }: { readonly issue: ForgejoIssue; readonly action: string },
) {
  return {
    action,
    number: issue.number,
    issue: presentIssue(state, repository, issue),
    repository: presentRepository(state, repository),
    sender: presentUser(state, issue.author),
    commit_id: '',
  }
}

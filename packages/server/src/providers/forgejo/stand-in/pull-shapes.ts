import { issueUrl } from './issue-shapes.ts'
import { presentRepository, presentUser, toTime } from './shapes.ts'
import type { ForgejoPull, ForgejoRepository, ForgejoState } from './state.ts'

/**
 * Returns a pull request as the API and webhooks show it.
 *
 * @see https://codeberg.org/api/swagger#/repository/repoGetPullRequest
 */
export function presentPull(
  state: ForgejoState,
  repository: ForgejoRepository,
  { issue, branch, from, base, headSha, isMerged }: ForgejoPull,
) {
  const { id, number, title, author, createdAt, updatedAt } = issue
  const page = issueUrl(state, repository, issue)
  const endedAt = issue.state === 'closed' ? toTime(updatedAt) : null
  return {
    id,
    url: page,
    number,
    user: presentUser(state, author),
    title,
    body: '',
    labels: [],
    milestone: null,
    assignee: null,
    assignees: null,
    requested_reviewers: null,
    state: issue.state,
    draft: false,
    is_locked: false,
    comments: 0,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    mergeable: !isMerged,
    merged: isMerged,
    merged_at: isMerged ? endedAt : null,
    merge_commit_sha: null,
    merged_by: isMerged ? presentUser(state, author) : null,
    allow_maintainer_edit: false,
    base: {
      label: base,
      ref: base,
      sha: repository.branches.get(base) ?? '',
      repo_id: repository.id,
      repo: presentRepository(state, repository),
    },
    head: {
      label: branch,
      ref: from === undefined ? `refs/pull/${number}/head` : branch,
      sha: headSha,
      repo_id: from?.id ?? -1,
      repo: from === undefined ? null : presentRepository(state, from),
    },
    merge_base: '',
    due_date: null,
    created_at: toTime(createdAt),
    updated_at: toTime(updatedAt),
    closed_at: endedAt,
    pin_order: 0,
    flow: 0,
  }
}

/** Returns the body of a webhook about a pull request. */
export function presentPullHook(
  state: ForgejoState,
  repository: ForgejoRepository,
  { pull, action }: { readonly pull: ForgejoPull; readonly action: string },
) {
  return {
    action,
    number: pull.issue.number,
    pull_request: presentPull(state, repository, pull),
    requested_reviewer: null,
    repository: presentRepository(state, repository),
    sender: presentUser(state, pull.issue.author),
    commit_id: '',
    review: null,
  }
}

import type { GitlabMergeRequest, GitlabProject, GitlabState } from '../state.ts'
import { titleOf } from './commit.ts'
import { toHookUser, toUser } from './people.ts'
import { projectUrl, toHookProject } from './project.ts'

type At = Pick<GitlabState, 'baseUrl'>

function urlOf(at: At, project: GitlabProject, iid: number): string {
  return `${projectUrl(at, project)}/-/merge_requests/${iid}`
}

/** Returns a merge request as the API shows one. */
export function toMergeRequest(at: At, project: GitlabProject, of: GitlabMergeRequest) {
  const { id, iid, title, author, state, source, createdAt, updatedAt } = of
  const endedAt = (ended: GitlabMergeRequest['state']) =>
    state === ended ? updatedAt.toISOString() : null
  return {
    id,
    iid,
    project_id: project.id,
    title,
    description: '',
    state,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    merged_at: endedAt('merged'),
    closed_at: endedAt('closed'),
    target_branch: of.targetBranch,
    source_branch: of.sourceBranch,
    author: toUser(at, author),
    assignees: [],
    assignee: null,
    reviewers: [],
    source_project_id: source?.id ?? null,
    target_project_id: project.id,
    labels: [],
    draft: false,
    milestone: null,
    sha: of.headSha,
    web_url: urlOf(at, project, iid),
    references: { short: `!${iid}`, relative: `!${iid}`, full: `${project.fullPath}!${iid}` },
  }
}

/**
 * Returns the body of a Merge Request Hook.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhook_events/#merge-request-events
 */
export function toMergeRequestHook(
  at: At,
  project: GitlabProject,
  {
    mergeRequest: of,
    action,
    more,
  }: {
    readonly mergeRequest: GitlabMergeRequest
    readonly action: string
    readonly more: object
  },
) {
  const { id, iid, title, author, state, source, createdAt, updatedAt, headSha } = of
  const commit = project.commits.get(headSha)
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: toHookUser(author),
    project: toHookProject(at, project),
    object_attributes: {
      id,
      iid,
      target_branch: of.targetBranch,
      source_branch: of.sourceBranch,
      source_project_id: source?.id ?? null,
      target_project_id: project.id,
      author_id: author.id,
      assignee_ids: [],
      reviewer_ids: [],
      title,
      description: '',
      created_at: toUtc(createdAt),
      updated_at: toUtc(updatedAt),
      state,
      draft: false,
      merge_status: 'unchecked',
      detailed_merge_status: state === 'opened' ? 'mergeable' : 'not_open',
      url: urlOf(at, project, iid),
      source: source === undefined ? null : toHookProject(at, source),
      target: toHookProject(at, project),
      last_commit: commit && {
        id: commit.sha,
        message: commit.message,
        title: titleOf(commit),
        timestamp: commit.at.toISOString(),
        url: `${projectUrl(at, project)}/-/commit/${commit.sha}`,
        author: { name: commit.author.name, email: '[REDACTED]' },
      },
      labels: [],
      action,
      ...more,
    },
    labels: [],
    changes: {},
    repository: { name: project.name, description: null, homepage: projectUrl(at, project) },
  }
}

function toUtc(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

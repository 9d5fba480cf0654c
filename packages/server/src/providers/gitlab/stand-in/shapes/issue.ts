import type { GitlabIssue, GitlabProject, GitlabState } from '../state.ts'
import { toHookUser, toUser } from './people.ts'
import { projectUrl, toHookProject } from './project.ts'

type At = Pick<GitlabState, 'baseUrl' | 'projects'>

/** Returns the address of an issue's page. */
export function issueUrl(at: At, project: GitlabProject, { iid }: GitlabIssue): string {
  return `${projectUrl(at, project)}/-/issues/${iid}`
}

/** Returns the issue in the other project that an issue was moved to; `undefined`: it was not, or that one is gone. */
export function findMoved(
  { projects }: At,
  { movedTo }: GitlabIssue,
): { readonly project: GitlabProject; readonly issue: GitlabIssue } | undefined {
  const project = projects.get(movedTo?.projectId ?? 0)
  const issue = project?.issues.get(movedTo?.iid ?? 0)
  return project && issue && { project, issue }
}

/** Returns an issue as the API shows one. */
export function toIssue(at: At, project: GitlabProject, issue: GitlabIssue) {
  const { id, iid, title, state, author, assignee, isConfidential, type } = issue
  const url = `${at.baseUrl}/api/v4/projects/${project.id}`
  const people = assignee === undefined ? [] : [toUser(at, assignee)]
  return {
    id,
    iid,
    project_id: project.id,
    title,
    description: null,
    state,
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
    closed_at: state === 'closed' ? issue.updatedAt.toISOString() : null,
    closed_by: null,
    labels: [],
    milestone: null,
    assignees: people,
    author: toUser(at, author),
    type: type.toUpperCase(),
    assignee: people[0] ?? null,
    user_notes_count: 0,
    merge_requests_count: 0,
    upvotes: 0,
    downvotes: 0,
    due_date: null,
    confidential: isConfidential,
    discussion_locked: null,
    issue_type: type,
    web_url: issueUrl(at, project, issue),
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    task_completion_status: { count: 0, completed_count: 0 },
    has_tasks: false,
    _links: {
      self: `${url}/issues/${iid}`,
      notes: `${url}/issues/${iid}/notes`,
      award_emoji: `${url}/issues/${iid}/award_emoji`,
      project: url,
      closed_as_duplicate_of: null,
    },
    references: {
      short: `#${iid}`,
      relative: `#${iid}`,
      full: `${project.fullPath}#${iid}`,
    },
    severity: 'UNKNOWN',
    moved_to_id: findMoved(at, issue)?.issue.id ?? null,
    imported: false,
    imported_from: 'none',
    service_desk_reply_to: null,
  }
}

/** Returns the body of an Issue Hook. Its times are UTC in GitLab's own form. */
export function toIssueHook(
  at: At,
  project: GitlabProject,
  { issue, action }: { readonly issue: GitlabIssue; readonly action: string },
) {
  const { id, iid, title, state, author, assignee, isConfidential, type } = issue
  const people = assignee === undefined ? [] : [toHookUser(assignee)]
  return {
    object_kind: 'issue',
    event_type: isConfidential ? 'confidential_issue' : 'issue',
    user: toHookUser(author),
    project: toHookProject(at, project),
    object_attributes: {
      id,
      iid,
      title,
      description: '',
      project_id: project.id,
      author_id: author.id,
      assignee_id: assignee?.id ?? null,
      assignee_ids: people.map((person) => person.id),
      state,
      state_id: state === 'opened' ? 1 : 2,
      type: { issue: 'Issue', incident: 'Incident', task: 'Task' }[type],
      confidential: isConfidential,
      severity: 'unknown',
      moved_to_id: findMoved(at, issue)?.issue.id ?? null,
      duplicated_to_id: null,
      created_at: toUtc(issue.createdAt),
      updated_at: toUtc(issue.updatedAt),
      closed_at: state === 'closed' ? toUtc(issue.updatedAt) : null,
      url: issueUrl(at, project, issue),
      action,
      labels: [],
    },
    labels: [],
    changes: {},
    ...(people.length > 0 && { assignees: people }),
    repository: { name: project.name, description: null, homepage: projectUrl(at, project) },
  }
}

function toUtc(at: Date): string {
  return at
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}

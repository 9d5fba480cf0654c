import { accessModes } from './state.ts'
import type {
  ForgejoCommit,
  ForgejoHook,
  ForgejoRepository,
  ForgejoRun,
  ForgejoState,
  ForgejoUser,
} from './state.ts'

const noTime = '1970-01-01T00:00:00Z'
const zeroTime = '0001-01-01T00:00:00Z'

/** Returns a moment without fractions of a second, as Go writes it. */
export function toTime(at: Date | undefined): string {
  return at === undefined ? noTime : at.toISOString().replace(/\.\d{3}Z$/, 'Z')
}

/** Returns a person. */
export function presentUser({ baseUrl }: ForgejoState, user: ForgejoUser) {
  const { id, login, fullName, email } = user
  return {
    id,
    login,
    login_name: '',
    source_id: 0,
    full_name: fullName,
    email,
    avatar_url: `${baseUrl}/avatars/${id}`,
    html_url: `${baseUrl}/${login}`,
    language: '',
    is_admin: false,
    last_login: zeroTime,
    created: noTime,
    restricted: false,
    active: true,
    prohibit_login: false,
    location: '',
    website: '',
    description: '',
    visibility: 'public',
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    username: login,
  }
}

/** Returns a repository, with the rights of a person where there is one. */
export function presentRepository(
  state: ForgejoState,
  repository: ForgejoRepository,
  user?: ForgejoUser,
) {
  const { id, fullName, isPrivate, isArchived, defaultBranch, createdAt, members } = repository
  const [owner = '', name = ''] = fullName.split('/')
  const own = user && members.get(user.id)
  const rank = own === undefined ? (isPrivate ? -1 : 0) : accessModes.indexOf(own)
  return {
    id,
    owner: { id: 900, login: owner, full_name: '', username: owner },
    name,
    full_name: fullName,
    description: '',
    empty: false,
    private: isPrivate,
    fork: false,
    template: false,
    mirror: false,
    size: 24,
    html_url: `${state.baseUrl}/${fullName}`,
    url: `${state.baseUrl}/api/v1/repos/${fullName}`,
    clone_url: `${state.baseUrl}/${fullName}.git`,
    ssh_url: `git@127.0.0.1:${fullName}.git`,
    default_branch: defaultBranch,
    archived: isArchived,
    created_at: toTime(createdAt),
    updated_at: toTime(createdAt),
    archived_at: noTime,
    permissions: { admin: rank >= 2, push: rank >= 1, pull: rank >= 0 },
    has_issues: true,
    has_actions: true,
    has_pull_requests: true,
    object_format_name: 'sha1',
  }
}

/** Returns a commit. The account of its author is there where the instance knows the address. */
export function presentCommit(
  state: ForgejoState,
  { fullName }: ForgejoRepository,
  commit: ForgejoCommit,
) {
  const { sha, message, author, at, parents } = commit
  const url = `${state.baseUrl}/api/v1/repos/${fullName}/git/commits/${sha}`
  const person = { name: author.fullName, email: author.email, date: toTime(at) }
  return {
    url,
    sha,
    created: toTime(at),
    html_url: `${state.baseUrl}/${fullName}/commit/${sha}`,
    commit: {
      url,
      author: person,
      committer: person,
      message: `${message}\n`,
      tree: { url, sha, created: zeroTime },
    },
    author: presentUser(state, author),
    committer: presentUser(state, author),
    parents: parents.map((parent) => ({ url: '', sha: parent, created: zeroTime })),
  }
}

/** Returns a run as Forgejo shows it. The inputs of a dispatch are in the text of its event. */
export function presentForgejoRun(
  state: ForgejoState,
  repository: ForgejoRepository,
  run: ForgejoRun,
) {
  const { id, index, title, workflowId, ref, sha, event, inputs, user, status } = run
  const payload =
    event === 'workflow_dispatch'
      ? {
          inputs,
          ref: `refs/heads/${ref}`,
          repository: presentRepository(state, repository),
          sender: presentUser(state, user),
          workflow: `${repository.workflowFolder}/${workflowId}`,
        }
      : { ref: `refs/heads/${ref}`, after: sha }
  return {
    id,
    title,
    repository: presentRepository(state, repository),
    workflow_id: workflowId,
    index_in_repo: index,
    trigger_user: presentUser(state, user),
    ScheduleID: 0,
    prettyref: ref,
    is_ref_deleted: false,
    commit_sha: sha,
    is_fork_pull_request: false,
    need_approval: false,
    approved_by: 0,
    event,
    event_payload: JSON.stringify(payload),
    trigger_event: event,
    status,
    started: toTime(run.startedAt),
    stopped: toTime(run.stoppedAt),
    created: toTime(run.createdAt),
    updated: toTime(run.updatedAt),
    duration: 0,
    html_url: `${state.baseUrl}/${repository.fullName}/actions/runs/${index}`,
  }
}

const giteaStates = {
  waiting: ['queued', ''],
  running: ['in_progress', ''],
  success: ['completed', 'success'],
  failure: ['completed', 'failure'],
  cancelled: ['completed', 'cancelled'],
  skipped: ['completed', 'skipped'],
} as const

/** Returns a run as Gitea shows it. */
export function presentGiteaRun(
  state: ForgejoState,
  repository: ForgejoRepository,
  run: ForgejoRun,
) {
  const { id, index, title, workflowId, ref, sha, event, user, attempt } = run
  const [status, conclusion] = giteaStates[run.status]
  const at = `${state.baseUrl}/api/v1/repos/${repository.fullName}/actions/runs/${id}`
  return {
    id,
    url: at,
    html_url: `${state.baseUrl}/${repository.fullName}/actions/runs/${index}`,
    display_title: title,
    path: `${workflowId}@refs/heads/${ref}`,
    event,
    run_attempt: attempt,
    run_number: index,
    repository_id: repository.id,
    head_sha: sha,
    head_branch: ref,
    status,
    ...(conclusion !== '' && { conclusion }),
    actor: presentUser(state, user),
    trigger_actor: presentUser(state, user),
    repository: presentRepository(state, repository),
    started_at: toTime(run.startedAt),
    completed_at: toTime(run.stoppedAt),
  }
}

/** Returns a run as the product of the instance shows it. */
export function presentRun(state: ForgejoState, repository: ForgejoRepository, run: ForgejoRun) {
  return state.settings.product === 'gitea'
    ? presentGiteaRun(state, repository, run)
    : presentForgejoRun(state, repository, run)
}

/** Returns a webhook, without its secret. */
export function presentHook(hook: ForgejoHook) {
  const { id, type, url, contentType, events, active, createdAt, updatedAt } = hook
  return {
    id,
    type,
    branch_filter: '*',
    config: { content_type: contentType, url },
    events,
    authorization_header: '',
    active,
    updated_at: toTime(updatedAt),
    created_at: toTime(createdAt),
  }
}

import type { GitlabDeployment, GitlabEnvironment, GitlabProject, GitlabState } from '../state.ts'
import { shortOf, titleOf, toCommit } from './commit.ts'
import { toHookUser, toUser } from './people.ts'
import { toNamelessPipeline } from './pipeline.ts'
import { projectUrl, toHookProject } from './project.ts'

type At = Pick<GitlabState, 'baseUrl'>

/** Returns an environment as a deployment shows it: without its tier, its state and its end. */
function toEnvironmentOfDeployment(environment: GitlabEnvironment) {
  const { id, name, slug, externalUrl, createdAt, updatedAt } = environment
  return {
    id,
    name,
    slug,
    external_url: externalUrl,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }
}

/** Returns an environment as the list shows it. */
export function toEnvironment(environment: GitlabEnvironment) {
  const { tier, state, autoStopAt } = environment
  return {
    ...toEnvironmentOfDeployment(environment),
    tier,
    state,
    auto_stop_at: autoStopAt?.toISOString() ?? null,
    auto_stop_setting: 'always',
    description: null,
  }
}

/** Returns a deployment as the API shows one. `deployable` is null for one that was made through the API. */
export function toDeployment(at: At, project: GitlabProject, deployment: GitlabDeployment) {
  const { id, iid, ref, sha, createdAt, updatedAt, status, user } = deployment
  const environment = project.environments.get(deployment.environmentId)
  return {
    id,
    iid,
    ref,
    sha,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    status,
    user: toUser(at, user),
    environment: environment === undefined ? null : toEnvironmentOfDeployment(environment),
    deployable: toDeployable(at, project, deployment),
  }
}

function toDeployable(at: At, project: GitlabProject, deployment: GitlabDeployment) {
  const { job, sha, ref, isTag, user, createdAt, finishedAt, status } = deployment
  const pipeline = project.pipelines.get(job?.pipelineId ?? 0)
  const commit = project.commits.get(sha)
  if (job === undefined || pipeline === undefined || commit === undefined) return null
  return {
    id: job.id,
    status: status === 'blocked' ? 'manual' : status,
    stage: 'deploy',
    name: job.name,
    ref,
    tag: isTag,
    coverage: null,
    allow_failure: false,
    created_at: createdAt.toISOString(),
    started_at: status === 'created' || status === 'blocked' ? null : createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
    duration: null,
    queued_duration: null,
    user: toUser(at, user),
    commit: toCommit(at, project, commit),
    pipeline: toNamelessPipeline(at, project, pipeline),
    web_url: `${projectUrl(at, project)}/-/jobs/${job.id}`,
    runner: null,
    artifacts: [],
  }
}

/**
 * Returns the body of a Deployment Hook. It has the first digits of the commit alone, and the time in a form of its
 * own: `2021-04-28 21:50:00 +0200`.
 */
export function toDeploymentHook(at: At, project: GitlabProject, deployment: GitlabDeployment) {
  const { id, job, sha, ref, user, status, updatedAt } = deployment
  const environment = project.environments.get(deployment.environmentId)
  const commit = project.commits.get(sha)
  const url = projectUrl(at, project)
  return {
    object_kind: 'deployment',
    status,
    status_changed_at: toHookTime(updatedAt),
    deployment_id: id,
    deployable_id: job?.id ?? null,
    deployable_url: job === undefined ? null : `${url}/-/jobs/${job.id}`,
    ...toHookEnvironment(environment),
    project: toHookProject(at, project),
    ref,
    short_sha: shortOf(sha),
    user: toHookUser(user),
    user_url: `${at.baseUrl}/${user.username}`,
    commit_url: `${url}/-/commit/${sha}`,
    commit_title: commit === undefined ? null : titleOf(commit),
  }
}

function toHookEnvironment(environment: GitlabEnvironment | undefined) {
  return {
    environment: environment?.name ?? '',
    environment_tier: environment?.tier ?? 'other',
    environment_slug: environment?.slug ?? '',
    environment_external_url: environment?.externalUrl ?? null,
  }
}

/** Returns a time as Ruby writes it, in a zone that is not UTC, so that nobody reads it as UTC by chance. */
function toHookTime(time: Date): string {
  const there = new Date(time.getTime() + 2 * 60 * 60 * 1000)
  return `${there.toISOString().slice(0, 19).replace('T', ' ')} +0200`
}

import type { GitlabPipeline, GitlabPipelineStatus, GitlabProject, GitlabState } from '../state.ts'
import { titleOf } from './commit.ts'
import { toHookUser, toUser } from './people.ts'
import { projectUrl, toHookProject } from './project.ts'

type At = Pick<GitlabState, 'baseUrl'>

/** Returns a pipeline as its jobs show it. */
export function toNamelessPipeline(at: At, project: GitlabProject, pipeline: GitlabPipeline) {
  const { id, iid, sha, ref, status, source, createdAt, updatedAt } = pipeline
  return {
    id,
    iid,
    project_id: project.id,
    sha,
    ref,
    status,
    source,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    web_url: `${projectUrl(at, project)}/-/pipelines/${id}`,
  }
}

/** Returns a pipeline as lists show it. */
export function toPipeline(at: At, project: GitlabProject, pipeline: GitlabPipeline) {
  return { ...toNamelessPipeline(at, project, pipeline), name: pipeline.name }
}

/** Returns a pipeline as the API shows one alone. */
export function toWholePipeline(at: At, project: GitlabProject, pipeline: GitlabPipeline) {
  return { ...toStartedPipeline(at, project, pipeline), name: pipeline.name }
}

/** Returns a pipeline as the answer to its start shows it: without its name. */
export function toStartedPipeline(at: At, project: GitlabProject, pipeline: GitlabPipeline) {
  const { isTag, user, startedAt, finishedAt, status } = pipeline
  return {
    ...toNamelessPipeline(at, project, pipeline),
    before_sha: '0000000000000000000000000000000000000000',
    tag: isTag,
    yaml_errors: null,
    user: toUser(at, user),
    started_at: startedAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    committed_at: null,
    duration: durationOf(pipeline) ?? null,
    queued_duration: null,
    coverage: null,
    detailed_status: {
      icon: `status_${status}`,
      text: detailOf(status),
      label: detailOf(status),
      group: status,
      tooltip: detailOf(status),
      has_details: true,
      details_path: `/${project.fullPath}/-/pipelines/${pipeline.id}`,
      illustration: null,
      favicon: '/assets/ci_favicons/favicon.png',
    },
    archived: false,
  }
}

/** Returns the body of a Pipeline Hook. It has no time of the change, so receivers order by the status. */
export function toPipelineHook(at: At, project: GitlabProject, pipeline: GitlabPipeline) {
  const { id, iid, name, ref, isTag, sha, source, status, createdAt, finishedAt } = pipeline
  const commit = project.commits.get(sha)
  const url = projectUrl(at, project)
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id,
      iid,
      name,
      ref,
      tag: isTag,
      sha,
      before_sha: '0000000000000000000000000000000000000000',
      source,
      status,
      detailed_status: detailOf(status),
      stages: [...new Set(pipeline.jobs.map(({ stage }) => stage))],
      created_at: toUtc(createdAt),
      finished_at: finishedAt === undefined ? null : toUtc(finishedAt),
      duration: durationOf(pipeline) ?? null,
      queued_duration: null,
      variables: pipeline.variables,
      url: `${url}/-/pipelines/${id}`,
    },
    merge_request: null,
    user: toHookUser(pipeline.user),
    project: toHookProject(at, project),
    ...(commit !== undefined && {
      commit: {
        id: commit.sha,
        message: commit.message,
        title: titleOf(commit),
        timestamp: commit.at.toISOString(),
        url: `${url}/-/commit/${sha}`,
        author: { name: commit.author.name, email: '[REDACTED]' },
      },
    }),
    builds: pipeline.jobs.map((job) => ({
      id: job.id,
      stage: job.stage,
      name: job.name,
      status: job.status,
      created_at: toUtc(job.createdAt),
      started_at: null,
      finished_at: job.finishedAt === undefined ? null : toUtc(job.finishedAt),
      duration: null,
      queued_duration: null,
      failure_reason: job.status === 'failed' ? 'script_failure' : null,
      when: 'on_success',
      manual: false,
      allow_failure: false,
      user: toHookUser(pipeline.user),
      runner: null,
      artifacts_file: { filename: null, size: null },
      environment: environmentOf(project, job.environment),
    })),
  }
}

function environmentOf({ environments }: GitlabProject, name: string | undefined) {
  const environment = [...environments.values()].find((one) => one.name === name)
  if (environment === undefined) return null
  return { name: environment.name, action: 'start', deployment_tier: environment.tier }
}

function durationOf({ startedAt, finishedAt }: GitlabPipeline): number | undefined {
  if (startedAt === undefined || finishedAt === undefined) return undefined
  return Math.round((finishedAt.getTime() - startedAt.getTime()) / 1000)
}

function detailOf(status: GitlabPipelineStatus): string {
  return status === 'success' ? 'passed' : status
}

function toUtc(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

import {
  issuerRoutes as routesOf,
  issueToken,
  type JobIssuer,
} from '../../../../../sandbox/src/models/job-tokens.ts'
import type { Route } from '../../../../../sandbox/src/http/route.ts'
import type { GitlabPipeline, GitlabProject, GitlabState } from './state.ts'

function issuerOf(state: GitlabState): JobIssuer {
  return {
    keyId: 'signalbox-sandbox-gitlab',
    path: '',
    keysPath: '/oauth/discovery/keys',
    baseUrl: () => state.baseUrl,
    more: () => ({
      authorization_endpoint: `${state.baseUrl}/oauth/authorize`,
      token_endpoint: `${state.baseUrl}/oauth/token`,
      revocation_endpoint: `${state.baseUrl}/oauth/revoke`,
      response_types_supported: ['code'],
      scopes_supported: ['api', 'read_api', 'openid'],
    }),
  }
}

/**
 * Creates the discovery document and the key set.
 *
 * @see https://docs.gitlab.com/ci/secrets/id_token_authentication/
 */
export function issuerRoutes(state: GitlabState): Route[] {
  return routesOf(issuerOf(state))
}

/** Describes the job that a token is issued for, and its audience. */
export interface JobIdentity {
  readonly state: GitlabState
  readonly project: GitlabProject
  readonly pipeline: GitlabPipeline
  readonly audience: string
  /** Replaces claims. In pipelines of forks `project_id` is the fork's, although the job runs in the target, `job_project_id`. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** Returns the token that a job gets with `id_tokens`. Numbers are text in it, and nothing counts attempts. */
export function issueJobToken({ state, project, pipeline, audience, claims }: JobIdentity): string {
  const [job] = pipeline.jobs
  const refType = pipeline.isTag ? 'tag' : 'branch'
  return issueToken(issuerOf(state), state.clock, {
    sub: `project_path:${project.fullPath}:ref_type:${refType}:ref:${pipeline.ref}`,
    aud: audience,
    namespace_id: String(project.namespace.id),
    namespace_path: project.namespace.fullPath,
    project_id: String(project.id),
    project_path: project.fullPath,
    project_visibility: project.visibility,
    job_project_id: String(project.id),
    job_project_path: project.fullPath,
    user_id: String(pipeline.user.id),
    user_login: pipeline.user.username,
    user_email: pipeline.user.email,
    user_access_level: project.members.get(pipeline.user.id) ?? null,
    pipeline_id: String(pipeline.id),
    pipeline_source: pipeline.source,
    job_id: String(job?.id ?? 0),
    ref: pipeline.ref,
    ref_type: refType,
    ref_path: `refs/${pipeline.isTag ? 'tags' : 'heads'}/${pipeline.ref}`,
    ref_protected: String(pipeline.ref === project.defaultBranch),
    runner_id: 1,
    runner_environment: 'self-hosted',
    sha: pipeline.sha,
    ...claims,
  })
}

import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { json } from '../http/answers.ts'
import type { Route } from '../http/route.ts'
import type { GitlabPipeline, GitlabProject, GitlabState } from './state.ts'

const keyId = 'signalbox-sandbox-gitlab'
const lifetimeSeconds = 300

let keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined

/** Returns the key pair that signs the tokens of jobs, the same for every sandbox of this process. Creating one takes long. */
function jobKeys() {
  return (keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 }))
}

/**
 * Creates the discovery document and the key set, which is at an address of its own: `/oauth/discovery/keys`.
 *
 * @see https://docs.gitlab.com/ci/secrets/id_token_authentication/
 */
export function issuerRoutes(state: GitlabState): Route[] {
  return [
    {
      method: 'GET',
      path: '/.well-known/openid-configuration',
      handle: () =>
        json({
          issuer: state.baseUrl,
          authorization_endpoint: `${state.baseUrl}/oauth/authorize`,
          token_endpoint: `${state.baseUrl}/oauth/token`,
          revocation_endpoint: `${state.baseUrl}/oauth/revoke`,
          jwks_uri: `${state.baseUrl}/oauth/discovery/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          scopes_supported: ['api', 'read_api', 'openid'],
        }),
    },
    {
      method: 'GET',
      path: '/oauth/discovery/keys',
      handle: () => {
        const jwk = jobKeys().publicKey.export({ format: 'jwk' })
        return json({ keys: [{ ...jwk, kid: keyId, use: 'sig', alg: 'RS256' }] })
      },
    },
  ]
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
  const issuedAt = Math.floor(state.clock.now().getTime() / 1000)
  const [job] = pipeline.jobs
  const refType = pipeline.isTag ? 'tag' : 'branch'
  const body = {
    iss: state.baseUrl,
    sub: `project_path:${project.fullPath}:ref_type:${refType}:ref:${pipeline.ref}`,
    aud: audience,
    iat: issuedAt,
    nbf: issuedAt - 5,
    exp: issuedAt + lifetimeSeconds,
    jti: randomUUID(),
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
  }
  const signed = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, body].map(encode).join('.')
  const signature = sign('RSA-SHA256', Buffer.from(signed), jobKeys().privateKey)
  return `${signed}.${signature.toString('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

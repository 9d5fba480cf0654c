import { Problem } from '@signalbox/contract'
import { deploymentEndpoints, type BodyOf, type gateEndpoints } from '@signalbox/contract/rest'
import { environmentsOf, requireEnvironment } from '../audit/caller.ts'
import { requireAccess } from '../http/admission/access.ts'
import type { ActorDeps } from '../http/admission/authorize-actor.ts'
import type { BeforeLookup } from '../http/admission/credential-guard.ts'
import { permissionsOf } from '../http/admission/permissions.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Scope } from '../store/scope.ts'
import type {
  PipelineTokens,
  VerifiedPipeline,
} from '../test-runs/reports/verify-pipeline-token.ts'

/** Describes what the authorization of pipelines that ask works with. */
export interface AskAuthorizationDeps extends Pick<
  ActorDeps,
  'authenticate' | 'resolveOrganization'
> {
  readonly pipelineTokens: PipelineTokens
  /** Returns the id of the organization of an id or slug, for a pipeline that names it. */
  readonly findOrganizationId: (orgRef: string) => Promise<string | undefined>
}

export type AskBody = BodyOf<typeof gateEndpoints.askGate>

interface AskRequest {
  readonly authorization: string | undefined
  readonly orgRef: string
  readonly requestId: string
  readonly ip: string
  readonly beforeLookup: BeforeLookup
  readonly body: AskBody
}

/** Describes a deployment that asks, by words that its sender may answer for. */
export interface AuthorizedAsk {
  readonly orgId: string
  readonly scope: Scope
  /** Names the repository by the code host's id, where the code host says so, else by its name. */
  readonly repository:
    | { readonly provider: string; readonly externalId: string; readonly name: string | undefined }
    | { readonly fullName: string }
  readonly environment: string
  readonly sha: string
  readonly ref: string | null
  readonly runId: string
  readonly attempt: number
  readonly url: string | null
  /** Checks that the sender may ask for an environment. @throws {Problem} `key_scope_forbidden`, `invalid_credentials` */
  readonly checkEnvironment: (environment: AskedEnvironment) => void
}

/** Describes the environment that a deployment is for. */
export interface AskedEnvironment {
  /** `null`: none of ours. */
  readonly id: string | null
  /** Says that changes of it need a confirmation or approvals. */
  readonly isProtected: boolean
}

/**
 * Authorizes a pipeline that asks whether it may go on: by the token that its code host made for the run, which names the commit, or
 * by a server key or an access token.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `expired_credentials`, `not_found`, `role_forbidden`,
 * `key_kind_forbidden`, `key_read_only`, `validation_failed`
 */
export async function authorizeAsk(
  deps: AskAuthorizationDeps,
  request: AskRequest,
): Promise<AuthorizedAsk> {
  const token = /^Bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1]
  if (token !== undefined && deps.pipelineTokens.isOurs(token)) {
    return authorizePipeline(deps, request, await deps.pipelineTokens.verify(token))
  }
  const { authorization, requestId, ip, beforeLookup, orgRef, body } = request
  const credentials = { authorization, cookie: undefined, requestId, ip, beforeLookup }
  const actor = authorization === undefined ? undefined : await deps.authenticate(credentials)
  if (actor === undefined) {
    const detail =
      'Send a server key, or the OIDC token of the pipeline, as "Authorization: Bearer …".'
    throw new Problem('missing_credentials', detail)
  }
  const reached = await deps.resolveOrganization(actor, orgRef)
  if (reached === undefined) throw notFound()
  const { organization, role, grants } = reached
  // Who may report deployments may ask for them.
  const permissions = permissionsOf(actor, role, grants)
  requireAccess(deploymentEndpoints.createDeployment, actor, { role, permissions })
  const { repository, sha, run, attempt = 1 } = body
  if (repository === undefined || sha === undefined || run === undefined) throw namelessRun()
  const userId = actor.type === 'user' ? actor.userId : null
  const caller = { environmentIds: environmentsOf(actor) }
  return {
    orgId: organization.id,
    scope: { orgId: organization.id, userId },
    repository: { fullName: repository },
    environment: body.environment,
    sha,
    ref: body.ref ?? null,
    runId: run,
    attempt,
    url: body.url ?? null,
    checkEnvironment: ({ id }) => requireEnvironment(caller, id),
  }
}

async function authorizePipeline(
  { findOrganizationId }: AskAuthorizationDeps,
  { orgRef, body }: AskRequest,
  pipeline: VerifiedPipeline,
): Promise<AuthorizedAsk> {
  const orgId = await findOrganizationId(orgRef)
  if (orgId === undefined) throw foreignRepository()
  const { provider, repositoryExternalId, runId, attempt, sha, ref, isRefProtected } = pipeline
  if (sha === undefined) throw withoutCommit()
  requireSame('sha', body.sha, sha)
  requireSame('run', body.run, runId)
  requireSame('attempt', body.attempt, attempt)
  if (ref !== undefined) requireSame('ref', body.ref, ref)
  return {
    orgId,
    scope: { orgId },
    repository: { provider, externalId: repositoryExternalId, name: body.repository },
    environment: body.environment,
    sha,
    ref: ref ?? null,
    runId,
    attempt,
    url: body.url ?? null,
    checkEnvironment({ isProtected }) {
      if (isProtected && isRefProtected === false) throw unprotectedRef()
    },
  }
}

function requireSame(
  field: string,
  sent: string | number | undefined,
  known: string | number,
): void {
  if (sent === undefined || sent === known) return
  const detail = `The token of the pipeline says ${field} ${known}, and the body says ${sent}. Leave ${field} out.`
  throw new Problem('invalid_credentials', detail)
}

/** Returns the same error for an organization and for a repository that is not there: a pipeline learns nothing of others. */
export function foreignRepository(): Problem {
  const detail =
    'The token belongs to a repository that this organization doesn’t have. Connect the code host, or ask with a server key.'
  return new Problem('invalid_credentials', detail)
}

function withoutCommit(): Problem {
  const detail =
    'The token of the pipeline names no commit that it deploys. Ask from a run of a push or of a manual start, or with a server key.'
  return new Problem('invalid_credentials', detail)
}

function unprotectedRef(): Problem {
  const detail =
    'The environment is protected, and the branch or tag of the pipeline isn’t. Protect the branch or tag at the code host, or ask with a server key.'
  return new Problem('invalid_credentials', detail)
}

function namelessRun(): Problem {
  const detail =
    'A key doesn’t say which run asks. Send repository, sha and run, such as the number of the pipeline.'
  return new Problem('validation_failed', detail)
}

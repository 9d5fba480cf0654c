import { Problem } from '@signalbox/contract'
import { deploymentEndpoints, type BodyOf, type gateEndpoints } from '@signalbox/contract/rest'
import { environmentsOf, requireEnvironment } from '../audit/caller.ts'
import type { Scope } from '../store/scope.ts'
import {
  authorizeSender,
  type SenderDeps,
  type SentRequest,
} from '../test-runs/reports/authorize-sender.ts'
import type { VerifiedPipeline } from '../test-runs/reports/verify-pipeline-token.ts'

export type AskBody = BodyOf<typeof gateEndpoints.askGate>

/** Describes a deployment that asks, by words that its sender may answer for. */
export interface AuthorizedAsk {
  readonly orgId: string
  readonly scope: Scope
  /** Names the repository by the token of its pipeline, else by its name. */
  readonly repository:
    | { readonly pipeline: VerifiedPipeline; readonly name: string | undefined }
    | { readonly fullName: string }
  /** Holds the pull request that the run is of, where the token says so. */
  readonly pullRequest: number | undefined
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
 * by a server key or an access token. Who may report deployments may ask for them.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `expired_credentials`, `not_found`, `role_forbidden`,
 * `key_kind_forbidden`, `key_read_only`, `validation_failed`
 */
export async function authorizeAsk(
  deps: SenderDeps,
  request: SentRequest,
  body: AskBody,
): Promise<AuthorizedAsk> {
  const sender = await authorizeSender(deps, request, deploymentEndpoints.createDeployment)
  const { orgId } = sender
  if (orgId === undefined) throw foreignRepository()
  if (sender.kind === 'pipeline') return authorizePipeline(orgId, sender.pipeline, body)
  const { repository, sha, run, attempt = 1 } = body
  if (repository === undefined || sha === undefined || run === undefined) throw namelessRun()
  const caller = { environmentIds: environmentsOf(sender.actor) }
  return {
    orgId,
    scope: { orgId, userId: sender.userId },
    repository: { fullName: repository },
    pullRequest: undefined,
    environment: body.environment,
    sha,
    ref: body.ref ?? null,
    runId: run,
    attempt,
    url: body.url ?? null,
    checkEnvironment: ({ id }) => requireEnvironment(caller, id),
  }
}

function authorizePipeline(
  orgId: string,
  pipeline: VerifiedPipeline,
  body: AskBody,
): AuthorizedAsk {
  const { runId, attempt, sha, ref, isRefProtected, pullRequest } = pipeline
  if (sha === undefined) throw withoutCommit()
  requireSame('sha', body.sha, sha)
  requireSame('run', body.run, runId)
  requireSame('attempt', body.attempt, attempt)
  if (ref !== undefined) requireSame('ref', body.ref, ref)
  return {
    orgId,
    scope: { orgId },
    repository: { pipeline, name: body.repository },
    pullRequest,
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

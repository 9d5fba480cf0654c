import {
  issuerRoutes,
  issueToken,
  type JobIssuer,
} from '../../../../../sandbox/src/models/job-tokens.ts'
import type { Route } from '../../../../../sandbox/src/http/route.ts'
import { latestAttemptOf } from './run-parts.ts'
import { fullNameOf } from './shapes/repository.ts'
import type { GithubRepository, GithubRun, GithubState } from './state.ts'

/** Holds the path of the OIDC issuer below the web address, the same as on a GitHub Enterprise Server. */
export const issuerPath = '/_services/token'

function issuerOf(state: GithubState): JobIssuer {
  return {
    keyId: 'signalbox-sandbox',
    path: issuerPath,
    keysPath: `${issuerPath}/.well-known/jwks`,
    baseUrl: () => `${state.origin}/github`,
    more: () => ({ subject_types_supported: ['public', 'pairwise'] }),
  }
}

/**
 * Creates the discovery document and the key set of the OIDC issuer.
 *
 * @see https://docs.github.com/en/actions/reference/security/oidc
 */
export function createIssuerRoutes(state: GithubState): Route[] {
  return issuerRoutes(issuerOf(state))
}

/** Describes the run that a token is issued for, and its audience. */
export interface IdentityRequest {
  readonly state: GithubState
  readonly repository: GithubRepository
  readonly run: GithubRun
  readonly audience: string
}

/** Returns the OIDC token that a job of a run gets with `permissions: id-token: write`. */
export function issuePipelineToken({ state, repository, run, audience }: IdentityRequest): string {
  const fullName = fullNameOf(repository)
  const { sha, ref, ...proposed } = commitOf(repository, run)
  return issueToken(issuerOf(state), state.clock, {
    aud: audience,
    sub: `repo:${fullName}:ref:${ref}`,
    repository: fullName,
    repository_id: String(repository.id),
    repository_owner: repository.owner.login,
    repository_owner_id: String(repository.owner.id),
    run_id: String(run.id),
    run_number: String(run.runNumber),
    run_attempt: String(latestAttemptOf(run).number),
    sha,
    ref,
    ...proposed,
    event_name: run.event,
    actor: run.actor.login,
  })
}

/** Returns what a token says of the commit. A run of a pull request is of GitHub's own merge of it, or of the branch that it is for. */
function commitOf(
  repository: GithubRepository,
  { event, pullRequest, headBranch, headSha }: GithubRun,
) {
  if (pullRequest === undefined) return { sha: headSha, ref: `refs/heads/${headBranch}` }
  const { base, number, branch, mergeSha } = pullRequest
  const proposed = { head_ref: branch, base_ref: base }
  return event === 'pull_request'
    ? { sha: mergeSha, ref: `refs/pull/${number}/merge`, ...proposed }
    : { sha: repository.branches.get(base) ?? '', ref: `refs/heads/${base}`, ...proposed }
}

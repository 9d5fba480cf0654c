import { createPublicKey, randomUUID, sign } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { json } from '../http/answers.ts'
import type { Route } from '../http/route.ts'
import { pipelineKeys } from './create-app.ts'
import { latestAttemptOf } from './run-parts.ts'
import { fullNameOf } from './shapes/repository.ts'
import type { GithubRepository, GithubRun } from './state.ts'

/** Holds the path of the OIDC issuer below the web address, the same as on a GitHub Enterprise Server. */
export const issuerPath = '/_services/token'

const keyId = 'signalbox-sandbox'
const lifetimeSeconds = 300

/**
 * Creates the discovery document and the key set of the OIDC issuer.
 *
 * @see https://docs.github.com/en/actions/reference/security/oidc
 */
export function createIssuerRoutes(): Route[] {
  return [
    {
      method: 'GET',
      path: `${issuerPath}/.well-known/openid-configuration`,
      handle: ({ origin }) =>
        json({
          issuer: issuerOf(origin),
          jwks_uri: `${issuerOf(origin)}/.well-known/jwks`,
          response_types_supported: ['id_token'],
          subject_types_supported: ['public', 'pairwise'],
          id_token_signing_alg_values_supported: ['RS256'],
          scopes_supported: ['openid'],
        }),
    },
    {
      method: 'GET',
      path: `${issuerPath}/.well-known/jwks`,
      handle: () => {
        const jwk = createPublicKey(pipelineKeys().publicKey).export({ format: 'jwk' })
        return json({ keys: [{ ...jwk, kid: keyId, use: 'sig', alg: 'RS256' }] })
      },
    },
  ]
}

/** Describes the run that a token is issued for, and its audience. */
export interface IdentityRequest {
  readonly clock: Clock
  readonly origin: string
  readonly repository: GithubRepository
  readonly run: GithubRun
  readonly audience: string
}

/** Returns the OIDC token that a job of a run gets with `permissions: id-token: write`. It is valid for five minutes. */
export function issuePipelineToken(request: IdentityRequest): string {
  const { clock, origin, repository, run, audience } = request
  const fullName = fullNameOf(repository)
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  const claims = {
    jti: randomUUID(),
    iss: issuerOf(origin),
    aud: audience,
    sub: `repo:${fullName}:ref:refs/heads/${run.headBranch}`,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    repository: fullName,
    repository_id: String(repository.id),
    repository_owner: repository.owner.login,
    repository_owner_id: String(repository.owner.id),
    run_id: String(run.id),
    run_number: String(run.runNumber),
    run_attempt: String(latestAttemptOf(run).number),
    sha: run.headSha,
    ref: `refs/heads/${run.headBranch}`,
    event_name: run.event,
    actor: run.actor.login,
  }
  const signed = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, claims].map(encode).join('.')
  const signature = sign('RSA-SHA256', Buffer.from(signed), pipelineKeys().privateKey)
  return `${signed}.${signature.toString('base64url')}`
}

function issuerOf(origin: string): string {
  return `${origin}/github${issuerPath}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

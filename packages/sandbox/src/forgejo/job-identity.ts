import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { json } from '../http/answers.ts'
import type { Route } from '../http/route.ts'
import type { ForgejoRepository, ForgejoRun, ForgejoState } from './state.ts'

const keyId = 'signalbox-sandbox-forgejo'
const lifetimeSeconds = 300
const path = '/api/actions'

let keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined

/** Returns the key pair that signs the tokens of jobs, the same for every sandbox of this process. Creating one takes long. */
function jobKeys() {
  return (keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 }))
}

/** Creates the discovery document and the key set of the tokens of jobs. */
export function issuerRoutes(state: ForgejoState): Route[] {
  return [
    {
      method: 'GET',
      path: `${path}/.well-known/openid-configuration`,
      handle: () =>
        json({
          issuer: `${state.baseUrl}${path}`,
          jwks_uri: `${state.baseUrl}${path}/.well-known/keys`,
          subject_types_supported: ['public'],
          response_types_supported: ['id_token'],
          id_token_signing_alg_values_supported: ['RS256'],
          scopes_supported: ['openid'],
        }),
    },
    {
      method: 'GET',
      path: `${path}/.well-known/keys`,
      handle: () => {
        const jwk = jobKeys().publicKey.export({ format: 'jwk' })
        return json({ keys: [{ ...jwk, kid: keyId, use: 'sig', alg: 'RS256' }] })
      },
    },
  ]
}

/** Describes the job that a token is issued for, and its audience. */
export interface ForgejoJob {
  readonly state: ForgejoState
  readonly repository: ForgejoRepository
  readonly run: ForgejoRun
  readonly audience: string
}

/** Returns the token that a job gets with `enable-openid-connect: true`. Numbers are text in it. */
export function issueJobToken({ state, repository, run, audience }: ForgejoJob): string {
  const issuedAt = Math.floor(state.clock.now().getTime() / 1000)
  const [owner = ''] = repository.fullName.split('/')
  const body = {
    iss: `${state.baseUrl}${path}`,
    sub: `repo:${repository.fullName}:ref:refs/heads/${run.ref}`,
    aud: audience,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    jti: randomUUID(),
    actor: run.user.login,
    actor_id: String(run.user.id),
    base_ref: '',
    event_name: run.event,
    head_ref: '',
    ref: `refs/heads/${run.ref}`,
    ref_protected: 'false',
    ref_type: 'branch',
    repository: repository.fullName,
    repository_id: String(repository.id),
    repository_owner: owner,
    repository_owner_id: '900',
    run_attempt: String(run.attempt),
    run_id: String(run.id),
    run_number: String(run.index),
    sha: run.sha,
    workflow: run.workflowId,
    workflow_ref: `${repository.fullName}/${repository.workflowFolder}/${run.workflowId}@refs/heads/${run.ref}`,
  }
  const signed = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, body].map(encode).join('.')
  const signature = sign('RSA-SHA256', Buffer.from(signed), jobKeys().privateKey)
  return `${signed}.${signature.toString('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

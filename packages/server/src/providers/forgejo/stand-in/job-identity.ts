import {
  issuerRoutes as routesOf,
  issueToken,
  type JobIssuer,
} from '../../../../../sandbox/src/models/job-tokens.ts'
import type { Route } from '../../../../../sandbox/src/http/route.ts'
import type { ForgejoRepository, ForgejoRun, ForgejoState } from './state.ts'

function issuerOf(state: ForgejoState): JobIssuer {
  return {
    keyId: 'signalbox-sandbox-forgejo',
    path: '/api/actions',
    keysPath: '/api/actions/.well-known/keys',
    baseUrl: () => state.baseUrl,
  }
}

/** Creates the discovery document and the key set of the tokens of jobs. */
export function issuerRoutes(state: ForgejoState): Route[] {
  return routesOf(issuerOf(state))
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
  const [owner = ''] = repository.fullName.split('/')
  return issueToken(issuerOf(state), state.clock, {
    sub: `repo:${repository.fullName}:ref:refs/heads/${run.ref}`,
    aud: audience,
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
  })
}

import { findCommit } from '../../../../../../sandbox/src/models/git.ts'
import { runPartsOf } from '../run-parts.ts'
import { addressesOf } from '../shapes/addresses.ts'
import { toDeploymentEvent, toDeploymentStatusEvent } from '../shapes/deployment-events.ts'
import type {
  DeploymentState,
  GithubAccount,
  GithubDeployment,
  GithubDeploymentStatus,
  GithubRepository,
  GithubRun,
  GithubState,
} from '../state.ts'
import type { ActivityDeps } from './activity-deps.ts'
import { addEnvironment } from './create-repository-activity.ts'

/** Describes a deployment to create. */
export interface NewDeployment {
  /** Names a branch, a tag or a SHA. */
  readonly ref: string
  readonly creator: GithubAccount
  /** Names the environment. Default `production`. It is created if needed. */
  readonly environment?: string
  /** Default `deploy`. */
  readonly task?: string
  readonly payload?: GithubDeployment['payload']
  readonly description?: string | null
  readonly transientEnvironment?: boolean
  /** Default: whether the environment is `production`. */
  readonly productionEnvironment?: boolean
  /** Holds the workflow run that creates it. */
  readonly run?: GithubRun
}

/** Describes a status to add to a deployment. */
export interface NewDeploymentStatus {
  readonly state: DeploymentState
  readonly creator: GithubAccount
  readonly description?: string
  /** Changes the deployment's environment. Default: that of the last status, or else of the deployment. */
  readonly environment?: string
  readonly environmentUrl?: string
  readonly logUrl?: string
  /** Says whether a success makes earlier deployments inactive. Default true. */
  readonly autoInactive?: boolean
}

/** Creates deployments and their statuses, and sends the events of both. */
export interface DeploymentActivity {
  /** @throws {Error} when the ref is unknown. */
  deploy(repository: GithubRepository, made: NewDeployment): GithubDeployment
  /** Sends a webhook, except for `inactive`, as GitHub. */
  setDeploymentStatus(
    repository: GithubRepository,
    deployment: GithubDeployment,
    made: NewDeploymentStatus,
  ): GithubDeploymentStatus
}

/** Creates the activity of deployments on the state of the sandbox. */
export function createDeploymentActivity(deps: ActivityDeps): DeploymentActivity {
  const { state, emit } = deps
  return {
    deploy(repository, made) {
      const deployment = storeDeployment(state, repository, made)
      const parts = { deployment, madeBy: makerOf(repository, deployment), sender: made.creator }
      const payload = toDeploymentEvent(addressesOf(state), repository, parts)
      emit({ name: 'deployment', action: 'created', repository, payload })
      return deployment
    },
    setDeploymentStatus(repository, deployment, made) {
      const status = storeStatus(state, deployment, made)
      addEnvironment(state, repository, deployment.environment)
      if (status.state === 'success' && made.autoInactive !== false) {
        deactivateEarlier(state, repository, { deployment, creator: made.creator })
      }
      if (status.state === 'inactive') return status
      const madeBy = makerOf(repository, deployment)
      const parts = { deployment, status, madeBy, sender: made.creator }
      const payload = toDeploymentStatusEvent(addressesOf(state), repository, parts)
      emit({ name: 'deployment_status', action: 'created', repository, payload })
      return status
    },
  }
}

function storeDeployment(
  state: GithubState,
  repository: GithubRepository,
  made: NewDeployment,
): GithubDeployment {
  const { ref, environment = 'production' } = made
  const commit = findCommit(repository, ref)
  if (commit === undefined) throw new Error(`No ref found for: ${ref}`)
  addEnvironment(state, repository, environment)
  const now = state.clock.now()
  const deployment: GithubDeployment = {
    id: state.nextId(),
    sha: commit.sha,
    ref,
    task: made.task ?? 'deploy',
    payload: made.payload ?? {},
    originalEnvironment: environment,
    environment,
    description: made.description ?? null,
    creator: made.creator,
    transientEnvironment: made.transientEnvironment ?? false,
    productionEnvironment: made.productionEnvironment ?? environment === 'production',
    createdAt: now,
    updatedAt: now,
    statuses: [],
    runId: made.run?.id,
  }
  repository.deployments.set(deployment.id, deployment)
  return deployment
}

function storeStatus(
  state: GithubState,
  deployment: GithubDeployment,
  made: NewDeploymentStatus,
): GithubDeploymentStatus {
  const now = state.clock.now()
  const environment = made.environment ?? deployment.environment
  const status = {
    id: state.nextId(),
    state: made.state,
    creator: made.creator,
    description: made.description ?? '',
    environment,
    environmentUrl: made.environmentUrl ?? '',
    logUrl: made.logUrl ?? '',
    createdAt: now,
  }
  deployment.environment = environment
  deployment.updatedAt = now
  deployment.statuses.push(status)
  return status
}

/** Makes earlier deployments inactive (`auto_inactive`), without a webhook. */
function deactivateEarlier(
  state: GithubState,
  { deployments }: GithubRepository,
  ended: { readonly deployment: GithubDeployment; readonly creator: GithubAccount },
): void {
  const { deployment, creator } = ended
  const name = deployment.environment.toLowerCase()
  for (const other of deployments.values()) {
    const isLasting = !other.transientEnvironment && !other.productionEnvironment
    const isEarlier = other.id < deployment.id && other.environment.toLowerCase() === name
    if (isLasting && isEarlier && other.statuses.at(-1)?.state === 'success') {
      storeStatus(state, other, { state: 'inactive', creator })
    }
  }
}

function makerOf(repository: GithubRepository, { runId }: GithubDeployment) {
  const run = runId === undefined ? undefined : repository.runs.get(runId)
  return run === undefined ? undefined : runPartsOf(repository, run)
}

import { findCommit } from '../../../../../../sandbox/src/models/git.ts'
import type { GitlabHooks } from '../hooks/create-hooks.ts'
import { toDeploymentHook } from '../shapes/deployment.ts'
import {
  findEnvironment,
  type GitlabDeployment,
  type GitlabDeploymentStatus,
  type GitlabEnvironment,
  type GitlabPipeline,
  type GitlabProject,
  type GitlabState,
  type GitlabTier,
  type GitlabUser,
} from '../state.ts'

/** Describes a deployment to make. */
export interface NewDeployment {
  /** Names a branch, a tag or a commit. */
  readonly ref: string
  /** Default: the commit of `ref`. */
  readonly sha?: string
  readonly environment: string
  readonly user: GitlabUser
  /** Default `created`. */
  readonly status?: GitlabDeploymentStatus
  /** Holds the pipeline whose job deploys. Without one the deployment comes through the API, and has no job. */
  readonly pipeline?: GitlabPipeline
}

/** Describes an environment to create. */
export interface NewEnvironment {
  readonly name: string
  /** Default: guessed from the name, as GitLab does. */
  readonly tier?: GitlabTier
  readonly externalUrl?: string
}

/** Makes environments and deployments. */
export interface DeploymentActivity {
  /** Returns the environment of this name. Creates it when it does not exist. */
  addEnvironment(project: GitlabProject, made: NewEnvironment): GitlabEnvironment
  /** Stops an environment, as when a review app ends. No hook tells it. */
  stopEnvironment(environment: GitlabEnvironment): void
  /** Creates a deployment, its environment too if needed. */
  deploy(project: GitlabProject, made: NewDeployment): GitlabDeployment
  /** Changes the state. Hooks tell of a start and of an end, and of nothing else: `blocked` is seen by asking alone. */
  setDeploymentStatus(
    project: GitlabProject,
    deployment: GitlabDeployment,
    status: GitlabDeploymentStatus,
  ): void
}

const sentStatuses: ReadonlySet<GitlabDeploymentStatus> = new Set([
  'running',
  'success',
  'failed',
  'canceled',
])

export function createDeploymentActivity(deps: {
  readonly state: GitlabState
  readonly hooks: Pick<GitlabHooks, 'emit'>
}): DeploymentActivity {
  const { state } = deps
  const activity: DeploymentActivity = {
    addEnvironment: (project, made) => addEnvironment(state, project, made),
    stopEnvironment(environment) {
      Object.assign(environment, { state: 'stopped', updatedAt: state.clock.now() })
    },
    deploy(project, made) {
      const environment = addEnvironment(state, project, { name: made.environment })
      const sha = made.sha ?? findCommit(project, made.ref)?.sha
      if (sha === undefined) throw new Error(`There is no ref ${made.ref}.`)
      const now = state.clock.now()
      const job = made.pipeline && {
        id: state.nextId(),
        name: `deploy-${made.environment}`,
        pipelineId: made.pipeline.id,
      }
      const deployment: GitlabDeployment = {
        id: state.nextId(),
        iid: project.deployments.size + 1,
        ref: made.ref,
        isTag: project.tags.has(made.ref),
        sha,
        environmentId: environment.id,
        user: made.user,
        status: 'created',
        createdAt: now,
        updatedAt: now,
        finishedAt: undefined,
        job,
      }
      project.deployments.set(deployment.id, deployment)
      if (made.status !== undefined) activity.setDeploymentStatus(project, deployment, made.status)
      return deployment
    },
    setDeploymentStatus(project, deployment, status) {
      const now = state.clock.now()
      const hasEnded = status !== 'created' && status !== 'blocked' && status !== 'running'
      Object.assign(deployment, { status, updatedAt: now, finishedAt: hasEnded ? now : undefined })
      const environment = project.environments.get(deployment.environmentId)
      if (environment !== undefined && status === 'success') {
        Object.assign(environment, { state: 'available', updatedAt: now })
      }
      if (!sentStatuses.has(status)) return
      const payload = toDeploymentHook(state, project, deployment)
      deps.hooks.emit({ project, trigger: 'deployment_events', name: 'Deployment Hook', payload })
    },
  }
  return activity
}

function addEnvironment(
  state: GitlabState,
  project: GitlabProject,
  { name, tier, externalUrl }: NewEnvironment,
): GitlabEnvironment {
  const known = findEnvironment(project, name)
  if (known !== undefined) return known
  const now = state.clock.now()
  const environment: GitlabEnvironment = {
    id: state.nextId(),
    name,
    slug: slugOf(name),
    tier: tier ?? guessTier(name),
    externalUrl: externalUrl ?? null,
    state: 'available',
    createdAt: now,
    updatedAt: now,
    autoStopAt: null,
  }
  project.environments.set(environment.id, environment)
  return environment
}

/**
 * Returns the tier that GitLab guesses from a name.
 *
 * @see https://docs.gitlab.com/ci/environments/#deployment-tier-of-environments
 */
function guessTier(name: string): GitlabTier {
  const rules: readonly (readonly [RegExp, GitlabTier])[] = [
    [/(dev|review|trunk)/i, 'development'],
    [/(test|tst|int|ac(ce|)pt|qa|qc|control|quality)/i, 'testing'],
    [/(st(a|)g|mod(e|)l|pre|demo|non)/i, 'staging'],
    [/(pr(o|)d|live)/i, 'production'],
  ]
  return rules.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 24)
}

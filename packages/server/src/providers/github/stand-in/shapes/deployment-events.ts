import type { components } from '@octokit/openapi-webhooks-types'
import type {
  GithubAccount,
  GithubDeployment,
  GithubDeploymentStatus,
  GithubRepository,
  GithubWorkflow,
} from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toDeployment, toDeploymentStatus } from './deployment.ts'
import { toEventContext } from './event-context.ts'
import { toWorkflow } from './workflow.ts'
import { toWorkflowRun, type RunParts } from './workflow-run.ts'

type Schemas = components['schemas']

/** Holds a deployment and, if a workflow run created it, that run. */
export interface DeploymentParts {
  readonly deployment: GithubDeployment
  readonly madeBy: (RunParts & { readonly workflow: GithubWorkflow }) | undefined
  readonly sender: GithubAccount
}

/** Returns the body of `deployment` with the action `created`. */
export function toDeploymentEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  parts: DeploymentParts,
) {
  return {
    action: 'created',
    deployment: toDeployment(addresses, repository, parts.deployment),
    ...toMaker(addresses, repository, parts),
    ...toEventContext(addresses, repository, parts.sender),
  } satisfies Known<Schemas['webhook-deployment-created']>
}

/** Returns the body of `deployment_status` with the action `created`. */
export function toDeploymentStatusEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  parts: DeploymentParts & { readonly status: GithubDeploymentStatus },
) {
  return {
    action: 'created',
    deployment_status: toDeploymentStatus(addresses, repository, parts),
    deployment: toDeployment(addresses, repository, parts.deployment),
    check_run: null,
    ...toMaker(addresses, repository, parts),
    ...toEventContext(addresses, repository, parts.sender),
  } satisfies Known<Schemas['webhook-deployment-status-created']>
}

/** Returns the run of these two events, which lacks its commit and earlier attempts. */
function toMaker(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { madeBy }: DeploymentParts,
) {
  if (madeBy === undefined) return { workflow: null, workflow_run: null }
  return {
    workflow: toWorkflow(addresses, repository, madeBy.workflow),
    workflow_run: {
      ...toWorkflowRun(addresses, repository, madeBy),
      head_commit: null,
      previous_attempt_url: null,
    },
  }
}

/**
 * Corrects two members that the official types describe too narrowly: a payload without members, and a run that
 * cannot be skipped.
 */
type Known<Event extends { deployment: object; workflow_run?: object | null }> = Omit<
  Event,
  'deployment' | 'workflow_run'
> & {
  deployment: Omit<Event['deployment'], 'payload'>
  workflow_run?: Omit<NonNullable<Event['workflow_run']>, 'conclusion'> | null
}

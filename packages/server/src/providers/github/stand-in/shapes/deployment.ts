import type { components } from '@octokit/openapi-types'
import type { GithubDeployment, GithubDeploymentStatus, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toNodeId } from './node-id.ts'
import { repositoryUrl } from './repository.ts'
import { toSimpleUser } from './simple-user.ts'
import { toTimestamp } from './timestamp.ts'

/** Presents a deployment as the REST API does. */
export function toDeployment(
  addresses: GithubAddresses,
  repository: GithubRepository,
  deployment: GithubDeployment,
) {
  const { id, creator } = deployment
  const url = deploymentUrl(addresses, repository, deployment)
  return {
    url,
    id,
    node_id: toNodeId('Deployment', id),
    task: deployment.task,
    original_environment: deployment.originalEnvironment,
    environment: deployment.environment,
    description: deployment.description,
    created_at: toTimestamp(deployment.createdAt),
    updated_at: toTimestamp(deployment.updatedAt),
    statuses_url: `${url}/statuses`,
    repository_url: repositoryUrl(addresses, repository),
    creator: toSimpleUser(addresses, creator),
    sha: deployment.sha,
    ref: deployment.ref,
    payload: deployment.payload,
    transient_environment: deployment.transientEnvironment,
    production_environment: deployment.productionEnvironment,
    performed_via_github_app: null,
  } satisfies components['schemas']['deployment']
}

/** Returns a deployment status. `target_url` repeats `log_url` under its older name. */
export function toDeploymentStatus(
  addresses: GithubAddresses,
  repository: GithubRepository,
  of: { readonly deployment: GithubDeployment; readonly status: GithubDeploymentStatus },
) {
  const { id, state, creator, description, environment, environmentUrl, logUrl, createdAt } =
    of.status
  const url = deploymentUrl(addresses, repository, of.deployment)
  return {
    url: `${url}/statuses/${id}`,
    id,
    node_id: toNodeId('DeploymentStatus', id),
    state,
    creator: toSimpleUser(addresses, creator),
    description,
    environment,
    target_url: logUrl,
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(createdAt),
    deployment_url: url,
    repository_url: repositoryUrl(addresses, repository),
    environment_url: environmentUrl,
    log_url: logUrl,
    performed_via_github_app: null,
  } satisfies components['schemas']['deployment-status']
}

function deploymentUrl(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { id }: GithubDeployment,
): string {
  return `${repositoryUrl(addresses, repository)}/deployments/${id}`
}

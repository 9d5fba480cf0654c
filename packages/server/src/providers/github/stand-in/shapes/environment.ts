import type { components } from '@octokit/openapi-types'
import type { GithubEnvironment, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toNodeId } from './node-id.ts'
import { fullNameOf, repositoryUrl } from './repository.ts'
import { toTimestamp } from './timestamp.ts'

/** Returns an environment without its protection rules, which have a list of their own. */
export function toEnvironment(
  addresses: GithubAddresses,
  repository: GithubRepository,
  environment: GithubEnvironment,
) {
  const { id, name, createdAt, updatedAt } = environment
  const page = `${addresses.web}/${fullNameOf(repository)}`
  return {
    id,
    node_id: toNodeId('Environment', id),
    name,
    url: `${repositoryUrl(addresses, repository)}/environments/${encodeURIComponent(name)}`,
    html_url: `${page}/deployments/activity_log?environments_filter=${encodeURIComponent(name)}`,
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(updatedAt),
    protection_rules: [],
    deployment_branch_policy: null,
  } satisfies components['schemas']['environment']
}

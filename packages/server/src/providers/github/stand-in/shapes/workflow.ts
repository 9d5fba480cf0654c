import type { components } from '@octokit/openapi-types'
import type { components as webhookComponents } from '@octokit/openapi-webhooks-types'
import type { GithubRepository, GithubWorkflow } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toNodeId } from './node-id.ts'
import { fullNameOf, repositoryUrl } from './repository.ts'
import { toTimestamp } from './timestamp.ts'

/** Presents a workflow as the REST API does. */
export function toWorkflow(
  addresses: GithubAddresses,
  repository: GithubRepository,
  workflow: GithubWorkflow,
) {
  const { id, name, path, state, createdAt } = workflow
  const page = `${addresses.web}/${fullNameOf(repository)}`
  return {
    id,
    node_id: toNodeId('Workflow', id),
    name,
    path,
    state,
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(createdAt),
    url: workflowUrl(addresses, repository, workflow),
    html_url: `${page}/blob/${repository.defaultBranch}/${path}`,
    badge_url: `${page}/workflows/${encodeURIComponent(name)}/badge.svg`,
  } satisfies components['schemas']['workflow'] & webhookComponents['schemas']['webhooks_workflow']
}

/** Returns the address of a workflow in the REST API. */
export function workflowUrl(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { id }: Pick<GithubWorkflow, 'id'>,
): string {
  return `${repositoryUrl(addresses, repository)}/actions/workflows/${id}`
}

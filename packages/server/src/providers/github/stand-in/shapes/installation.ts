import type { components } from '@octokit/openapi-types'
import type { components as webhookComponents } from '@octokit/openapi-webhooks-types'
import { namedPermissions } from '../access/permissions.ts'
import type { GithubApp, GithubInstallation, GithubRepository, GithubState } from '../state.ts'
import { addressesOf } from './addresses.ts'
import { toNodeId } from './node-id.ts'
import { fullNameOf } from './repository.ts'
import { toSimpleUser } from './simple-user.ts'
import { toTimestamp } from './timestamp.ts'

/** Returns an installation, the same in responses and in webhooks. */
export function toInstallation(
  state: GithubState,
  app: GithubApp,
  installation: GithubInstallation,
) {
  const addresses = addressesOf(state)
  const { id, account, repositories, permissions, createdAt, updatedAt, suspendedAt } = installation
  return {
    id,
    client_id: app.clientId,
    account: toSimpleUser(addresses, account),
    repository_selection: repositories === 'all' ? 'all' : 'selected',
    access_tokens_url: `${addresses.api}/app/installations/${id}/access_tokens`,
    repositories_url: `${addresses.api}/installation/repositories`,
    html_url: `${addresses.web}/settings/installations/${id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: namedPermissions(permissions),
    events: [...app.events],
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(updatedAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: suspendedAt === undefined ? null : toSimpleUser(addresses, account),
    suspended_at: suspendedAt === undefined ? null : toTimestamp(suspendedAt),
  } satisfies components['schemas']['installation'] & webhookComponents['schemas']['installation']
}

/** Returns a repository as webhooks about installations show it. */
export function toInstalledRepository(repository: GithubRepository) {
  return {
    id: repository.id,
    node_id: toNodeId('Repository', repository.id),
    name: repository.name,
    full_name: fullNameOf(repository),
    private: repository.private,
  } satisfies webhookComponents['schemas']['webhooks_repositories'][number]
}

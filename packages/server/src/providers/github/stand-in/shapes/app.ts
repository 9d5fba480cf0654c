import type { components } from '@octokit/openapi-types'
import type { GithubApp, GithubState } from '../state.ts'
import { addressesOf } from './addresses.ts'
import { toNodeId } from './node-id.ts'
import { toSimpleUser } from './simple-user.ts'
import { toTimestamp } from './timestamp.ts'

/** Returns the public JSON of an app. */
export function toApp(state: GithubState, app: GithubApp) {
  const addresses = addressesOf(state)
  return {
    id: app.id,
    client_id: app.clientId,
    slug: app.slug,
    node_id: toNodeId('App', app.id),
    owner: toSimpleUser(addresses, app.owner),
    name: app.name,
    description: app.description,
    external_url: app.externalUrl,
    html_url: `${addresses.web}/apps/${app.slug}`,
    created_at: toTimestamp(app.createdAt),
    updated_at: toTimestamp(app.updatedAt),
    permissions: { ...app.permissions },
    events: [...app.events],
  } satisfies components['schemas']['integration']
}

/** Returns the configuration of an app's webhook. The secret is masked. */
export function toHookConfig(app: GithubApp) {
  return {
    content_type: app.webhookContentType,
    insecure_ssl: '0',
    ...(app.webhookSecret !== '' && { secret: '********' }),
    ...(app.webhookUrl !== undefined && { url: app.webhookUrl }),
  } satisfies components['schemas']['webhook-config']
}

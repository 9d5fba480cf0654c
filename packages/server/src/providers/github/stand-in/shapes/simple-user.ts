import type { components } from '@octokit/openapi-types'
import type { components as webhookComponents } from '@octokit/openapi-webhooks-types'
import type { GithubAccount } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toNodeId } from './node-id.ts'

/** Returns an account as other resources embed it. */
export function toSimpleUser({ web, api }: GithubAddresses, account: GithubAccount) {
  const { id, login, type } = account
  const url = `${api}/users/${encodeURIComponent(login)}`
  return {
    login,
    id,
    node_id: toNodeId(type, id),
    avatar_url: `${web}/avatars/${id}`,
    gravatar_id: '',
    url,
    html_url: type === 'Bot' ? `${web}/apps/${login.replace('[bot]', '')}` : `${web}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    site_admin: false,
  } satisfies components['schemas']['simple-user'] &
    webhookComponents['schemas']['simple-user'] & { type: GithubAccount['type'] }
}

/** Returns an organization as the webhooks of its repositories embed it. */
export function toOrganization({ web, api }: GithubAddresses, account: GithubAccount) {
  const { id, login } = account
  const url = `${api}/orgs/${login}`
  return {
    login,
    id,
    node_id: toNodeId('Organization', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${web}/avatars/${id}`,
    description: null,
  } satisfies webhookComponents['schemas']['organization-simple-webhooks']
}

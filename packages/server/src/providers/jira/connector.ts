import type { Egress } from '../../egress/create-egress.ts'
import type { ProviderCall } from '../call-provider.ts'
import { createJiraOAuth, jiraGrantLifetimeMs, jiraRefreshLoss, type JiraApp } from './oauth.ts'
import { listJiraSites } from './sites.ts'
import type { OAuthConnector } from '../connector.ts'

/** Describes the Jira Cloud that organizations connect with. */
export interface JiraConnectorOptions {
  /** Example: `https://auth.atlassian.com`. */
  readonly authUrl: string
  /** Example: `https://api.atlassian.com`. */
  readonly apiUrl: string
  readonly app: JiraApp
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly now: () => Date
}

/** Creates what connects organizations with Jira Cloud. A grant may reach several sites, of which the member chooses one. */
export function createJiraConnector(options: JiraConnectorOptions): OAuthConnector {
  const { authUrl, apiUrl, app, egress, now } = options
  const call: ProviderCall = { provider: 'jira', egress, now }
  const oauth = createJiraOAuth({ authUrl, app, egress, now })
  return {
    provider: 'jira',
    usesPkce: true,
    authorizeUrl: (request) => oauth.authorizeUrl(request),
    async connect(response) {
      const grant = await oauth.exchange(response)
      const sites = await listJiraSites(call, apiUrl, grant.accessToken)
      const [only, second] = sites.map(({ id, name, url }) => ({ id, name, url }))
      if (only === undefined) return 'nothing_granted'
      return {
        account: second === undefined ? only : undefined,
        choices: sites.map(({ id, name, url }) => ({ id, name, url })),
        grant,
        scopes: grant.scopes,
        reconnectBefore: new Date(now().getTime() + jiraGrantLifetimeMs),
        settings: { sites: sites.map(({ id, name, url }) => ({ id, name, url })) },
      }
    },
    refresh: (refreshToken) => oauth.refresh(refreshToken),
    refreshLoss: jiraRefreshLoss,
    // Atlassian offers none.
    revoke: undefined,
    manageUrl: 'https://id.atlassian.com/manage-profile/apps',
    wantedScopes: {
      'read:jira-work': 'Signalbox can’t show issues.',
      offline_access: 'Access expires after an hour.',
    },
  }
}

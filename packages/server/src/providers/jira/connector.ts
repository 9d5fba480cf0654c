import type { ProviderCall } from '../call-provider.ts'
import type { OAuthConnector, RefreshLoss } from '../connector.ts'
import { createOAuthClient, type OAuthConnectorOptions } from '../oauth-client.ts'
import { listJiraSites } from './sites.ts'

export interface JiraConnectorOptions extends Omit<OAuthConnectorOptions, 'webUrl'> {
  /** Example: `https://auth.atlassian.com`. */
  readonly authUrl: string
  /** Example: `https://api.atlassian.com`. */
  readonly apiUrl: string
}

/** Lists the least scopes that issues and projects take; without `offline_access` there is no refresh token. */
export const jiraScopes = ['read:jira-work', 'offline_access'] as const

/** Says that a refresh token is good for ten more minutes after its first use. After that, its use ends the grant. */
export const jiraRefreshLoss: RefreshLoss = { replayMs: 10 * 60_000, invalidGrantIsFinal: true }

const dayMs = 24 * 3600 * 1000

/**
 * Creates what connects organizations with Jira Cloud. A grant may reach several sites, of which the member chooses one.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 */
export function createJiraConnector(options: JiraConnectorOptions): OAuthConnector {
  const { authUrl, apiUrl, app, egress, now } = options
  const call: ProviderCall = { provider: 'jira', egress, now }
  const { authorizeUrl, exchange, refresh } = createOAuthClient({
    provider: 'jira',
    url: `${authUrl}/oauth/token`,
    ...app,
    egress,
    now,
    encoding: 'json',
    authorizeAt: `${authUrl}/authorize`,
    toParameters: () => ({
      audience: 'api.atlassian.com',
      scope: jiraScopes.join(' '),
      response_type: 'code',
      prompt: 'consent',
    }),
    accessSeconds: 3600,
    refreshMs: 90 * dayMs,
  })
  return {
    provider: 'jira',
    usesPkce: true,
    authorizeUrl,
    async connect(response) {
      const { grant } = await exchange(response)
      const sites = await listJiraSites(call, apiUrl, grant.accessToken)
      const [only, second] = sites.map(({ id, name, url }) => ({ id, name, url }))
      if (only === undefined) return 'nothing_granted'
      return {
        account: second === undefined ? only : undefined,
        choices: sites.map(({ id, name, url }) => ({ id, name, url })),
        grant,
        scopes: grant.scopes,
        // A grant lasts a year from the consent on, whatever is done.
        reconnectBefore: new Date(now().getTime() + 365 * dayMs),
        settings: { sites: sites.map(({ id, name, url }) => ({ id, name, url })) },
      }
    },
    refresh,
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

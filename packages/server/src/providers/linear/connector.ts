import type { Egress } from '../../egress/create-egress.ts'
import type { ProviderCall } from '../call-provider.ts'
import type { OAuthConnector } from '../connector.ts'
import { parseWorkspace } from './api-shapes.ts'
import { askLinear } from './ask.ts'
import { createLinearOAuth, linearRefreshLoss, type LinearOAuthOptions } from './oauth.ts'
import { workspaceQuery } from './queries.ts'

/** Creates what connects organizations with Linear. The person chooses the workspace on Linear's page. */
export function createLinearConnector(
  options: LinearOAuthOptions & { readonly egress: Pick<Egress, 'fetch' | 'request'> },
): OAuthConnector {
  const { webUrl, apiUrl, egress, now } = options
  const call: ProviderCall = { provider: 'linear', egress, now }
  const oauth = createLinearOAuth(options)
  return {
    provider: 'linear',
    usesPkce: true,
    authorizeUrl: (request) => oauth.authorizeUrl(request),
    async connect(response) {
      const grant = await oauth.exchange(response)
      const { accessToken } = grant
      const body = await askLinear(call, { apiUrl, accessToken }, { query: workspaceQuery })
      const { id, name, urlKey } = parseWorkspace(body)
      const account = { id, name, url: `${webUrl}/${encodeURIComponent(urlKey)}` }
      return {
        account,
        choices: [account],
        grant,
        scopes: grant.scopes,
        reconnectBefore: null,
        settings: {},
      }
    },
    refresh: (refreshToken) => oauth.refresh(refreshToken),
    refreshLoss: linearRefreshLoss,
    async revoke({ grant }) {
      if (grant === null) return
      // The other way round, the access token would be dead before it says who asks.
      if (grant.refreshToken !== null) await oauth.revoke(grant.refreshToken)
      await oauth.revoke(grant.accessToken)
    },
    manageUrl: `${webUrl}/settings/applications`,
    wantedScopes: { read: 'Signalbox can’t show issues.' },
  }
}

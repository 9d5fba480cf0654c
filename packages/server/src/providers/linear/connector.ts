import { callProvider, type ProviderCall } from '../call-provider.ts'
import type { OAuthConnector, RefreshLoss } from '../connector.ts'
import { createOAuthClient, type OAuthConnectorOptions } from '../oauth-client.ts'
import type { TokenAnswer } from '../token-endpoint.ts'
import { parseWorkspace } from './api-shapes.ts'
import { askLinear } from './ask.ts'
import { workspaceQuery } from './queries.ts'

export interface LinearConnectorOptions extends OAuthConnectorOptions {
  /** Example: `https://api.linear.app`. */
  readonly apiUrl: string
}

/** Lists the least scopes that issues and teams take. */
export const linearScopes = ['read'] as const

/** Says that for thirty minutes, Linear answers a refresh token that was used once more with the same pair of tokens. */
export const linearRefreshLoss: RefreshLoss = { replayMs: 30 * 60_000, invalidGrantIsFinal: true }

/**
 * Creates what connects organizations with Linear. The person chooses the workspace on Linear's page.
 *
 * @see https://linear.app/developers/oauth-2-0-authentication
 */
export function createLinearConnector(options: LinearConnectorOptions): OAuthConnector {
  const { webUrl, apiUrl, app, egress, now } = options
  const call: ProviderCall = { provider: 'linear', egress, now }
  const { authorizeUrl, exchange, refresh } = createOAuthClient({
    provider: 'linear',
    url: `${apiUrl}/oauth/token`,
    ...app,
    egress,
    now,
    toStandard,
    authorizeAt: `${webUrl}/oauth/authorize`,
    toParameters: () => ({
      response_type: 'code',
      scope: linearScopes.join(','),
      // The access is the application's: it stays when the person leaves.
      actor: 'app',
      // Without it, who has agreed once cannot choose another workspace.
      prompt: 'consent',
    }),
  })
  return {
    provider: 'linear',
    usesPkce: true,
    authorizeUrl,
    async connect(response) {
      const { grant } = await exchange(response)
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
    refresh,
    refreshLoss: linearRefreshLoss,
    async revoke({ grant }) {
      if (grant === null) return
      // The other way round, the access token would be dead before it says who asks.
      if (grant.refreshToken !== null) await revoke(call, apiUrl, grant.refreshToken)
      await revoke(call, apiUrl, grant.accessToken)
    },
    manageUrl: `${webUrl}/settings/applications`,
    wantedScopes: { read: 'Signalbox can’t show issues.' },
  }
}

/** The scopes of former answers were a list. */
function toStandard({ scope, ...answer }: TokenAnswer): TokenAnswer {
  if (scope === undefined) return answer
  return { ...answer, scope: Array.isArray(scope) ? scope.join(' ') : scope }
}

/** Ends a token. @throws {ProviderError} */
async function revoke(call: ProviderCall, apiUrl: string, token: string): Promise<void> {
  await callProvider(call, {
    method: 'POST',
    url: `${apiUrl}/oauth/revoke`,
    headers: { authorization: `Bearer ${token}` },
    form: { token },
    // 400 and 401 say that the token was dead already.
    accept: [200, 400, 401],
    isSafe: true,
  })
}

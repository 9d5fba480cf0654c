import { callProvider } from '../call-provider.ts'
import type { Grant } from '../grant.ts'
import { createOAuthClient, type OAuthClient, type OAuthConnectorOptions } from '../oauth-client.ts'
import { ProviderError } from '../provider-error.ts'

/** Describes the GitLab that grants access, and the OAuth application there. */
export interface GitlabOAuthOptions extends OAuthConnectorOptions {
  /** The name of the provider: each instance has one of its own. */
  readonly provider: string
}

/** Lists the scope of each level: to read, and to make webhooks and start pipelines as well. GitLab has none between. */
export const gitlabScopes = { read: 'read_api', full: 'api' } as const

/**
 * A refresh wants the redirect URI of the authorization, also when this server has another address by now. So it is kept with
 * the token, in front of it: no URI of ours has a space.
 */
function withRedirect(redirectUri: string, grant: Grant): Grant {
  const { refreshToken } = grant
  return refreshToken === null
    ? grant
    : { ...grant, refreshToken: `${redirectUri} ${refreshToken}` }
}

function splitRedirect(refreshToken: string): { redirectUri: string; token: string } {
  const [redirectUri = '', token = ''] = refreshToken.split(' ', 2)
  return { redirectUri, token }
}

/**
 * Creates the OAuth client of a GitLab. A refresh ends both tokens before it, and no leeway is documented. For minutes it may be
 * rejected also where a replica does not know the token yet.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 */
export function createGitlabOAuth({
  provider,
  webUrl,
  app,
  egress,
  now,
}: GitlabOAuthOptions): OAuthClient {
  const client = createOAuthClient({
    provider,
    url: `${webUrl}/oauth/token`,
    ...app,
    egress,
    now,
    authorizeAt: `${webUrl}/oauth/authorize`,
    toParameters: (level = 'full') => ({ response_type: 'code', scope: gitlabScopes[level] }),
    accessSeconds: 7200,
    includes: { [gitlabScopes.full]: gitlabScopes.read },
  })
  return {
    ...client,
    async exchange(response) {
      const { grant, answer } = await client.exchange(response)
      return { grant: withRedirect(response.redirectUri, grant), answer }
    },
    async refresh(refreshToken) {
      const { redirectUri, token } = splitRedirect(refreshToken)
      return withRedirect(redirectUri, await client.refresh(token, { redirect_uri: redirectUri }))
    },
  }
}

/** Ends both tokens of a grant. Those that are dead already are fine. @throws {ProviderError} */
export async function revokeTokens(
  { provider, webUrl, app, egress, now }: GitlabOAuthOptions,
  { accessToken, refreshToken }: Grant,
): Promise<void> {
  const refresh = refreshToken === null ? [] : [splitRedirect(refreshToken).token]
  for (const token of [...refresh, accessToken]) {
    try {
      await callProvider(
        { provider, egress, now },
        {
          method: 'POST',
          url: `${webUrl}/oauth/revoke`,
          json: { client_id: app.clientId, client_secret: app.clientSecret, token },
          isSafe: true,
        },
      )
    } catch (error) {
      // GitLab answers so of a token that another application has.
      if (error instanceof ProviderError && error.failure === 'forbidden' && token === accessToken)
        return
      throw error
    }
  }
}

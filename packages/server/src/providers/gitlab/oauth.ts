import type { Egress } from '../../egress/create-egress.ts'
import { callProvider } from '../call-provider.ts'
import type { AuthorizationRequest, AuthorizationResponse, Grant } from '../grant.ts'
import { ProviderError } from '../provider-error.ts'
import { createTokenEndpoint } from '../token-endpoint.ts'

/** Holds the OAuth application at a GitLab. */
export interface GitlabApp {
  readonly clientId: string
  readonly clientSecret: string
}

/** Describes the GitLab that grants access. */
export interface GitlabOAuthOptions {
  /** The name of the provider: each instance has one of its own. */
  readonly provider: string
  /** Example: `https://gitlab.com`. It may have a path. */
  readonly webUrl: string
  readonly app: GitlabApp
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly now: () => Date
}

/** Lists the scope of each level: to read, and to make webhooks and start pipelines as well. GitLab has none between. */
export const gitlabScopes = { read: 'read_api', full: 'api' } as const

/**
 * Describes GitLab's OAuth 2.0. A refresh ends both tokens before it, and no leeway is documented.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 */
export interface GitlabOAuth {
  authorizeUrl(request: AuthorizationRequest): string
  /** @throws {ProviderError} */
  exchange(response: AuthorizationResponse): Promise<Grant>
  /** @throws {ProviderError} `rejected` when it is dead, and for minutes also where a replica does not know it yet. */
  refresh(refreshToken: string): Promise<Grant>
  /** Ends both tokens of a grant. Those that are dead already are fine. @throws {ProviderError} */
  revoke(grant: Grant): Promise<void>
}

/**
 * A refresh wants the redirect URI of the authorization, also when this server has another address by now. So it is kept with
 * the token, in front of it: no URI of ours has a space.
 */
function withRedirect(redirectUri: string, token: string): string {
  return `${redirectUri} ${token}`
}

function splitRedirect(refreshToken: string): { redirectUri: string; token: string } {
  const [redirectUri = '', token = ''] = refreshToken.split(' ', 2)
  return { redirectUri, token }
}

interface TokenAnswer {
  readonly access_token: string
  readonly expires_in?: number
  readonly refresh_token?: string
  readonly scope?: string
}

/** The scope `api` includes reading. */
function listScopes(scope: string | undefined): string[] {
  const scopes = scope?.split(' ').filter((each) => each !== '') ?? []
  const { full, read } = gitlabScopes
  return scopes.includes(full) && !scopes.includes(read) ? [...scopes, read] : scopes
}

/** Creates the OAuth client of a GitLab. */
export function createGitlabOAuth(options: GitlabOAuthOptions): GitlabOAuth {
  const { provider, webUrl, app, egress, now } = options
  const endpoint = createTokenEndpoint({
    provider,
    url: `${webUrl}/oauth/token`,
    ...app,
    egress,
    now,
  })
  const toGrant = (answer: TokenAnswer, redirectUri: string): Grant => ({
    accessToken: answer.access_token,
    accessExpiresAt: new Date(now().getTime() + (answer.expires_in ?? 7200) * 1000),
    refreshToken:
      answer.refresh_token === undefined ? null : withRedirect(redirectUri, answer.refresh_token),
    refreshExpiresAt: null,
    scopes: listScopes(answer.scope),
  })
  return {
    authorizeUrl({ state, redirectUri, codeChallenge, level = 'full' }) {
      const url = new URL(`${webUrl}/oauth/authorize`)
      url.search = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
        scope: gitlabScopes[level],
        ...(codeChallenge !== undefined && {
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
        }),
      }).toString()
      return url.href
    },
    exchange: async (response) => toGrant(await endpoint.exchange(response), response.redirectUri),
    async refresh(refreshToken) {
      const { redirectUri, token } = splitRedirect(refreshToken)
      return toGrant(await endpoint.refresh(token, { redirect_uri: redirectUri }), redirectUri)
    },
    revoke: (grant) => revokeTokens(options, grant),
  }
}

async function revokeTokens(
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

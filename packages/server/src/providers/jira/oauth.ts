import type { Egress } from '../../egress/create-egress.ts'
import type { RefreshLoss } from '../connector.ts'
import type { AuthorizationRequest, AuthorizationResponse, Grant } from '../grant.ts'
import { createTokenEndpoint } from '../token-endpoint.ts'

/** Holds the OAuth client at Atlassian. */
export interface JiraApp {
  readonly clientId: string
  readonly clientSecret: string
}

/** Describes the Jira Cloud that grants access. */
export interface JiraOAuthOptions {
  /** Example: `https://auth.atlassian.com`. */
  readonly authUrl: string
  readonly app: JiraApp
  readonly egress: Pick<Egress, 'fetch'>
  readonly now: () => Date
}

/** Lists the least scopes that issues and projects take; without `offline_access` there is no refresh token. */
export const jiraScopes = ['read:jira-work', 'offline_access'] as const

const dayMs = 24 * 3600 * 1000
/** Without a refresh for so long, the refresh token ends. */
const inactivityMs = 90 * dayMs
/** Holds how long a grant lasts from the consent on, whatever is done. */
export const jiraGrantLifetimeMs = 365 * dayMs

/**
 * Says that a refresh token is good for ten more minutes after its first use. After that, its use ends the grant.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/#use-a-refresh-token-to-get-another-access-token-and-refresh-token-pair
 */
export const jiraRefreshLoss: RefreshLoss = { replayMs: 10 * 60_000, invalidGrantIsFinal: true }

/** Describes Jira Cloud's OAuth 2.0 (3LO). It has no endpoint to revoke a token. @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/ */
export interface JiraOAuth {
  authorizeUrl(request: AuthorizationRequest): string
  /** @throws {ProviderError} */
  exchange(response: AuthorizationResponse): Promise<Grant>
  /**
   * Each refresh gives another refresh token; the old one is good for ten more minutes.
   *
   * @throws {ProviderError} `rejected` when it is dead.
   */
  refresh(refreshToken: string): Promise<Grant>
}

/** Creates the OAuth client of Jira Cloud. */
export function createJiraOAuth({ authUrl, app, egress, now }: JiraOAuthOptions): JiraOAuth {
  const endpoint = createTokenEndpoint({
    provider: 'jira',
    url: `${authUrl}/oauth/token`,
    ...app,
    egress,
    now,
    encoding: 'json',
  })
  const toGrant = (answer: {
    readonly access_token: string
    readonly expires_in?: number
    readonly refresh_token?: string
    readonly scope?: string
  }): Grant => ({
    accessToken: answer.access_token,
    accessExpiresAt: new Date(now().getTime() + (answer.expires_in ?? 3600) * 1000),
    refreshToken: answer.refresh_token ?? null,
    refreshExpiresAt:
      answer.refresh_token === undefined ? null : new Date(now().getTime() + inactivityMs),
    scopes: answer.scope?.split(' ') ?? [],
  })
  return {
    authorizeUrl({ state, redirectUri, codeChallenge }) {
      const url = new URL(`${authUrl}/authorize`)
      url.search = new URLSearchParams({
        audience: 'api.atlassian.com',
        client_id: app.clientId,
        scope: jiraScopes.join(' '),
        redirect_uri: redirectUri,
        state,
        response_type: 'code',
        prompt: 'consent',
        ...(codeChallenge !== undefined && {
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
        }),
      }).toString()
      return url.href
    },
    exchange: async (response) => toGrant(await endpoint.exchange(response)),
    refresh: async (refreshToken) => toGrant(await endpoint.refresh(refreshToken)),
  }
}

import type { Egress } from '../../egress/create-egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import type { RefreshLoss } from '../connector.ts'
import type { AuthorizationRequest, AuthorizationResponse, Grant } from '../grant.ts'
import { ProviderError } from '../provider-error.ts'
import { createTokenEndpoint, type TokenAnswer } from '../token-endpoint.ts'

/** Describes the Linear that grants access. */
export interface LinearOAuthOptions {
  /** Example: `https://linear.app`. */
  readonly webUrl: string
  /** Example: `https://api.linear.app`. */
  readonly apiUrl: string
  readonly app: { readonly clientId: string; readonly clientSecret: string }
  readonly egress: Pick<Egress, 'fetch'>
  readonly now: () => Date
}

/** Lists the least scopes that issues and teams take. */
export const linearScopes = ['read'] as const

/** Says that Linear answers a refresh token that was used once more for thirty minutes, with the same pair of tokens. */
export const linearRefreshLoss: RefreshLoss = {
  replayMs: 30 * 60_000,
  invalidGrantIsFinal: true,
}

/** Describes Linear's OAuth 2.0. @see https://linear.app/developers/oauth-2-0-authentication */
export interface LinearOAuth {
  authorizeUrl(request: AuthorizationRequest): string
  /** @throws {ProviderError} */
  exchange(response: AuthorizationResponse): Promise<Grant>
  /** @throws {ProviderError} `rejected` when the token is dead. */
  refresh(refreshToken: string): Promise<Grant>
  /** Ends a token. One that is dead already is fine. @throws {ProviderError} */
  revoke(token: string): Promise<void>
}

/** Creates the OAuth client of Linear. */
export function createLinearOAuth(options: LinearOAuthOptions): LinearOAuth {
  const { webUrl, apiUrl, app, egress, now } = options
  const endpoint = createTokenEndpoint({
    provider: 'linear',
    url: `${apiUrl}/oauth/token`,
    ...app,
    egress,
    now,
    toStandard,
  })
  const toGrant = (answer: {
    readonly access_token: string
    readonly expires_in?: number
    readonly refresh_token?: string
    readonly scope?: string
  }): Grant => ({
    accessToken: answer.access_token,
    accessExpiresAt:
      answer.expires_in === undefined ? null : new Date(now().getTime() + answer.expires_in * 1000),
    refreshToken: answer.refresh_token ?? null,
    refreshExpiresAt: null,
    scopes: splitScopes(answer.scope ?? ''),
  })
  return {
    authorizeUrl({ state, redirectUri, codeChallenge }) {
      const url = new URL(`${webUrl}/oauth/authorize`)
      url.search = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: linearScopes.join(','),
        state,
        // The access is the application's: it stays when the person leaves.
        actor: 'app',
        // Without it, who has agreed once cannot choose another workspace.
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
    revoke: (token) => revoke(options, token),
  }
}

function splitScopes(scope: string): string[] {
  return scope.split(/[\s,]+/).filter((one) => one !== '')
}

/** The scopes of former answers were a list. */
function toStandard({ scope, ...answer }: TokenAnswer): TokenAnswer {
  if (scope === undefined) return answer
  return { ...answer, scope: Array.isArray(scope) ? scope.join(' ') : scope }
}

async function revoke(
  { apiUrl, egress }: Pick<LinearOAuthOptions, 'apiUrl' | 'egress'>,
  token: string,
): Promise<void> {
  try {
    const { status } = await egress.fetch(`${apiUrl}/oauth/revoke`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token }).toString(),
    })
    // 400 and 401 say that the token was dead already.
    if (status !== 200 && status !== 400 && status !== 401) throw notRevoked(`http_${status}`)
  } catch (error) {
    if (error instanceof EgressError) throw notRevoked(error.code, error)
    throw error
  }
}

function notRevoked(code: string, cause?: unknown): ProviderError {
  return new ProviderError({ provider: 'linear', failure: 'unavailable', code }, { cause })
}

import type { Egress } from '../../egress/create-egress.ts'
import type { AuthorizationRequest, AuthorizationResponse, Grant } from '../grant.ts'
import { createTokenEndpoint, type TokenAnswer } from '../token-endpoint.ts'

/** Describes a GitHub App as it was registered. */
export interface GithubApp {
  /** Digits. */
  readonly appId: string
  /** As in `https://github.com/apps/<slug>`. */
  readonly slug: string
  readonly clientId: string
  readonly clientSecret: string
  /** PEM, RS256. */
  readonly privateKey: string
}

/** Describes the GitHub that people authorize us at. */
export interface GithubOAuthOptions {
  /** Example: `https://github.com`. */
  readonly webUrl: string
  readonly app: Pick<GithubApp, 'slug' | 'clientId' | 'clientSecret'>
  readonly egress: Pick<Egress, 'fetch'>
  readonly now: () => Date
}

/**
 * Describes GitHub's user authorization. It proves once that a person may claim an installation; the daily work is done with tokens
 * of the installation, so nothing of it is kept.
 *
 * @see https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
export interface GithubOAuth {
  /** The page on which a person chooses the repositories; it comes back with a code and the number of the installation. */
  installUrl(request: Pick<AuthorizationRequest, 'state'>): string
  /** @throws {ProviderError} */
  exchange(response: AuthorizationResponse): Promise<Grant>
}

/** Creates the user authorization of GitHub. */
export function createGithubOAuth({ webUrl, app, egress, now }: GithubOAuthOptions): GithubOAuth {
  const endpoint = createTokenEndpoint({
    provider: 'github',
    url: `${webUrl}/login/oauth/access_token`,
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    egress,
    now,
    toStandard,
  })
  return {
    installUrl({ state }) {
      const url = new URL(`${webUrl}/apps/${encodeURIComponent(app.slug)}/installations/new`)
      url.search = new URLSearchParams({ state }).toString()
      return url.href
    },
    async exchange(response) {
      const answer = await endpoint.exchange(response)
      const expiresIn = answer.expires_in
      return {
        accessToken: answer.access_token,
        accessExpiresAt:
          expiresIn === undefined ? null : new Date(now().getTime() + expiresIn * 1000),
        refreshToken: answer.refresh_token ?? null,
        refreshExpiresAt: null,
        // A GitHub App has permissions in the place of scopes.
        scopes: [],
      }
    },
  }
}

/** GitHub answers rejections with status 200, and an empty scope for Apps, which RFC 6749 §3.3 has no place for. */
function toStandard({ scope, ...answer }: TokenAnswer): TokenAnswer {
  return scope === '' ? answer : { ...answer, ...(scope !== undefined && { scope }) }
}

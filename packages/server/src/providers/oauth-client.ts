import type { Egress } from '../egress/create-egress.ts'
import type { ClientApplication } from './client-application.ts'
import type { AuthorizationRequest, AuthorizationResponse, Grant } from './grant.ts'
import {
  createTokenEndpoint,
  type TokenAnswer,
  type TokenEndpointOptions,
} from './token-endpoint.ts'

/** Holds what the connector of a provider with OAuth 2.0 is made of. */
export interface OAuthConnectorOptions {
  /** Example: `https://codeberg.org`. It may have a path. */
  readonly webUrl: string
  readonly app: ClientApplication
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly now: () => Date
}

/** Describes how a provider's OAuth 2.0 differs from that of others. */
export interface OAuthClientOptions extends TokenEndpointOptions {
  /** Holds the address of the page of consent. */
  readonly authorizeAt: string
  /** Returns the parameters of that page beside those that every provider has. */
  readonly toParameters: (level: AuthorizationRequest['level']) => Readonly<Record<string, string>>
  /** Says how long an access token lasts where the answer does not. Left out: until it is revoked. */
  readonly accessSeconds?: number
  /** Says how long a refresh token lasts that nobody uses. Left out: the provider does not say. */
  readonly refreshMs?: number
  /** Maps a scope to another one that it includes. Example: `{ api: 'read_api' }`. */
  readonly includes?: Readonly<Record<string, string>>
}

/** Describes the OAuth 2.0 client of this server at a provider. */
export interface OAuthClient {
  readonly authorizeUrl: (request: AuthorizationRequest) => string
  /** @throws {ProviderError} */
  readonly exchange: (
    response: AuthorizationResponse,
  ) => Promise<{ readonly grant: Grant; readonly answer: TokenAnswer }>
  /** @throws {ProviderError} `rejected` when the refresh token is dead. */
  readonly refresh: (
    refreshToken: string,
    parameters?: Readonly<Record<string, string>>,
  ) => Promise<Grant>
}

/** Creates the client of a provider. */
export function createOAuthClient(options: OAuthClientOptions): OAuthClient {
  const { clientId, authorizeAt, toParameters, accessSeconds, refreshMs, includes, now } = options
  const endpoint = createTokenEndpoint(options)
  const afterMs = (ms: number | undefined) =>
    ms === undefined ? null : new Date(now().getTime() + ms)
  const toGrant = (answer: Awaited<ReturnType<typeof endpoint.exchange>>): Grant => {
    const seconds = answer.expires_in ?? accessSeconds
    return {
      accessToken: answer.access_token,
      accessExpiresAt: afterMs(seconds === undefined ? undefined : seconds * 1000),
      refreshToken: answer.refresh_token ?? null,
      refreshExpiresAt: answer.refresh_token === undefined ? null : afterMs(refreshMs),
      scopes: splitScopes(answer.scope, includes),
    }
  }
  return {
    authorizeUrl({ state, redirectUri, codeChallenge, level }) {
      const parameters = {
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        ...toParameters(level),
        ...(codeChallenge !== undefined && {
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
        }),
      }
      return `${authorizeAt}?${new URLSearchParams(parameters).toString()}`
    },
    async exchange(response) {
      const answer = await endpoint.exchange(response)
      return { grant: toGrant(answer), answer }
    },
    refresh: async (refreshToken, parameters) =>
      toGrant(await endpoint.refresh(refreshToken, parameters)),
  }
}

/** Returns the scopes of a list, with those that they include. */
export function splitScopes(
  scope: string | undefined,
  includes: OAuthClientOptions['includes'] = {},
): string[] {
  const scopes = scope?.split(/[\s,]+/).filter((each) => each !== '') ?? []
  return [...new Set([...scopes, ...scopes.flatMap((each) => includes[each] ?? [])])]
}

/** Renews a grant whose access token has ended. One that cannot be renewed stays as it is. @throws {ProviderError} */
export async function renewIfEnded(
  { refresh, now }: Pick<OAuthClient, 'refresh'> & { readonly now: () => Date },
  grant: Grant,
): Promise<Grant> {
  const { accessExpiresAt, refreshToken } = grant
  const isGood = accessExpiresAt === null || accessExpiresAt > now()
  return isGood || refreshToken === null ? grant : refresh(refreshToken)
}

import { formEncoded, json } from '../../http/answers.ts'
import { readFields } from '../../http/fields.ts'
import type { Answer, Route } from '../../http/route.ts'
import type { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import type { GithubApp, GithubState } from '../state.ts'
import { userTokenSeconds, type TokenStore, type UserGrant } from '../access/token-store.ts'

interface Deps {
  readonly state: GithubState
  readonly tokens: TokenStore
  readonly codes: AuthorizationCodes<UserGrant>
}

type Fields = ReadonlyMap<string, string>

const errors = {
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
  redirect_uri_mismatch:
    'The redirect_uri MUST match the registered callback URL for this application.',
  bad_verification_code: 'The code passed is incorrect or expired.',
  bad_refresh_token: 'The refresh token passed is incorrect or expired.',
  unsupported_grant_type: 'The grant_type passed is not supported.',
} as const

type TokenError = keyof typeof errors

/**
 * Creates the route that issues user tokens. Errors have the status 200, as on GitHub.
 *
 * @see
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
 */
export function createTokenRoute(deps: Deps): Route {
  return {
    method: 'POST',
    path: '/login/oauth/access_token',
    handle(request) {
      const granted = grant(deps, readFields(request))
      const body = typeof granted === 'string' ? toError(granted) : issue(deps, granted)
      return present(body, request.headers['accept'] ?? '')
    },
  }
}

function grant(deps: Deps, fields: Fields): UserGrant | TokenError {
  const app = [...deps.state.apps.values()].find(
    ({ clientId, clientSecret }) =>
      clientId === fields.get('client_id') && clientSecret === fields.get('client_secret'),
  )
  if (app === undefined) return 'incorrect_client_credentials'
  switch (fields.get('grant_type') ?? 'authorization_code') {
    case 'authorization_code':
      return redeemCode(deps, app, fields)
    case 'refresh_token': {
      const refreshToken = fields.get('refresh_token') ?? ''
      return deps.tokens.takeRefreshToken(refreshToken, app.id) ?? 'bad_refresh_token'
    }
    default:
      return 'unsupported_grant_type'
  }
}

function redeemCode(
  { codes }: Deps,
  { clientId }: GithubApp,
  fields: Fields,
): UserGrant | TokenError {
  const redeemed = codes.redeem({
    code: fields.get('code') ?? '',
    clientId,
    redirectUri: fields.get('redirect_uri'),
    codeVerifier: fields.get('code_verifier'),
  })
  switch (redeemed.outcome) {
    case 'redeemed':
      return redeemed.subject
    case 'other_redirect_uri':
      return 'redirect_uri_mismatch'
    case 'unknown':
    case 'other_client':
    case 'wrong_verifier':
      return 'bad_verification_code'
  }
}

type Body = Readonly<Record<string, string | number>>

function issue({ tokens }: Deps, granted: UserGrant): Body {
  const { token, refreshToken } = tokens.issueForUser(granted)
  return {
    access_token: token,
    expires_in: userTokenSeconds.access,
    refresh_token: refreshToken,
    refresh_token_expires_in: userTokenSeconds.refresh,
    scope: '',
    token_type: 'bearer',
  }
}

function toError(error: TokenError): Body {
  return {
    error,
    error_description: errors[error],
    error_uri: `https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/#${error.replaceAll('_', '-')}`,
  }
}

function present(body: Body, accept: string): Answer {
  if (accept.includes('application/json')) return json(body)
  return formEncoded(
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
  )
}

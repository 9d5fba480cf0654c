import { formEncoded, json } from '../../../../../../sandbox/src/http/answers.ts'
import { readFields } from '../../../../../../sandbox/src/http/fields.ts'
import { route, type Answer, type Route } from '../../../../../../sandbox/src/http/route.ts'
import {
  answerTokenRequest,
  type TokenRejection,
} from '../../../../../../sandbox/src/oauth/answer-token-request.ts'
import type { IssuedTokens } from '../../../../../../sandbox/src/oauth/token-store.ts'
import { findClient } from '../state.ts'
import { userTokenSeconds, type UserGrant } from '../access/token-store.ts'
import type { GithubParts } from '../parts.ts'

type Parts = Pick<GithubParts, 'state' | 'tokens' | 'codes'>

const wrongClient = [
  'incorrect_client_credentials',
  'The client_id and/or client_secret passed are incorrect.',
] as const
const wrongCode = ['bad_verification_code', 'The code passed is incorrect or expired.'] as const
const errors: Partial<Record<TokenRejection, readonly [error: string, description: string]>> = {
  unknown_client: wrongClient,
  wrong_secret: wrongClient,
  other_redirect_uri: [
    'redirect_uri_mismatch',
    'The redirect_uri MUST match the registered callback URL for this application.',
  ],
  refresh_token: ['bad_refresh_token', 'The refresh token passed is incorrect or expired.'],
  grant_type: ['unsupported_grant_type', 'The grant_type passed is not supported.'],
}

/**
 * Creates the route that issues user tokens. Errors have the status 200, as on GitHub.
 *
 * @see
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
 */
export function createTokenRoute({ state, tokens, codes }: Parts): Route {
  const settings = {
    codes,
    defaultGrantType: 'authorization_code',
    secretOf: (clientId: string) => findClient(state, clientId)?.clientSecret,
    issue: (grant: UserGrant) => toBody(tokens.ofUsers.issue(grant)),
    refresh(refreshToken: string, _: unknown, clientId: string) {
      const app = findClient(state, clientId)
      const issued = tokens.ofUsers.refresh(refreshToken, ({ appId }) => appId === app?.id)
      return issued && toBody(issued)
    },
    refuse: (rejection: TokenRejection) => toError(...(errors[rejection] ?? wrongCode)),
  } as const
  return route('POST /login/oauth/access_token', (request) => {
    const sent = { fields: readFields(request), basic: undefined }
    const body = answerTokenRequest<UserGrant, Body>(settings, sent)
    return present(body, request.headers['accept'] ?? '')
  })
}

type Body = Readonly<Record<string, string | number>>

function toBody({ accessToken, refreshToken = '' }: IssuedTokens<UserGrant>): Body {
  return {
    access_token: accessToken,
    expires_in: userTokenSeconds.access,
    refresh_token: refreshToken,
    refresh_token_expires_in: userTokenSeconds.refresh,
    scope: '',
    token_type: 'bearer',
  }
}

function toError(error: string, description: string): Body {
  return {
    error,
    error_description: description,
    error_uri: `https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/#${error.replaceAll('_', '-')}`,
  }
}

function present(body: Body, accept: string): Answer {
  if (accept.includes('application/json')) return json(body)
  return formEncoded(
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
  )
}

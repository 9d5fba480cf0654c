import { json } from '../../../../../sandbox/src/http/answers.ts'
import { basicOf, readFields } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import {
  answerTokenRequest,
  identifyClient,
  type TokenRejection,
  type TokenSettings,
} from '../../../../../sandbox/src/oauth/answer-token-request.ts'
import {
  authorizeRoutes,
  firstOf,
  refusedPage,
} from '../../../../../sandbox/src/oauth/authorize-routes.ts'
import type { IssuedTokens } from '../../../../../sandbox/src/oauth/token-store.ts'
import type { ForgejoParts } from './parts.ts'
import { accessSeconds, type ForgejoGrant } from './tokens.ts'

/** Lists the scopes that are none of the API. With those alone, a token may do everything. */
const openidScopes: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'groups'])

/** Returns the scopes of the API. `undefined`: there is none, so that everything is allowed. */
function apiScopesOf(scope: string): readonly string[] | undefined {
  const scopes = scope.split(' ').filter((one) => one !== '' && !openidScopes.has(one))
  return scopes.length === 0 ? undefined : scopes
}

/**
 * Creates the page that asks a person, and the endpoints that issue, renew and describe tokens. None revokes: a person removes the
 * application in their settings.
 *
 * @see https://forgejo.org/docs/latest/user/oauth2-provider/
 */
export function oauthRoutes(parts: ForgejoParts): Route[] {
  const settings = tokenSettings(parts)
  return [
    ...pageRoutes(parts),
    route('POST /login/oauth/access_token', (request) =>
      answerTokenRequest(settings, sentBy(request)),
    ),
    route('POST /login/oauth/introspect', (request) => introspect(parts, request)),
  ]
}

const back = (error: string, description: string) => ({
  back: { error, error_description: description },
})

function pageRoutes({ state, codes, authorizations }: ForgejoParts): Route[] {
  const { application, users } = state
  const title = 'Authorization failed'
  return authorizeRoutes({
    mount: '/forgejo',
    path: '/login/oauth/authorize',
    decidesAt: '/login/oauth/grant',
    redirectStatus: 303,
    codes,
    denied: back('access_denied', 'the request is denied').back,
    // Unknown scopes are taken as they are.
    judge: (read) =>
      firstOf([
        [
          read('client_id') !== application.clientId,
          refusedPage(title, 'Client ID not registered'),
        ],
        [
          !application.redirectUris.includes(read('redirect_uri')),
          refusedPage(title, 'Unregistered Redirect URI'),
        ],
        [
          read('response_type') !== 'code',
          back('unsupported_response_type', 'Only code response type is supported.'),
        ],
        [
          !['', 'S256', 'plain'].includes(read('code_challenge_method')),
          back('invalid_request', 'unsupported code challenge method'),
        ],
      ]),
    ask: (read) => ({
      provider: state.settings.product === 'gitea' ? 'Gitea' : 'Forgejo',
      account: 'the person below',
      clientId: application.name,
      permissions: read('scope') === '' ? ['Everything'] : read('scope').split(' '),
      choice: {
        name: 'person',
        label: 'Signed in as',
        options: [...users.values()].map(({ login: value, fullName: label }) => ({ value, label })),
      },
    }),
    grant(read) {
      const user = users.get(read('person'))
      if (user === undefined) return back('access_denied', 'the request is denied')
      const scope = read('scope')
      const known = authorizations.get(user.login)
      if (known !== undefined && known.scope !== scope) {
        return back('server_error', 'a grant exists with different scope')
      }
      const authorization = known ?? { user, scope, scopes: apiScopesOf(scope) }
      authorizations.set(user.login, authorization)
      return { subject: authorization }
    },
  })
}

const sentBy = (request: SandboxRequest) => ({
  fields: readFields(request),
  basic: basicOf(request),
})

/** Most are refused by another code than RFC 6749 has for it. */
const rejections: Partial<Record<TokenRejection, readonly [error: string, description: string]>> = {
  wrong_secret: ['unauthorized_client', 'invalid client secret'],
  grant_type: [
    'unsupported_grant_type',
    'Only refresh_token or authorization_code grant type is supported',
  ],
  missing: ['unauthorized_client', 'unexpected redirect URI'],
  other_redirect_uri: ['unauthorized_client', 'unexpected redirect URI'],
  wrong_verifier: ['unauthorized_client', 'failed PKCE code challenge'],
  refresh_token: ['unauthorized_client', 'token was already used'],
}

function tokenSettings(parts: ForgejoParts): TokenSettings<ForgejoGrant, Answer> {
  const { state, codes, tokens, authorizations } = parts
  return {
    codes,
    ...clientsOf(parts),
    required: { authorization_code: ['redirect_uri'] },
    issue(authorization) {
      if (state.settings.invalidatesRefreshTokens) tokens.useUp((grant) => grant === authorization)
      return answerTokens(tokens.issue(authorization))
    },
    refresh(refreshToken) {
      const issued = tokens.refresh(
        refreshToken,
        (grant) => authorizations.get(grant.user.login) === grant,
      )
      return issued && answerTokens(issued)
    },
    refuse(rejection, detail) {
      if (rejection === 'unknown_client') {
        return refuse('invalid_client', `cannot load client with client id: "${detail}"`)
      }
      return refuse(
        ...(rejections[rejection] ?? ['unauthorized_client', 'client is not authorized']),
      )
    },
  }
}

function clientsOf({ state: { application } }: ForgejoParts) {
  return {
    secretOf: (id: string) => (id === application.clientId ? application.clientSecret : undefined),
  }
}

/** The client proves itself by Basic. What was granted is the text of the first consent. */
function introspect(parts: ForgejoParts, request: SandboxRequest): Answer {
  const sent = { fields: readFields(request), basic: basicOf(request) ?? (['', ''] as const) }
  if (identifyClient(clientsOf(parts), sent).rejection !== undefined) {
    return {
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="Forgejo OAuth2"' },
      body: 'no valid authorization',
    }
  }
  const { state, tokens } = parts
  const grant = tokens.findGood(sent.fields.get('token') ?? '')?.grant
  if (grant?.scope === undefined) return json({ active: false })
  return json({
    active: true,
    ...(grant.scope !== '' && { scope: grant.scope }),
    username: grant.user.login,
    iss: state.baseUrl,
    sub: String(grant.user.id),
    aud: [state.application.clientId],
  })
}

/** The answer has no scope. */
function answerTokens({ accessToken, refreshToken }: IssuedTokens<ForgejoGrant>): Answer {
  const body = {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: accessSeconds,
    refresh_token: refreshToken,
  }
  return json(body, 200, { 'cache-control': 'no-store' })
}

function refuse(error: string, description: string): Answer {
  return json({ error, error_description: description }, 400)
}

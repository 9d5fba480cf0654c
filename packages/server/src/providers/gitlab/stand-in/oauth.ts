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
  splitScopes,
  type Read,
} from '../../../../../sandbox/src/oauth/authorize-routes.ts'
import type { IssuedTokens } from '../../../../../sandbox/src/oauth/token-store.ts'
import type { GitlabParts } from './parts.ts'
import { accessSeconds, type GitlabGrant } from './tokens.ts'
import { scopes as scopeTexts } from './seed.ts'
import type { GitlabApplication } from './state.ts'

/**
 * Creates the page that asks a person, and the endpoints that issue, renew, describe and revoke tokens.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 */
export function oauthRoutes(parts: GitlabParts): Route[] {
  const settings = tokenSettings(parts)
  return [
    ...pageRoutes(parts),
    route('POST /oauth/token', (request) => answerTokenRequest(settings, sentBy(request))),
    route('POST /oauth/revoke', (request) => revoke(parts, request)),
  ]
}

const wrongPage = (text: string, status: number) =>
  refusedPage('An error has occurred', text, status)
const back = (error: string, description: string) => ({
  back: { error, error_description: description },
})
const denied = back(
  'access_denied',
  'The resource owner or authorization server denied the request.',
)

function pageRoutes({ state, codes }: GitlabParts): Route[] {
  const { application, users } = state
  return authorizeRoutes({
    mount: '/gitlab',
    path: '/oauth/authorize',
    codes,
    denied: denied.back,
    judge: (read) => judge(application, read),
    ask: (read) => ({
      provider: 'GitLab',
      account: 'the person below',
      clientId: application.name,
      permissions: splitScopes(read('scope')).map((scope) => scopeTexts.get(scope) ?? scope),
      choice: {
        name: 'person',
        label: 'Signed in as',
        options: [...users.values()].map(({ username: value, name: label }) => ({ value, label })),
      },
    }),
    grant(read) {
      const user = users.get(read('person'))
      if (user === undefined) return denied
      const [clientId, redirectUri] = [read('client_id'), read('redirect_uri')]
      return { subject: { user, scopes: splitScopes(read('scope')), clientId, redirectUri } }
    },
  })
}

function judge(application: GitlabApplication, read: Read) {
  const scopes = splitScopes(read('scope'))
  const challenge = read('code_challenge')
  return firstOf([
    [
      read('client_id') !== application.clientId,
      wrongPage('Client authentication failed due to unknown client.', 401),
    ],
    [
      !application.redirectUris.includes(read('redirect_uri')),
      wrongPage('The redirect URI included is not valid.', 400),
    ],
    [
      read('response_type') !== 'code',
      back(
        'unsupported_response_type',
        'The authorization server does not support this response type.',
      ),
    ],
    [
      scopes.length === 0 || scopes.some((scope) => !application.scopes.has(scope)),
      back('invalid_scope', 'The requested scope is invalid, unknown, or malformed.'),
    ],
    [
      !application.isConfidential && challenge === '',
      back('invalid_request', 'Code challenge is required.'),
    ],
    [
      challenge !== '' && read('code_challenge_method') !== 'S256',
      back('invalid_code_challenge_method', 'The code_challenge_method must be S256.'),
    ],
  ])
}

const sentBy = (request: SandboxRequest) => ({
  fields: readFields(request),
  basic: basicOf(request),
})

const unknownClient = [
  401,
  'invalid_client',
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
] as const
const rejections: Partial<Record<TokenRejection, readonly [number, string, string]>> = {
  unknown_client: unknownClient,
  wrong_secret: unknownClient,
  grant_type: [
    400,
    'unsupported_grant_type',
    'The authorization grant type is not supported by the authorization server.',
  ],
}
const invalidGrant = [
  400,
  'invalid_grant',
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
] as const

function tokenSettings(parts: GitlabParts): TokenSettings<GitlabGrant, Answer> {
  const { state, codes, tokens } = parts
  return {
    codes,
    ...clientsOf(parts),
    required: {
      authorization_code: ['code', 'redirect_uri'],
      refresh_token: ['refresh_token', 'redirect_uri'],
    },
    issue: (grant) => answerTokens(tokens.issue(grant)),
    refresh(refreshToken, read, client) {
      const issued = tokens.refresh(refreshToken, ({ clientId, redirectUri }) => {
        if (clientId !== client || redirectUri !== read('redirect_uri')) return false
        // A replica that lags does not know the newest token for minutes, and the token stays good.
        if (state.settings.refusesGoodRefreshes === 0) return true
        state.settings.refusesGoodRefreshes -= 1
        return false
      })
      return issued && answerTokens(issued)
    },
    refuse(rejection, detail) {
      const isMissing = rejection === 'missing' || (rejection === 'grant_type' && detail === '')
      if (isMissing) {
        const text = `Missing required parameter: ${detail || 'grant_type'}.`
        return refuse(400, 'invalid_request', text)
      }
      return refuse(...(rejections[rejection] ?? invalidGrant))
    },
  }
}

function clientsOf({ state: { application } }: GitlabParts) {
  return {
    secretOf: (id: string) => (id === application.clientId ? application.clientSecret : undefined),
    isPublic: () => !application.isConfidential,
  }
}

/** Answers a token of another client 403, and every other one 200, known or not (RFC 7009 §2.2). */
function revoke(parts: GitlabParts, request: SandboxRequest): Answer {
  const sent = sentBy(request)
  const { clientId, rejection } = identifyClient(clientsOf(parts), sent)
  const token = sent.fields.get('token') ?? ''
  const known = parts.tokens.find(token)
  if (rejection !== undefined || (known !== undefined && known.grant.clientId !== clientId)) {
    return refuse(403, 'unauthorized_client', 'You are not authorized to revoke this token')
  }
  parts.tokens.revoke(
    ({ accessToken, refreshToken }) => accessToken === token || refreshToken === token,
  )
  return json({})
}

function answerTokens(issued: IssuedTokens<GitlabGrant>): Answer {
  const body = {
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: issued.refreshToken,
    scope: issued.grant.scopes.join(' '),
    created_at: Math.floor(issued.issuedAt.getTime() / 1000),
  }
  return json(body, 200, { 'cache-control': 'no-store' })
}

function refuse(status: number, error: string, description: string): Answer {
  return json({ error, error_description: description }, status)
}

import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { json } from '../../../../../sandbox/src/http/answers.ts'
import { basicOf, bearerOf, readFields } from '../../../../../sandbox/src/http/fields.ts'
import { route, type Answer, type Route } from '../../../../../sandbox/src/http/route.ts'
import {
  answerTokenRequest,
  type TokenRejection,
  type TokenSettings,
} from '../../../../../sandbox/src/oauth/answer-token-request.ts'
import type { AuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import {
  authorizeRoutes,
  firstOf,
  refusedPage,
  splitScopes,
} from '../../../../../sandbox/src/oauth/authorize-routes.ts'
import {
  createTokenStore,
  type IssuedTokens,
  type TokenStore,
} from '../../../../../sandbox/src/oauth/token-store.ts'
import type { LinearState } from './state.ts'

/** Lists the scopes of an authorization. */
export type LinearGrant = readonly string[]

/** Holds what the pages and endpoints of the authorization share. */
export interface LinearOAuthParts {
  readonly state: LinearState
  readonly codes: AuthorizationCodes<LinearGrant>
  readonly tokens: TokenStore<LinearGrant>
}

/** Limits the life of an access token in seconds: a day less one. */
const accessSeconds = 86_399

/** Creates a store of tokens. For thirty minutes after its use a refresh token gets the same answer. */
export function createLinearTokens(clock: Clock): TokenStore<LinearGrant> {
  return createTokenStore<LinearGrant>(clock, {
    newAccessToken: () => `lin_oauth_${randomBytes(32).toString('hex')}`,
    newRefreshToken: () => `lin_refresh_${randomBytes(32).toString('hex')}`,
    accessSeconds,
    rotation: () => ({ reusableSeconds: 1_800, repeats: true }),
  })
}

const scopeMeanings = new Map([
  ['read', 'Read access'],
  ['write', 'Write access'],
  ['issues:create', 'Create issues and their attachments'],
  ['comments:create', 'Create comments'],
  ['admin', 'Everything that an administrator may do'],
])

const wrong = (text: string) => refusedPage('Linear: not authorized', text)

/** Creates the authorization page, which is at another address than the API. */
export function pageRoutes({ state, codes }: LinearOAuthParts): Route[] {
  const { app, workspace } = state
  return authorizeRoutes({
    mount: '/linear',
    path: '/oauth/authorize',
    codes,
    judge(read) {
      // Scopes with spaces between them are one that nobody knows.
      const scopes = splitScopes(read('scope'), ',')
      const actor = read('actor')
      const isPlain = read('code_challenge') !== '' && read('code_challenge_method') !== 'S256'
      return firstOf([
        [read('client_id') !== app.clientId, wrong('There is no application with this client_id.')],
        [
          !app.redirectUris.includes(read('redirect_uri')),
          wrong('The application has no such redirect_uri.'),
        ],
        [read('response_type') !== 'code', wrong('The response_type must be code.')],
        [scopes.length === 0, wrong('A scope is required.')],
        [scopes.some((scope) => !scopeMeanings.has(scope)), wrong('Invalid scope.')],
        [!['', 'user', 'app', 'application'].includes(actor), wrong('Invalid actor.')],
        [
          actor === 'app' && scopes.includes('admin'),
          wrong('An application cannot ask for admin.'),
        ],
        [isPlain, wrong('The code_challenge_method must be S256.')],
      ])
    },
    ask: (read) => ({
      provider: 'Linear',
      account: workspace.name,
      permissions: splitScopes(read('scope'), ',').map(
        (scope) => scopeMeanings.get(scope) ?? scope,
      ),
    }),
    // `read` is always granted.
    grant: (read) => ({ subject: splitScopes(`read,${read('scope')}`, ',') }),
  })
}

/** Creates the endpoints for tokens. They take forms alone. */
export function tokenRoutes({ tokens, ...parts }: LinearOAuthParts): Route[] {
  const settings = tokenSettings({ tokens, ...parts })
  return [
    route('POST /oauth/token', (request) => {
      const isForm = (request.headers['content-type'] ?? '').includes('x-www-form-urlencoded')
      if (!isForm) return refuse(400, 'invalid_request', 'The body must be a form')
      const sent = { fields: readFields(request), basic: basicOf(request) }
      return answerTokenRequest(settings, sent)
    }),
    route('POST /oauth/revoke', (request) => {
      const token = readFields(request).get('token') ?? bearerOf(request)
      const wasThere = tokens.revoke(
        ({ accessToken, refreshToken }) => accessToken === token || refreshToken === token,
      )
      return json({}, wasThere ? 200 : 400)
    }),
  ]
}

const wrongClient = [401, 'invalid_client', 'Unknown client or wrong secret'] as const
const rejections: Partial<Record<TokenRejection, readonly [number, string, string]>> = {
  unknown_client: wrongClient,
  wrong_secret: wrongClient,
  grant_type: [400, 'unsupported_grant_type', 'Unknown grant type'],
  missing: [400, 'invalid_request', 'Missing redirect_uri'],
  refresh_token: [400, 'invalid_grant', 'The refresh token is invalid or revoked'],
}

function tokenSettings({
  state: { app },
  codes,
  tokens,
}: LinearOAuthParts): TokenSettings<LinearGrant, Answer> {
  return {
    codes,
    secretOf: (clientId) => (clientId === app.clientId ? app.clientSecret : undefined),
    isPublic: (read) => read('grant_type') === 'authorization_code',
    required: { authorization_code: ['redirect_uri'] },
    issue: (scopes) => answerTokens(tokens.issue(scopes)),
    refresh(refreshToken) {
      const issued = tokens.refresh(refreshToken)
      return issued && answerTokens(issued)
    },
    refuse: (rejection) =>
      refuse(...(rejections[rejection] ?? [400, 'invalid_grant', 'The code is invalid'])),
  }
}

function answerTokens({ accessToken, refreshToken, grant }: IssuedTokens<LinearGrant>): Answer {
  return json({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    scope: grant.join(' '),
    refresh_token: refreshToken,
  })
}

function refuse(status: number, error: string, description: string): Answer {
  return json({ error, error_description: description }, status)
}

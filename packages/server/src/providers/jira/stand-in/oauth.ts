import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { json } from '../../../../../sandbox/src/http/answers.ts'
import { readFields } from '../../../../../sandbox/src/http/fields.ts'
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
import { jiraScopes } from './jira-scopes.ts'
import type { JiraState } from './state.ts'

/** Lists the scopes of an authorization. */
export type JiraGrant = readonly string[]

/** Holds what the authorization works on. */
export interface JiraOauth {
  readonly jira: JiraState
  readonly codes: AuthorizationCodes<JiraGrant>
  readonly tokens: TokenStore<JiraGrant>
}

const accessSeconds = 3_600
const daySeconds = 86_400

/**
 * Creates a store of tokens, which rotate. Real tokens are signed and long: a product with a short column for them fails here first.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 * @see https://community.developer.atlassian.com/t/54172 for the ten minutes and the two lifetimes
 * @see https://community.developer.atlassian.com/t/83103 for the end of the old access token
 */
export function createJiraTokens(clock: Clock): TokenStore<JiraGrant> {
  return createTokenStore<JiraGrant>(clock, {
    newAccessToken: () => randomBytes(900).toString('base64url'),
    newRefreshToken: (scopes) =>
      scopes.includes('offline_access') ? randomBytes(300).toString('base64url') : undefined,
    accessSeconds,
    refreshSeconds: 90 * daySeconds,
    authorizationSeconds: 365 * daySeconds,
    rotation: () => ({ reusableSeconds: 600, endsFamily: true, endsAccess: true }),
  })
}

/** Creates the page and the token endpoint of Atlassian's OAuth 2.0 (3LO). Atlassian has no endpoint to revoke a token. */
export function oauthRoutes(parts: JiraOauth): Route[] {
  const settings = tokenSettings(parts)
  return [
    ...pageRoutes(parts),
    route('POST /oauth/token', (request) =>
      answerTokenRequest(settings, { fields: readFields(request), basic: undefined }),
    ),
  ]
}

const wrong = (text: string) => refusedPage('Something went wrong', text)

/** A wrong request is explained on a page: it may not come from the client that it names. */
function pageRoutes({ jira, codes }: JiraOauth): Route[] {
  const { app, sites, account, granted } = jira
  const offeredSites = () => Object.values(sites).filter(({ offered }) => offered)
  return authorizeRoutes({
    mount: '/atlassian/auth',
    path: '/authorize',
    codes,
    denied: {
      error: 'access_denied',
      error_description: 'User did not authorize the request',
    },
    judge(read) {
      const scopes = splitScopes(read('scope'))
      const isPlain = read('code_challenge') !== '' && read('code_challenge_method') !== 'S256'
      return firstOf([
        [read('client_id') !== app.clientId, wrong('There is no app with this client_id.')],
        [
          !app.redirectUris.includes(read('redirect_uri')),
          wrong('The app has no such redirect_uri.'),
        ],
        [
          read('audience') !== 'api.atlassian.com',
          wrong('The audience must be api.atlassian.com.'),
        ],
        [read('response_type') !== 'code', wrong('The response_type must be code.')],
        [read('prompt') !== 'consent', wrong('The prompt must be consent.')],
        [read('state') === '', wrong('A state is required.')],
        [scopes.length === 0, wrong('A scope is required.')],
        [scopes.some((scope) => !jiraScopes.has(scope)), wrong('The app has no such scope.')],
        [isPlain, wrong('The code_challenge_method must be S256.')],
      ])
    },
    ask(read) {
      const options = offeredSites().map(({ name }) => ({ value: name, label: name }))
      const [only, ...others] = options
      return {
        provider: 'Atlassian',
        account: account.displayName,
        permissions: splitScopes(read('scope')).map((scope) => jiraScopes.get(scope) ?? scope),
        ...(others.length > 0
          ? { choice: { name: 'site', label: 'Site', options } }
          : { more: { site: only?.value ?? '' } }),
      }
    },
    grant(read) {
      const site = offeredSites().find(({ name }) => name === read('site'))
      if (site === undefined) return wrong('Choose a site, then allow or deny access to it.')
      const scopes = splitScopes(read('scope'))
      const ofJira = scopes.filter((scope) => scope !== 'offline_access')
      granted.set(site.cloudId, new Set([...(granted.get(site.cloudId) ?? []), ...ofJira]))
      return { subject: scopes }
    },
  })
}

const unauthorized = [401, 'access_denied', 'Unauthorized'] as const
const rejections: Partial<Record<TokenRejection, readonly [number, string, string]>> = {
  unknown_client: unauthorized,
  wrong_secret: unauthorized,
  wrong_verifier: [403, 'invalid_grant', 'Failed to verify code verifier'],
  refresh_token: [403, 'invalid_grant', 'Unknown or invalid refresh token.'],
}

function tokenSettings({ jira, codes, tokens }: JiraOauth): TokenSettings<JiraGrant, Answer> {
  const { app } = jira
  return {
    codes,
    secretOf: (clientId) => (clientId === app.clientId ? app.clientSecret : undefined),
    required: { authorization_code: ['code', 'redirect_uri'], refresh_token: ['refresh_token'] },
    issue: (scopes) => answerTokens(tokens.issue(scopes)),
    refresh(refreshToken) {
      const issued = tokens.refresh(refreshToken)
      return issued && answerTokens(issued)
    },
    refuse(rejection, detail) {
      if (rejection === 'grant_type') {
        return refuse(403, 'unsupported_grant_type', `Unsupported grant type: ${detail}`)
      }
      if (rejection === 'missing') {
        return refuse(400, 'invalid_request', `Missing required parameter: ${detail}`)
      }
      return refuse(
        ...(rejections[rejection] ?? [403, 'invalid_grant', 'Invalid authorization code']),
      )
    },
  }
}

function answerTokens({ accessToken, refreshToken, grant }: IssuedTokens<JiraGrant>): Answer {
  const body = {
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    expires_in: accessSeconds,
    token_type: 'Bearer',
    scope: grant.join(' '),
  }
  return json(body, 200, { 'cache-control': 'no-store' })
}

function refuse(status: number, error: string, description: string): Answer {
  return json({ error, error_description: description }, status)
}

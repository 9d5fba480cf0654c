import { timingSafeEqual } from 'node:crypto'
import { html, json, redirect } from '../http/answers.ts'
import { basicOf, bearerOf, readFields } from '../http/fields.ts'
import { markup, renderPage } from '../http/page.ts'
import type { Answer, Route, SandboxRequest } from '../http/route.ts'
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts'
import { renderAuthorizationPage } from '../oauth/authorization-page.ts'
import type { LinearState } from './state.ts'
import { accessTokenLifetime, type LinearPair, type LinearTokens } from './tokens.ts'

/** Holds what the pages and endpoints of the authorization share. */
export interface LinearOAuthParts {
  readonly state: LinearState
  readonly codes: AuthorizationCodes<LinearSubject>
  readonly tokens: LinearTokens
}

/** Describes what a code stands for. */
export interface LinearSubject {
  readonly scopes: readonly string[]
  readonly isVerified: boolean
}

type Read = (name: string) => string

const scopeMeanings = new Map([
  ['read', 'Read access'],
  ['write', 'Write access'],
  ['issues:create', 'Create issues and their attachments'],
  ['comments:create', 'Create comments'],
  ['admin', 'Everything that an administrator may do'],
])
const fieldNames = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'actor',
  'prompt',
  'code_challenge',
  'code_challenge_method',
]

/** Creates the authorization page, which is at another address than the API. */
export function authorizeRoutes(parts: LinearOAuthParts): Route[] {
  const path = '/oauth/authorize'
  return [
    {
      method: 'GET',
      path,
      handle: ({ query, origin }) => {
        const read: Read = (name) => query.get(name) ?? ''
        return (
          refuseAuthorization(parts.state, read) ??
          ask(parts.state, read, `${origin}/linear${path}`)
        )
      },
    },
    {
      method: 'POST',
      path,
      handle: (request) => {
        const fields = readFields(request)
        const read: Read = (name) => fields.get(name) ?? ''
        return refuseAuthorization(parts.state, read) ?? decide(parts, read)
      },
    },
  ]
}

function refuseAuthorization({ app }: LinearState, read: Read): Answer | undefined {
  const scopes = splitScopes(read('scope'))
  const actor = read('actor')
  const wrong: readonly (readonly [boolean, string])[] = [
    [read('client_id') !== app.clientId, 'There is no application with this client_id.'],
    [!app.redirectUris.includes(read('redirect_uri')), 'The application has no such redirect_uri.'],
    [read('response_type') !== 'code', 'The response_type must be code.'],
    [scopes.length === 0, 'A scope is required.'],
    // Scopes with spaces between them are one that nobody knows.
    [scopes.some((scope) => !scopeMeanings.has(scope)), 'Invalid scope.'],
    [!['', 'user', 'app', 'application'].includes(actor), 'Invalid actor.'],
    [actor === 'app' && scopes.includes('admin'), 'An application cannot ask for admin.'],
    [
      read('code_challenge') !== '' && read('code_challenge_method') !== 'S256',
      'The code_challenge_method must be S256.',
    ],
  ]
  const violation = wrong.find(([applies]) => applies)
  return (
    violation && html(renderPage('Linear: not authorized', markup`<p>${violation[1]}</p>`), 400)
  )
}

function splitScopes(scope: string): string[] {
  return scope.split(',').filter((one) => one !== '')
}

function ask({ workspace }: LinearState, read: Read, action: string): Answer {
  return renderAuthorizationPage({
    provider: 'Linear',
    account: workspace.name,
    clientId: read('client_id'),
    permissions: splitScopes(read('scope')).map((scope) => scopeMeanings.get(scope) ?? scope),
    action,
    fields: Object.fromEntries(fieldNames.map((name) => [name, read(name)])),
  })
}

function decide({ codes }: LinearOAuthParts, read: Read): Answer {
  const back = new URL(read('redirect_uri'))
  if (read('state') !== '') back.searchParams.set('state', read('state'))
  if (read('decision') !== 'allow') {
    back.searchParams.set('error', 'access_denied')
    return redirect(back)
  }
  const codeChallenge = read('code_challenge') || undefined
  // `read` is always granted.
  const scopes = [...new Set(['read', ...splitScopes(read('scope'))])]
  const code = codes.issue({
    clientId: read('client_id'),
    redirectUri: read('redirect_uri'),
    codeChallenge,
    subject: { scopes, isVerified: codeChallenge !== undefined },
  })
  back.searchParams.set('code', code)
  return redirect(back)
}

/** Creates the endpoints for tokens. They take forms alone. */
export function tokenRoutes(parts: LinearOAuthParts): Route[] {
  return [
    { method: 'POST', path: '/oauth/token', handle: (request) => grant(parts, request) },
    {
      method: 'POST',
      path: '/oauth/revoke',
      handle(request) {
        const token = readFields(request).get('token') ?? bearerOf(request)
        return json({}, parts.tokens.revoke(token) ? 200 : 400)
      },
    },
  ]
}

function grant(parts: LinearOAuthParts, request: SandboxRequest): Answer {
  const isForm = (request.headers['content-type'] ?? '').includes('x-www-form-urlencoded')
  if (!isForm) return refuse('invalid_request', 'The body must be a form')
  const fields = readFields(request)
  const client = readClient(parts.state, request, fields)
  if (client === 'wrong') return refuse('invalid_client', 'Unknown client or wrong secret', 401)
  const isVerified = client === 'authenticated'
  const grantType = fields.get('grant_type')
  if (grantType === 'authorization_code') return exchange(parts, fields, isVerified)
  if (grantType !== 'refresh_token') return refuse('unsupported_grant_type', 'Unknown grant type')
  if (!isVerified) return refuse('invalid_client', 'A client secret is required', 401)
  const pair = parts.tokens.refresh(fields.get('refresh_token') ?? '')
  return pair === undefined
    ? refuse('invalid_grant', 'The refresh token is invalid or revoked')
    : answerPair(pair)
}

/** Returns whether the application has shown its secret, or only its id. */
function readClient(
  { app }: LinearState,
  request: SandboxRequest,
  fields: ReadonlyMap<string, string>,
): 'authenticated' | 'named' | 'wrong' {
  const [clientId = '', secret = ''] = basicOf(request) ?? [
    fields.get('client_id'),
    fields.get('client_secret'),
  ]
  if (clientId !== app.clientId) return 'wrong'
  if (secret === '') return 'named'
  return isSame(secret, app.clientSecret) ? 'authenticated' : 'wrong'
}

function exchange(
  { state, codes, tokens }: LinearOAuthParts,
  fields: ReadonlyMap<string, string>,
  hasSecret: boolean,
): Answer {
  const redirectUri = fields.get('redirect_uri')
  if (redirectUri === undefined) return refuse('invalid_request', 'Missing redirect_uri')
  const redeemed = codes.redeem({
    code: fields.get('code') ?? '',
    clientId: state.app.clientId,
    redirectUri,
    codeVerifier: fields.get('code_verifier'),
  })
  if (redeemed.outcome !== 'redeemed') return refuse('invalid_grant', 'The code is invalid')
  // A code challenge stands for the secret.
  if (!hasSecret && !redeemed.subject.isVerified) {
    return refuse('invalid_client', 'A client secret is required', 401)
  }
  return answerPair(tokens.issue(redeemed.subject.scopes))
}

function answerPair({ accessToken, refreshToken, scopes }: LinearPair): Answer {
  return json({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenLifetime,
    scope: scopes.join(' '),
    refresh_token: refreshToken,
  })
}

function refuse(error: string, description: string, status = 400): Answer {
  return json({ error, error_description: description }, status)
}

function isSame(one: string, other: string): boolean {
  const [sent, known] = [Buffer.from(one), Buffer.from(other)]
  return sent.length === known.length && timingSafeEqual(sent, known)
}

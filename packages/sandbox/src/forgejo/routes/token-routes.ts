import { timingSafeEqual } from 'node:crypto'
import { json } from '../../http/answers.ts'
import { basicOf, readFields } from '../../http/fields.ts'
import type { Answer, Route, SandboxRequest } from '../../http/route.ts'
import type { ForgejoParts } from '../parts.ts'
import { accessTokenLifetime, type ForgejoGrant } from '../tokens.ts'

type Fields = ReadonlyMap<string, string>

/**
 * Creates the endpoints that issue, renew and describe tokens. None revokes: a person removes the application in their settings.
 *
 * @see https://forgejo.org/docs/latest/user/oauth2-provider/
 */
export function tokenRoutes(parts: ForgejoParts): Route[] {
  return [
    {
      method: 'POST',
      path: '/login/oauth/access_token',
      handle: (request) => issue(parts, request),
    },
    {
      method: 'POST',
      path: '/login/oauth/introspect',
      handle: (request) => introspect(parts, request),
    },
  ]
}

function isApplication(
  { state: { application } }: ForgejoParts,
  [id, secret]: readonly [string | undefined, string | undefined],
): boolean {
  if (id !== application.clientId) return false
  const actual = Buffer.from(secret ?? '')
  const expected = Buffer.from(application.clientSecret)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function issue(parts: ForgejoParts, request: SandboxRequest): Answer {
  const fields = readFields(request)
  const client =
    basicOf(request) ?? ([fields.get('client_id'), fields.get('client_secret')] as const)
  if (client[0] !== parts.state.application.clientId) {
    return refuse('invalid_client', `cannot load client with client id: "${client[0] ?? ''}"`)
  }
  if (!isApplication(parts, client)) return refuse('unauthorized_client', 'invalid client secret')
  switch (fields.get('grant_type') ?? '') {
    case 'authorization_code':
      return exchangeCode(parts, fields)
    case 'refresh_token':
      return refresh(parts, fields)
    default:
      return refuse(
        'unsupported_grant_type',
        'Only refresh_token or authorization_code grant type is supported',
      )
  }
}

function exchangeCode({ state, codes, tokens }: ForgejoParts, fields: Fields): Answer {
  const redirectUri = fields.get('redirect_uri')
  if (redirectUri === undefined || !state.application.redirectUris.includes(redirectUri)) {
    return refuse('unauthorized_client', 'unexpected redirect URI')
  }
  const redeemed = codes.redeem({
    code: fields.get('code') ?? '',
    clientId: state.application.clientId,
    redirectUri,
    codeVerifier: fields.get('code_verifier'),
  })
  if (redeemed.outcome === 'wrong_verifier') {
    return refuse('unauthorized_client', 'failed PKCE code challenge')
  }
  if (redeemed.outcome !== 'redeemed') {
    return refuse('unauthorized_client', 'client is not authorized')
  }
  return answerTokens(tokens.issue(redeemed.subject))
}

/** An old refresh token is refused by another code than RFC 6749 has for it. */
function refresh({ tokens }: ForgejoParts, fields: Fields): Answer {
  const grant = tokens.findRefreshable(fields.get('refresh_token') ?? '')
  if (grant === undefined) return refuse('unauthorized_client', 'token was already used')
  return answerTokens(tokens.issue(grant))
}

/** The client proves itself by Basic. What was granted is the text of the first consent. */
function introspect(parts: ForgejoParts, request: SandboxRequest): Answer {
  if (!isApplication(parts, basicOf(request) ?? [undefined, undefined])) {
    return {
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="Forgejo OAuth2"' },
      body: 'no valid authorization',
    }
  }
  const { state, tokens } = parts
  const accessToken = tokens.findByAccess(readFields(request).get('token') ?? '')
  const grant: ForgejoGrant | undefined = accessToken?.grant
  if (grant === undefined) return json({ active: false })
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
function answerTokens(of: { readonly accessToken: string; readonly refreshToken: string }): Answer {
  const body = {
    access_token: of.accessToken,
    token_type: 'bearer',
    expires_in: accessTokenLifetime,
    refresh_token: of.refreshToken,
  }
  return json(body, 200, { 'cache-control': 'no-store' })
}

function refuse(error: string, description: string): Answer {
  return json({ error, error_description: description }, 400)
}

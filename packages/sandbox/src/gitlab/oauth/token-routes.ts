import { timingSafeEqual } from 'node:crypto'
import { json } from '../../http/answers.ts'
import { basicOf, bearerOf, readFields } from '../../http/fields.ts'
import type { Answer, Route, SandboxRequest } from '../../http/route.ts'
import type { GitlabParts } from '../parts.ts'
import { accessTokenLifetime, type GitlabTokens } from '../tokens.ts'

type Fields = ReadonlyMap<string, string>

const invalidGrant =
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.'

/**
 * Creates the endpoints that issue, renew, describe and revoke tokens. Each refresh ends both tokens before it.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 */
export function tokenRoutes(parts: GitlabParts): Route[] {
  return [
    { method: 'POST', path: '/oauth/token', handle: (request) => issue(parts, request) },
    { method: 'POST', path: '/oauth/revoke', handle: (request) => revoke(parts, request) },
    { method: 'GET', path: '/oauth/token/info', handle: (request) => describe(parts, request) },
  ]
}

function issue(parts: GitlabParts, request: SandboxRequest): Answer {
  const fields = readFields(request)
  if (!isApplication(parts, request, fields)) return unknownClient()
  switch (fields.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(parts, fields)
    case 'refresh_token':
      return refresh(parts, fields)
    case undefined:
      return missing('grant_type')
    default:
      return refuse(
        400,
        'unsupported_grant_type',
        'The authorization grant type is not supported by the authorization server.',
      )
  }
}

function isApplication(
  { state: { application } }: GitlabParts,
  request: SandboxRequest,
  fields: Fields,
): boolean {
  const [id, secret] = basicOf(request) ?? [fields.get('client_id'), fields.get('client_secret')]
  if (id !== application.clientId) return false
  if (!application.isConfidential) return true
  const actual = Buffer.from(secret ?? '')
  const expected = Buffer.from(application.clientSecret)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function exchangeCode({ state, codes, tokens }: GitlabParts, fields: Fields): Answer {
  const code = fields.get('code')
  const redirectUri = fields.get('redirect_uri')
  if (code === undefined) return missing('code')
  if (redirectUri === undefined) return missing('redirect_uri')
  const redeemed = codes.redeem({
    code,
    clientId: state.application.clientId,
    redirectUri,
    codeVerifier: fields.get('code_verifier'),
  })
  return redeemed.outcome === 'redeemed'
    ? answerTokens(tokens.issue(redeemed.subject))
    : refuse(400, 'invalid_grant', invalidGrant)
}

function refresh({ state, tokens }: GitlabParts, fields: Fields): Answer {
  const refreshToken = fields.get('refresh_token')
  const redirectUri = fields.get('redirect_uri')
  if (refreshToken === undefined) return missing('refresh_token')
  if (redirectUri === undefined) return missing('redirect_uri')
  const old = tokens.findByRefresh(refreshToken)
  if (old?.clientId !== state.application.clientId || old.redirectUri !== redirectUri) {
    return refuse(400, 'invalid_grant', invalidGrant)
  }
  // A replica that lags does not know the newest token for minutes, and the token stays good.
  if (state.settings.refusesGoodRefreshes > 0) {
    state.settings.refusesGoodRefreshes -= 1
    return refuse(400, 'invalid_grant', invalidGrant)
  }
  tokens.revoke(old)
  return answerTokens(tokens.issue(old))
}

/** Answers a token of another client 403, and every other one 200, known or not (RFC 7009 §2.2). */
function revoke(parts: GitlabParts, request: SandboxRequest): Answer {
  const { state, tokens } = parts
  const fields = readFields(request)
  if (!isApplication(parts, request, fields)) {
    return refuse(403, 'unauthorized_client', 'You are not authorized to revoke this token')
  }
  const token = fields.get('token') ?? ''
  const known = tokens.findByAccess(token) ?? tokens.findByRefresh(token)
  if (known !== undefined && known.clientId !== state.application.clientId) {
    return refuse(403, 'unauthorized_client', 'You are not authorized to revoke this token')
  }
  if (known !== undefined) tokens.revoke(known)
  return json({})
}

function describe({ tokens }: GitlabParts, request: SandboxRequest): Answer {
  const known = tokens.findByAccess(bearerOf(request))
  if (known === undefined || tokens.isExpired(known)) {
    return refuse(401, 'invalid_request', 'The access token is invalid')
  }
  const isOauth = known.clientId !== undefined
  return json({
    resource_owner_id: known.user.id,
    scope: known.scopes,
    expires_in: isOauth ? accessTokenLifetime : null,
    application: isOauth ? { uid: known.clientId } : null,
    created_at: Math.floor(known.createdAt.getTime() / 1000),
  })
}

function answerTokens({ accessToken, refreshToken, scopes, createdAt }: GitlabTokens): Answer {
  const body = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenLifetime,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
    created_at: Math.floor(createdAt.getTime() / 1000),
  }
  return json(body, 200, { 'cache-control': 'no-store' })
}

function unknownClient(): Answer {
  return refuse(
    401,
    'invalid_client',
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  )
}

function missing(name: string): Answer {
  return refuse(400, 'invalid_request', `Missing required parameter: ${name}.`)
}

function refuse(status: number, error: string, description: string): Answer {
  return json({ error, error_description: description }, status)
}

import { timingSafeEqual } from 'node:crypto'
import { json } from '../http/answers.ts'
import { readFields } from '../http/fields.ts'
import type { Answer, Route } from '../http/route.ts'
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts'
import type { JiraState } from './state.ts'
import { accessTokenLifetime, type TokenFamilies, type TokenPair } from './token-families.ts'

/** Holds the state of the token endpoint. */
export interface TokenRoutesOptions {
  readonly jira: JiraState
  readonly codes: AuthorizationCodes<readonly string[]>
  readonly tokens: TokenFamilies
}

type Fields = ReadonlyMap<string, string>

/**
 * Creates the token endpoint of Atlassian's OAuth 2.0 (3LO). Atlassian has no endpoint to revoke a token.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 */
export function tokenRoutes(options: TokenRoutesOptions): Route[] {
  return [
    {
      method: 'POST',
      path: '/oauth/token',
      handle: (request) => {
        const fields = readFields(request)
        if (!isApp(options.jira, fields)) return refuse(401, 'access_denied', 'Unauthorized')
        const grantType = fields.get('grant_type') ?? ''
        if (grantType === 'authorization_code') return exchangeCode(options, fields)
        if (grantType === 'refresh_token') return refresh(options, fields)
        return refuse(403, 'unsupported_grant_type', `Unsupported grant type: ${grantType}`)
      },
    },
  ]
}

function isApp({ app }: JiraState, fields: Fields): boolean {
  const sentSecret = Buffer.from(fields.get('client_secret') ?? '')
  const appSecret = Buffer.from(app.clientSecret)
  return (
    fields.get('client_id') === app.clientId &&
    sentSecret.length === appSecret.length &&
    timingSafeEqual(sentSecret, appSecret)
  )
}

function exchangeCode({ jira, codes, tokens }: TokenRoutesOptions, fields: Fields): Answer {
  const code = fields.get('code')
  const redirectUri = fields.get('redirect_uri')
  if (code === undefined) return missing('code')
  if (redirectUri === undefined) return missing('redirect_uri')
  const codeVerifier = fields.get('code_verifier')
  const redeemed = codes.redeem({ code, clientId: jira.app.clientId, redirectUri, codeVerifier })
  switch (redeemed.outcome) {
    case 'redeemed':
      return answerPair(tokens.start(redeemed.subject))
    case 'wrong_verifier':
      return refuse(403, 'invalid_grant', 'Failed to verify code verifier')
    case 'unknown':
    case 'other_client':
    case 'other_redirect_uri':
      return refuse(403, 'invalid_grant', 'Invalid authorization code')
  }
}

function refresh({ tokens }: TokenRoutesOptions, fields: Fields): Answer {
  const refreshToken = fields.get('refresh_token')
  if (refreshToken === undefined) return missing('refresh_token')
  const pair = tokens.refresh(refreshToken)
  return pair === undefined
    ? refuse(403, 'invalid_grant', 'Unknown or invalid refresh token.')
    : answerPair(pair)
}

function answerPair({ accessToken, refreshToken, scopes }: TokenPair): Answer {
  const body = {
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    expires_in: accessTokenLifetime,
    token_type: 'Bearer',
    scope: scopes.join(' '),
  }
  return json(body, 200, { 'cache-control': 'no-store' })
}

function missing(name: string): Answer {
  return refuse(400, 'invalid_request', `Missing required parameter: ${name}`)
}

function refuse(status: number, error: string, description: string): Answer {
  return json({ error, error_description: description }, status)
}

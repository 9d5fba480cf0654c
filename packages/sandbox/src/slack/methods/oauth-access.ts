import type { OauthV2AccessResponse } from '@slack/web-api'
import { fieldOf, refuse, type Consented, type SlackBody, type SlackParts } from '../method.ts'
import { visitor, type SlackApp, type SlackState } from '../state.ts'
import { lifetimeSeconds, type IssuedToken } from '../tokens.ts'
import type { Redeemed } from '../../oauth/authorization-codes.ts'

/** Describes a call of `oauth.v2.access`, which needs no token. */
export interface OauthCall extends SlackParts {
  readonly fields: ReadonlyMap<string, string>
  /** Holds the credentials of `Authorization: Basic`, which Slack prefers to the form. */
  readonly basic: readonly [id: string, secret: string] | undefined
}

/** Exchanges a code, or a refresh token, for tokens (docs.slack.dev, oauth.v2.access). */
export function accessOauth(call: OauthCall): SlackBody {
  const { clientId, wrong } = readClient(call)
  if (wrong !== undefined) return refuse(wrong)
  switch (fieldOf(call, 'grant_type') ?? 'authorization_code') {
    case 'authorization_code':
      return exchangeCode(call, clientId)
    case 'refresh_token':
      return refreshToken(call)
    default:
      return refuse('invalid_grant_type')
  }
}

function readClient(call: OauthCall) {
  const { app, settings } = call.state
  const [clientId, secret] = call.basic ?? [
    fieldOf(call, 'client_id') ?? '',
    fieldOf(call, 'client_secret'),
  ]
  // An app with PKCE is a public client: the verifier replaces the secret.
  const isPublic = settings.pkce && secret === undefined && call.fields.has('code_verifier')
  const wrong = clientError(app, { id: clientId, secret: isPublic ? app.clientSecret : secret })
  return { clientId, wrong }
}

/** Returns Slack's error for a client without valid credentials. `undefined`: they are valid. */
export function clientError(
  app: SlackApp,
  client: { readonly id: string | undefined; readonly secret: string | undefined },
): 'invalid_client_id' | 'bad_client_secret' | undefined {
  if (client.id !== app.clientId) return 'invalid_client_id'
  return client.secret === app.clientSecret ? undefined : 'bad_client_secret'
}

const errorOf = {
  unknown: 'invalid_code',
  other_client: 'invalid_code',
  other_redirect_uri: 'bad_redirect_uri',
  wrong_verifier: 'invalid_code_verifier',
} as const satisfies Record<Exclude<Redeemed<Consented>['outcome'], 'redeemed'>, string>

function exchangeCode(call: OauthCall, clientId: string): SlackBody {
  const codeVerifier = fieldOf(call, 'code_verifier')
  if (codeVerifier !== undefined && !call.state.settings.pkce) return refuse('pkce_not_allowed')
  const redirectUri = fieldOf(call, 'redirect_uri')
  const code = fieldOf(call, 'code') ?? ''
  const redeemed = call.codes.redeem({ code, clientId, redirectUri, codeVerifier })
  if (redeemed.outcome !== 'redeemed') return refuse(errorOf[redeemed.outcome])
  const { scopes, userScopes, sentRedirectUri } = redeemed.subject
  if (sentRedirectUri && redirectUri === undefined) return refuse('bad_redirect_uri')
  const user = userScopes.length > 0 && tokenFields(call.tokens.issue(visitor, userScopes))
  return {
    ok: true,
    ...installation(call.state),
    ...(scopes.length > 0 && tokenFields(call.tokens.issue(call.state.bot, scopes))),
    authed_user: { id: visitor.id, ...user },
  } satisfies AccessResponse
}

function refreshToken({ state, tokens, fields }: OauthCall): SlackBody {
  const issued = tokens.refresh(fieldOf({ fields }, 'refresh_token') ?? '')
  if (issued === undefined) return refuse('invalid_refresh_token')
  return { ok: true, ...installation(state), ...tokenFields(issued) } satisfies AccessResponse
}

/** Adds `null` for a workspace without an enterprise, which Slack sends and the official type lacks. */
type AccessResponse = Omit<OauthV2AccessResponse, 'enterprise'> & { readonly enterprise: null }

function installation({ app, team }: SlackState) {
  return {
    app_id: app.id,
    team: { id: team.id, name: team.name },
    enterprise: null,
    is_enterprise_install: false,
  }
}

function tokenFields({ token, refreshToken }: IssuedToken) {
  const isBot = token.user.botId !== undefined
  return {
    access_token: token.value,
    token_type: isBot ? 'bot' : 'user',
    scope: [...token.scopes].join(','),
    ...(isBot && { bot_user_id: token.user.id }),
    ...(refreshToken !== undefined && {
      expires_in: lifetimeSeconds,
      refresh_token: refreshToken,
    }),
  }
}

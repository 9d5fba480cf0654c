import type { OauthV2AccessResponse } from '@slack/web-api'
import {
  fieldOf,
  refuse,
  type ProtectedChange,
  type SlackBody,
  type SlackParts,
} from '../method.ts'
import { visitor, type SlackState } from '../state.ts'
import { lifetimeSeconds, type IssuedToken } from '../tokens.ts'
import {
  answerTokenRequest,
  identifyClient,
  type TokenRejection,
} from '../../../../../../sandbox/src/oauth/answer-token-request.ts'

/** Describes a call of `oauth.v2.access`, which needs no token. */
export interface OauthCall extends SlackParts {
  readonly fields: ReadonlyMap<string, string>
  /** Holds the credentials of `Authorization: Basic`, which Slack prefers to the form. */
  readonly basic: readonly [id: string, secret: string] | undefined
}

const rejections: Readonly<Record<TokenRejection, string>> = {
  unknown_client: 'invalid_client_id',
  wrong_secret: 'bad_client_secret',
  grant_type: 'invalid_grant_type',
  missing: 'invalid_arguments',
  refresh_token: 'invalid_refresh_token',
  unknown: 'invalid_code',
  other_client: 'invalid_code',
  other_redirect_uri: 'bad_redirect_uri',
  wrong_verifier: 'invalid_code_verifier',
}

/** Exchanges a code, or a refresh token, for tokens (docs.slack.dev, oauth.v2.access). */
export function accessOauth(call: OauthCall): SlackBody {
  const { state, tokens, codes } = call
  const { pkce } = state.settings
  if (!pkce && fieldOf(call, 'code_verifier') !== undefined) return refuse('pkce_not_allowed')
  return answerTokenRequest<ProtectedChange, SlackBody>(
    {
      codes,
      defaultGrantType: 'authorization_code',
      secretOf: secretsOf(state),
      // An app with PKCE is a public client: the verifier replaces the secret.
      isPublic: (read) => pkce && read('code_verifier') !== '',
      issue: (consented, read) => issue(call, consented, read('redirect_uri')),
      refresh(refreshToken) {
        const issued = tokens.refresh(refreshToken)
        return (
          issued &&
          ({ ok: true, ...installation(state), ...tokenFields(issued) } satisfies AccessResponse)
        )
      },
      refuse: (rejection) => refuse(rejections[rejection]),
    },
    call,
  )
}

/** Returns Slack's error for a client without valid credentials. `undefined`: they are valid. */
export function clientError({ state, fields }: Pick<OauthCall, 'state' | 'fields'>) {
  const client = identifyClient({ secretOf: secretsOf(state) }, { fields, basic: undefined })
  return client.rejection && rejections[client.rejection]
}

function secretsOf({ app }: SlackState) {
  return (clientId: string) => (clientId === app.clientId ? app.clientSecret : undefined)
}

function issue(
  { state, tokens }: OauthCall,
  { scopes, userScopes, sentRedirectUri }: ProtectedChange,
  redirectUri: string,
): SlackBody {
  if (sentRedirectUri && redirectUri === '') return refuse('bad_redirect_uri')
  const user = userScopes.length > 0 && tokenFields(tokens.issue(visitor, userScopes))
  return {
    ok: true,
    ...installation(state),
    ...(scopes.length > 0 && tokenFields(tokens.issue(state.bot, scopes))),
    authed_user: { id: visitor.id, ...user },
  } satisfies AccessResponse
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

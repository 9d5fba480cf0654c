import type { Egress } from '../../egress/create-egress.ts'
import type { AuthorizationRequest, AuthorizationResponse, Grant } from '../grant.ts'
import { createTokenEndpoint, type TokenAnswer } from '../token-endpoint.ts'
import { historyScopes } from './find-message.ts'

/** Holds the OAuth client at Slack. */
export interface SlackApp {
  readonly clientId: string
  readonly clientSecret: string
}

/** Describes the Slack that grants access. */
export interface SlackOAuthOptions {
  /** Example: `https://slack.com`. */
  readonly webUrl: string
  /** Example: `https://slack.com/api`. */
  readonly apiUrl: string
  readonly app: SlackApp
  readonly egress: Pick<Egress, 'fetch'>
  readonly now: () => Date
}

/** Lists the scopes that listing channels and posting into public and joined ones takes. */
export const slackScopes = [
  'chat:write',
  'chat:write.public',
  'channels:read',
  'channels:join',
  'groups:read',
] as const

/** Holds a grant with the workspace that it is of. */
export interface SlackGrant extends Grant {
  readonly team: { readonly id: string; readonly name: string }
  readonly botUserId: string
  readonly appId: string
}

/** Describes Slack's OAuth v2, with and without token rotation. @see https://docs.slack.dev/authentication/installing-with-oauth */
export interface SlackOAuth {
  authorizeUrl(request: AuthorizationRequest): string
  /** @throws {ProviderError} */
  exchange(response: AuthorizationResponse): Promise<SlackGrant>
  /**
   * Only where the app rotates its tokens. The old pair is dead at once.
   *
   * @throws {ProviderError} `rejected` when it was used before or revoked.
   */
  refresh(refreshToken: string): Promise<Grant>
}

/** Creates the OAuth client of Slack. */
export function createSlackOAuth(options: SlackOAuthOptions): SlackOAuth {
  const { webUrl, apiUrl, app, egress, now } = options
  const endpoint = createTokenEndpoint({
    provider: 'slack',
    url: `${apiUrl}/oauth.v2.access`,
    ...app,
    egress,
    now,
    clientAuthentication: 'basic',
    tokenTypes: ['bot'],
    toStandard,
  })
  const toGrant = (answer: TokenAnswer & { readonly access_token: string }): Grant => ({
    accessToken: answer.access_token,
    accessExpiresAt: afterSeconds(now(), answer['expires_in']),
    refreshToken: typeof answer['refresh_token'] === 'string' ? answer['refresh_token'] : null,
    refreshExpiresAt: null,
    scopes: textOf(answer['scope'])
      .split(',')
      .filter((scope) => scope !== ''),
  })
  return {
    authorizeUrl({ state, redirectUri, level }) {
      const url = new URL(`${webUrl}/oauth/v2/authorize`)
      url.search = new URLSearchParams({
        client_id: app.clientId,
        scope: [...slackScopes, ...(level === 'full' ? historyScopes : [])].join(','),
        redirect_uri: redirectUri,
        state,
      }).toString()
      return url.href
    },
    async exchange(response) {
      const answer = await endpoint.exchange(response)
      const team: TokenAnswer = Object.fromEntries(Object.entries(Object(answer['team'])))
      return {
        ...toGrant(answer),
        team: { id: textOf(team['id']), name: textOf(team['name']) },
        botUserId: textOf(answer['bot_user_id']),
        appId: textOf(answer['app_id']),
      }
    },
    refresh: async (refreshToken) => toGrant(await endpoint.refresh(refreshToken)),
  }
}

/** Slack refuses with status 200 and `ok: false`. */
function toStandard({ ok, error, ...answer }: TokenAnswer): TokenAnswer {
  if (ok === true) return answer
  return { error: typeof error === 'string' ? error : 'unknown_error' }
}

function afterSeconds(now: Date, seconds: unknown): Date | null {
  return typeof seconds === 'number' ? new Date(now.getTime() + seconds * 1000) : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

import { z } from 'zod'
import type { ProviderCall } from '../call-provider.ts'
import type { Grant } from '../grant.ts'
import { ProviderError } from '../provider-error.ts'
import type { OAuthConnector } from '../connector.ts'
import { createOAuthClient, type OAuthConnectorOptions } from '../oauth-client.ts'
import type { TokenAnswer } from '../token-endpoint.ts'
import { historyScopes } from './find-message.ts'
import { revokeSlackToken } from './revoke.ts'

export interface SlackConnectorOptions extends OAuthConnectorOptions {
  /** Example: `https://slack.com/api`. */
  readonly apiUrl: string
}

/** Lists the scopes that listing channels and posting into public and joined ones takes. */
export const slackScopes = [
  'chat:write',
  'chat:write.public',
  'channels:read',
  'channels:join',
  'groups:read',
] as const

const installed = z.object({
  team: z
    .object({ id: z.string().catch(''), name: z.string().catch('') })
    .catch({ id: '', name: '' }),
  bot_user_id: z.string().catch(''),
  app_id: z.string().catch(''),
})

/**
 * Creates what connects organizations with Slack, by OAuth v2 with and without token rotation.
 *
 * @see https://docs.slack.dev/authentication/installing-with-oauth
 */
export function createSlackConnector(options: SlackConnectorOptions): OAuthConnector {
  const { webUrl, apiUrl, app, egress, now } = options
  const call: ProviderCall = { provider: 'slack', egress, now }
  const { authorizeUrl, exchange, refresh } = createOAuthClient({
    provider: 'slack',
    url: `${apiUrl}/oauth.v2.access`,
    ...app,
    egress,
    now,
    clientAuthentication: 'basic',
    tokenTypes: ['bot'],
    toStandard,
    authorizeAt: `${webUrl}/oauth/v2/authorize`,
    toParameters: (level) => ({
      scope: [...slackScopes, ...(level === 'full' ? historyScopes : [])].join(','),
    }),
  })
  return {
    provider: 'slack',
    usesPkce: false,
    authorizeUrl,
    async connect(response) {
      const { grant, answer } = await exchange(response)
      const { team, bot_user_id: botUserId, app_id: appId } = installed.parse(answer)
      const account = { ...team, url: null }
      return {
        account,
        choices: [account],
        grant,
        scopes: grant.scopes,
        reconnectBefore: null,
        settings: { botUserId, appId },
      }
    },
    refresh,
    // With rotation, the former refresh token is dead as soon as it was used.
    refreshLoss: { replayMs: 0, invalidGrantIsFinal: true },
    async revoke({ grant }) {
      if (grant === null) return
      const end = await revokeSlackToken(call, apiUrl, grant.accessToken)
      // A token that has expired says nothing of its refresh token, which is good until it is used or revoked.
      if (end !== 'token_expired' || grant.refreshToken === null) return
      const fresh = await renewUnlessEnded(refresh(grant.refreshToken))
      if (fresh !== undefined) await revokeSlackToken(call, apiUrl, fresh.accessToken)
    },
    manageUrl: null,
    wantedScopes: {
      'chat:write': 'Signalbox can’t send messages.',
      'chat:write.public': 'Signalbox can only post in channels that its bot has joined.',
      'channels:read': 'Signalbox can’t list public channels.',
      'channels:join': 'The bot can’t join public channels on its own.',
      'groups:read': 'Signalbox can’t list private channels.',
    },
  }
}

/** Slack refuses with status 200 and `ok: false`. */
function toStandard({ ok, error, ...answer }: TokenAnswer): TokenAnswer {
  if (ok === true) return answer
  return { error: typeof error === 'string' ? error : 'unknown_error' }
}

/** Returns the renewed grant; `undefined` where its refresh token has ended as well. */
async function renewUnlessEnded(renewal: Promise<Grant>): Promise<Grant | undefined> {
  try {
    return await renewal
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'rejected') return undefined
    throw error
  }
}

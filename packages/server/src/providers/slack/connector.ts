import type { Egress } from '../../egress/create-egress.ts'
import type { ProviderCall } from '../call-provider.ts'
import type { Grant } from '../grant.ts'
import { ProviderError } from '../provider-error.ts'
import { createSlackOAuth, type SlackApp } from './oauth.ts'
import { revokeSlackToken } from './revoke.ts'
import type { OAuthConnector } from '../connector.ts'

/** Describes the Slack that organizations connect with. */
export interface SlackConnectorOptions {
  /** Example: `https://slack.com`. */
  readonly webUrl: string
  /** Example: `https://slack.com/api`. */
  readonly apiUrl: string
  readonly app: SlackApp
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly now: () => Date
}

/** Creates what connects organizations with Slack. */
export function createSlackConnector(options: SlackConnectorOptions): OAuthConnector {
  const { apiUrl, egress, now } = options
  const call: ProviderCall = { provider: 'slack', egress, now }
  const oauth = createSlackOAuth(options)
  return {
    provider: 'slack',
    usesPkce: false,
    authorizeUrl: (request) => oauth.authorizeUrl(request),
    async connect(response) {
      const { team, botUserId, appId, ...grant } = await oauth.exchange(response)
      const account = { id: team.id, name: team.name, url: null }
      return {
        account,
        choices: [account],
        grant,
        scopes: grant.scopes,
        reconnectBefore: null,
        settings: { botUserId, appId },
      }
    },
    refresh: (refreshToken) => oauth.refresh(refreshToken),
    // With rotation, the former refresh token is dead as soon as it was used.
    refreshLoss: { replayMs: 0, invalidGrantIsFinal: true },
    async revoke({ grant }) {
      if (grant === null) return
      const end = await revokeSlackToken(call, apiUrl, grant.accessToken)
      // A token that has expired says nothing of its refresh token, which is good until it is used or revoked.
      if (end !== 'token_expired' || grant.refreshToken === null) return
      const fresh = await renewUnlessEnded(oauth.refresh(grant.refreshToken))
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

/** Returns the renewed grant; `undefined` where its refresh token has ended as well. */
async function renewUnlessEnded(renewal: Promise<Grant>): Promise<Grant | undefined> {
  try {
    return await renewal
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'rejected') return undefined
    throw error
  }
}

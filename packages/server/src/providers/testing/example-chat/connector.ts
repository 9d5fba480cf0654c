import { z } from 'zod'
import type { Egress } from '../../../egress/create-egress.ts'
import type { OAuthConnector } from '../../connector.ts'
import { createTokenEndpoint } from '../../token-endpoint.ts'

const granted = z.object({
  access_token: z.string(),
  workspace: z.object({ id: z.string(), name: z.string() }),
})

/** Connects organizations with Example Chat: plain OAuth 2.0 with a code challenge, and tokens that do not end. */
export function createExampleConnector({
  base,
  client,
  egress,
  now,
}: {
  readonly base: string
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  readonly egress: Pick<Egress, 'fetch'>
  readonly now: () => Date
}): OAuthConnector {
  const provider = 'example-chat'
  const endpoint = createTokenEndpoint({ provider, url: `${base}/token`, ...client, egress, now })
  return {
    provider,
    usesPkce: true,
    authorizeUrl({ state, redirectUri, codeChallenge = '' }) {
      const query = new URLSearchParams({
        client_id: client.clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      })
      return `${base}/authorize?${query}`
    },
    async connect(response) {
      const { access_token: accessToken, workspace } = granted.parse(
        await endpoint.exchange(response),
      )
      const account = { ...workspace, url: null }
      const scopes = ['messages', 'channels']
      const grant = {
        accessToken,
        accessExpiresAt: null,
        refreshToken: null,
        refreshExpiresAt: null,
        scopes,
      }
      return {
        account,
        choices: [account],
        grant,
        scopes,
        reconnectBefore: null,
        settings: {},
      }
    },
    refresh: undefined,
    revoke: undefined,
    manageUrl: `${base}/apps`,
    wantedScopes: {
      messages: 'Signalbox can’t send messages.',
      channels: 'Channels cannot be listed.',
    },
  }
}

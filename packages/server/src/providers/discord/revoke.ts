import type { Egress } from '../../egress/create-egress.ts'
import { apiVersion, userAgent } from './api-call.ts'

/** Names whose token is revoked, and where. */
export interface RevokeOptions {
  readonly egress: Pick<Egress, 'fetch'>
  /** Example: `https://discord.com/api`. */
  readonly apiUrl: string
  readonly client: { readonly clientId: string; readonly clientSecret: string }
}

/**
 * Ends the token of the person who connected: it has proven the server, and nothing else needs it. The bot stays. A token that could
 * not be revoked is forgotten here, and ends by itself within a week.
 *
 * @see https://docs.discord.com/developers/topics/oauth2#authorization-code-grant
 */
export async function revokePersonalToken(
  { egress, apiUrl, client: { clientId, clientSecret } }: RevokeOptions,
  token: string,
): Promise<void> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  try {
    const answer = await egress.fetch(`${apiUrl}/${apiVersion}/oauth2/token/revoke`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': userAgent,
      },
      body: new URLSearchParams({ token }).toString(),
    })
    await answer.arrayBuffer()
  } catch {
    // It is not kept, and nothing can be done about it here.
  }
}

import { oauthScopes } from '@signalbox/contract'
import { newToken } from '../../../../crypto/tokens.ts'
import type { Tx } from '../../../../store/store.ts'
import { hashToken } from '../../../../crypto/tokens.ts'
import { recordAgentSecret, type RemoteAgentToken } from './rows.ts'

/** Limits how long an access token of a remote assistant works. */
const agentAccessSeconds = 15 * 60

/** Describes the answer of RFC 6749 §5.1 to an assistant. */
export interface AgentTokens {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** In seconds. */
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** Creates an access token, and stores hashes of it and of the refresh token. Neither outlives the agent token. */
export async function issueAgentTokens(
  tx: Tx,
  token: Pick<RemoteAgentToken, 'orgId' | 'id' | 'scope' | 'expiresAt'>,
  { refreshToken, now }: { readonly refreshToken: string; readonly now: Date },
): Promise<AgentTokens> {
  const { orgId, id: agentTokenId, scope, expiresAt } = token
  const access = newToken('agt')
  const seconds = Math.min(agentAccessSeconds, (expiresAt.getTime() - now.getTime()) / 1000)
  await recordAgentSecret(tx, {
    hash: access.hash,
    orgId,
    agentTokenId,
    kind: 'access',
    expiresAt: new Date(now.getTime() + seconds * 1000),
  })
  const hash = hashToken(refreshToken)
  await recordAgentSecret(tx, { hash, orgId, agentTokenId, kind: 'refresh', expiresAt })
  return {
    access_token: access.token,
    token_type: 'Bearer',
    expires_in: Math.floor(seconds),
    refresh_token: refreshToken,
    scope: oauthScopes[scope],
  }
}

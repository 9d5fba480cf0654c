import type { AuditRequest } from '../../../../audit/audit-event.ts'
import { hashOpaqueToken } from '../../../../crypto/opaque-tokens.ts'
import { sign } from '../../../../crypto/sign.ts'
import { hashToken } from '../../../../crypto/tokens.ts'
import type { Tx } from '../../../../store/store.ts'
import type { OAuthError } from '../../../access-tokens/oauth-parameters.ts'
import { toolsAddress } from './authorization-request.ts'
import { endReused } from './end-reused.ts'
import { issueAgentTokens, type AgentTokens } from './issue-tokens.ts'
import type { AgentOAuthDeps } from './oauth-deps.ts'
import { wrongTarget } from './redeem-code.ts'
import {
  findRefreshToken,
  findSecretOwner,
  lockRemoteAgentToken,
  markRefreshTokenUsed,
} from './rows.ts'

/** Describes a request for the next tokens (RFC 6749 §6). */
export interface RefreshRequest {
  readonly grant: 'refresh_token'
  readonly clientId: string
  readonly refreshToken: string
  readonly resource: string | undefined
}

/** Lets an assistant repeat a request whose answer was lost, or that two of its calls sent at once. */
const repeatMs = 10_000

type RefreshDeps = Pick<AgentOAuthDeps, 'store' | 'signInKey' | 'publicUrl' | 'now'>

/**
 * Exchanges a refresh token for the next one and an access token. A refresh token that is used again ends the agent token: it is
 * in two hands (RFC 9700 §4.14). A repeat within ten seconds gets the same next token, until that is used, so there is never a second
 * line of tokens.
 */
export async function refreshTokens(
  { store, signInKey, publicUrl, now }: RefreshDeps,
  { clientId, refreshToken, resource }: RefreshRequest,
  request: AuditRequest,
): Promise<AgentTokens | OAuthError> {
  const hash = hashOpaqueToken(refreshToken)
  if (hash === undefined) return unknownToken
  if (resource !== undefined && resource !== toolsAddress(publicUrl())) {
    return wrongTarget(publicUrl())
  }
  const owner = await store.maintenance((tx) => findSecretOwner(tx, hash))
  if (owner === undefined) return unknownToken
  const { orgId, userId, agentTokenId } = owner
  return store.transaction({ orgId, userId }, async (tx) => {
    const token = await lockRemoteAgentToken(tx, orgId, agentTokenId)
    const secret = await findRefreshToken(tx, hash)
    if (token === undefined || secret === undefined) return unknownToken
    if (token.clientId !== clientId) return unknownToken
    const moment = now()
    if (token.endedAt !== null || token.expiresAt <= moment) return endedToken
    // Follows from this token and a key of the server: a repeat finds the same one, and nobody else can compute it.
    const next = sign(signInKey, `agent-refresh|${refreshToken}`)
    if (secret.usedAt === null) await markRefreshTokenUsed(tx, hash, moment)
    else if (!(await isRepeat(tx, { usedAt: secret.usedAt, next, now: moment }))) {
      const reused = { orgId, agentTokenId, secret: 'refresh token', now: moment, request } as const
      await endReused(tx, reused)
      return endedToken
    }
    return issueAgentTokens(tx, token, { refreshToken: next, now: moment })
  })
}

async function isRepeat(
  tx: Tx,
  { usedAt, next, now }: { readonly usedAt: Date; readonly next: string; readonly now: Date },
): Promise<boolean> {
  if (now.getTime() - usedAt.getTime() > repeatMs) return false
  const following = await findRefreshToken(tx, hashToken(next))
  return following?.usedAt === null
}

const unknownToken: OAuthError = {
  error: 'invalid_grant',
  description: 'The refresh_token is not valid. Connect the assistant again.',
}
const endedToken: OAuthError = {
  error: 'invalid_grant',
  description: 'The access of the assistant has ended. Connect it again.',
}

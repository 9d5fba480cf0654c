import type { AuditRequest } from '../../../../audit/audit-event.ts'
import { hashToken } from '../../../../crypto/tokens.ts'
import { findUserName } from '../../../user-rows.ts'
import { endToken } from '../agent-tokens.ts'
import type { AgentOAuthDeps } from './oauth-deps.ts'
import { findSecretOwner, lockRemoteAgentToken } from './rows.ts'

/**
 * Ends the agent token whose access token or refresh token this is (RFC 7009). One that is unknown, of another client, or has
 * ended needs nothing.
 */
export async function revokeAgent(
  { store, now }: Pick<AgentOAuthDeps, 'store' | 'now'>,
  {
    token: secret,
    clientId,
    request,
  }: { readonly token: string; readonly clientId: string; readonly request: AuditRequest },
): Promise<void> {
  const owner = await store.maintenance((tx) => findSecretOwner(tx, hashToken(secret)))
  if (owner === undefined) return
  const { orgId, userId, agentTokenId: id } = owner
  await store.transaction({ orgId, userId }, async (tx) => {
    const token = await lockRemoteAgentToken(tx, orgId, id)
    if (token?.clientId !== clientId) return
    const name = `${await findUserName(tx, userId)}, through ${new URL(clientId).host}`
    const event = { actor: { type: 'user', id: userId, name }, request } as const
    await endToken(tx, { orgId, userId, id, endedAt: now() }, event)
  })
}

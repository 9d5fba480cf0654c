import { systemAuthor, type AuditRequest } from '../../../../audit/audit-event.ts'
import type { Tx } from '../../../../store/store.ts'
import { endToken } from '../agent-tokens.ts'

/** Ends the agent token of an assistant, one of whose secrets was used a second time. One that has ended stays as it is. */
export async function endReused(
  tx: Tx,
  {
    orgId,
    agentTokenId: id,
    secret,
    now,
    request,
  }: {
    readonly orgId: string
    readonly agentTokenId: string
    /** Names what was used again. */
    readonly secret: 'code' | 'refresh token'
    readonly now: Date
    readonly request: AuditRequest
  },
): Promise<void> {
  const action = 'agent_token.reuse_detected'
  const event = { actor: systemAuthor, action, detail: { secret }, request } as const
  await endToken(tx, { orgId, userId: null, id, endedAt: now }, event)
}

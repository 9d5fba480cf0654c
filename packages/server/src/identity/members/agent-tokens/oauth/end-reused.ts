import { systemAuthor, type AuditRequest } from '../../../../audit/audit-event.ts'
import { recordAuditEvent } from '../../../../audit/record-event.ts'
import type { Tx } from '../../../../store/store.ts'
import { markAgentTokenEnded } from '../rows.ts'

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
  const ended = await markAgentTokenEnded(tx, { orgId, userId: null, id, endedAt: now })
  if (ended === undefined) return
  recordAuditEvent(tx, {
    orgId,
    actor: systemAuthor,
    action: 'agent_token.reuse_detected',
    target: { type: 'agent_token', id, name: ended.name },
    detail: { userId: ended.userId, secret },
    request,
  })
}

import type { Role } from '@signalbox/contract'
import { toAuthor } from '../../../audit/author.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { Store } from '../../../store/store.ts'
import type { Caller } from '../../caller.ts'
import { markAgentTokenEnded } from './rows.ts'
import { membersShownTo } from './members-shown-to.ts'

export interface EndAgentToken {
  readonly orgId: string
  readonly tokenId: string
  readonly caller: Caller
  readonly role: Role | undefined
}

/**
 * Ends a token, on every node at once: each request looks it up in the database. An admin ends those of any member.
 *
 * @throws {Problem} `not_found` for a token that has ended, is absent or someone else's.
 */
export async function endAgentToken(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  { orgId, tokenId, caller, role }: EndAgentToken,
): Promise<void> {
  const userId = membersShownTo(caller.actor, role)
  await store.transaction(caller.scope, async (tx) => {
    const ended = await markAgentTokenEnded(tx, { orgId, userId, id: tokenId, endedAt: now() })
    if (ended === undefined) throw notFound()
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(caller.actor),
      action: 'agent_token.ended',
      target: { type: 'agent_token', id: tokenId, name: ended.name },
      detail: { userId: ended.userId },
      request: caller.request,
    })
  })
}

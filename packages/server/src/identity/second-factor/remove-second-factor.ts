import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { requireSession } from '../sessions/require-session.ts'
import { deleteConfirmedFactor } from './rows.ts'

/**
 * Turns off the caller's second factor, with its recovery codes.
 *
 * @throws {Problem} `not_found` when none is on; `session_required`
 */
export async function removeSecondFactor(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { caller }: { readonly caller: Caller },
): Promise<void> {
  const actor = requireSession(caller.actor)
  const { userId, name } = actor
  await store.transaction({ orgId: serverChain, userId }, async (tx) => {
    if (!(await deleteConfirmedFactor(tx, userId))) throw notFound()
    // An organization may require one, and ends the streams of this person.
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'second_factor.disabled',
      target: { type: 'user', id: userId, name },
      request: caller.request,
    })
  })
}

import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { requirePerson } from '../personal-tokens/require-person.ts'
import { updateUserName, type UserRow } from '../user-rows.ts'

/** Changes the caller's name. Past audit events keep the former name. */
export async function renameUser(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { name, caller }: { readonly name: string; readonly caller: Caller },
): Promise<Pick<UserRow, 'id' | 'name' | 'email'>> {
  const actor = requirePerson(caller.actor)
  const { userId: id, email } = actor
  if (name === actor.name) return { id, name, email }
  return store.transaction({ orgId: serverChain, userId: id }, async (tx) => {
    await updateUserName(tx, id, name)
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'user.renamed',
      target: { type: 'user', id, name },
      request: caller.request,
    })
    return { id, name, email }
  })
}

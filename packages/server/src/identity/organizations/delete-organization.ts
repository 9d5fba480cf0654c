import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import type { PublishChange } from '../publish-change.ts'
import { markOrganizationDeleted } from './rows.ts'

export interface DeleteOrganizationDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly publish: PublishChange
  readonly now: () => Date
}

/**
 * Ends all access to an organization with the answer: people, keys and access tokens. Its data lies unreachable for
 * seven days, so that a mistake can be undone in the database, and is destroyed then.
 *
 * @throws {Problem} `not_found`
 */
export async function deleteOrganization(
  { store, publish, now }: DeleteOrganizationDeps,
  { orgId, caller }: { readonly orgId: string; readonly caller: Caller },
): Promise<void> {
  const { actor, scope, request } = caller
  await store.transaction(scope, async (tx) => {
    const name = await markOrganizationDeleted(tx, orgId, now())
    if (name === undefined) throw notFound()
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'org.deleted',
      target: { type: 'organization', id: orgId, name },
      request,
    })
  })
  await publish()
}

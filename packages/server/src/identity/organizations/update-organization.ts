import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { errorCodeOf } from '../../store/error-code.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import type { PublishChange } from '../publish-change.ts'
import { slugReserved, slugTaken } from './create-organization.ts'
import { isReservedSlug } from './slug.ts'
import { updateOrganizationRow, findOrganization, type OrganizationRow } from './rows.ts'

export interface UpdateOrganization {
  readonly orgId: string
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly caller: Caller
}

const uniqueViolation = '23505'

/**
 * Renames an organization. The old slug is free at once. Without a field nothing happens.
 *
 * @throws {Problem} `already_exists`, `not_found`
 */
export async function updateOrganization(
  {
    store,
    publish,
  }: { readonly store: Pick<Store, 'transaction'>; readonly publish: PublishChange },
  { orgId, caller, ...fields }: UpdateOrganization,
): Promise<OrganizationRow> {
  const { actor, scope, request } = caller
  if (fields.slug !== undefined && isReservedSlug(fields.slug)) throw slugReserved()
  const changed = Object.entries(fields).filter(([, value]) => value !== undefined)
  const updated = await store
    .transaction(scope, async (tx) => {
      if (changed.length === 0) return findOrganization(tx, orgId)
      const organization = await updateOrganizationRow(tx, orgId, fields)
      if (organization === undefined) return undefined
      recordAuditEvent(tx, {
        orgId,
        actor: toAuthor(actor),
        action: 'org.updated',
        target: { type: 'organization', id: orgId, name: organization.name },
        detail: { fields: changed.map(([name]) => name) },
        request,
      })
      return organization
    })
    .catch((error: unknown) => {
      throw errorCodeOf(error) === uniqueViolation ? slugTaken(error) : error
    })
  if (updated === undefined) throw notFound()
  await publish()
  return updated
}

import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Caller } from '../caller.ts'
import { requireRestrictions, type ApiKey, type KeyRestrictions } from './api-key.ts'
import type { ApiKeyDeps } from './create-api-key.ts'
import { findApiKey, lockApiKey, updateApiKeyRow } from './rows.ts'
import { describeServiceAccounts } from './service-accounts/service-account.ts'
import { toStoredRestrictions } from './stored-restrictions.ts'

/** Describes the input of `updateApiKey`. */
export interface UpdateApiKey extends KeyRestrictions {
  readonly orgId: string
  readonly keyId: string
  readonly name?: string | undefined
  readonly caller: Caller
}

/**
 * Renames a key or changes what it is restricted to; `null` takes a restriction away. What is left out stays.
 * A key that is revoked stays revoked.
 *
 * @throws {Problem} `not_found`, `validation_failed`
 */
export async function updateApiKey(
  { store, configs, publish, now }: ApiKeyDeps,
  { orgId, keyId, name, caller, ...restrictions }: UpdateApiKey,
): Promise<ApiKey> {
  const { actor, scope, request } = caller
  const updated = await store.transaction(scope, async (tx) => {
    await lockApiKey(tx, orgId, keyId)
    const key = await findApiKey(tx, orgId, keyId)
    if (key === undefined) throw notFound()
    requireRestrictions(key.kind, restrictions, now())
    const fields = {
      name,
      ...(await toStoredRestrictions(tx, configs, { orgId, ...restrictions })),
    }
    const changed = Object.entries(fields).filter(([, value]) => value !== undefined)
    if (changed.length === 0) return key
    await updateApiKeyRow(tx, { orgId, keyId }, fields)
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'key.updated',
      target: { type: 'api_key', id: keyId, name: name ?? key.name },
      detail: {
        fields: changed.map(([field]) => field),
        ...(fields.serviceAccounts !== undefined && {
          serviceAccounts: describeServiceAccounts(fields.serviceAccounts ?? []),
        }),
      },
      request,
    })
    return findApiKey(tx, orgId, keyId)
  })
  if (updated === undefined) throw notFound()
  await publish()
  return updated
}

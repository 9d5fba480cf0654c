import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Caller } from '../caller.ts'
import { deleteGrantsOfKey } from '../members/grants/rows.ts'
import type { ApiKeyDeps } from './create-api-key.ts'
import { findApiKey, lockApiKey, markApiKeyRevoked } from './rows.ts'

/**
 * Revokes a key with all its secrets, access tokens and grants: here with the answer, on every node within two seconds.
 * Revoking it again changes nothing.
 *
 * @throws {Problem} `not_found`
 */
export async function revokeApiKey(
  { store, publish, now }: Pick<ApiKeyDeps, 'store' | 'publish' | 'now'>,
  {
    orgId,
    keyId,
    caller,
  }: { readonly orgId: string; readonly keyId: string; readonly caller: Caller },
): Promise<void> {
  const { actor, scope, request } = caller
  await store.transaction(scope, async (tx) => {
    await lockApiKey(tx, orgId, keyId)
    const key = await findApiKey(tx, orgId, keyId)
    if (key === undefined) throw notFound()
    if (key.revokedAt !== null) return
    await markApiKeyRevoked(tx, { orgId, keyId, revokedAt: now() })
    const grantsEnded = await deleteGrantsOfKey(tx, orgId, keyId)
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'key.revoked',
      target: { type: 'api_key', id: keyId, name: key.name },
      ...(grantsEnded > 0 && { detail: { grantsEnded } }),
      request,
    })
  })
  await publish()
}

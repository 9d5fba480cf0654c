import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Caller } from '../caller.ts'
import { apiKeyState, type ApiKey } from './api-key.ts'
import type { ApiKeyDeps } from './create-api-key.ts'
import { findApiKey, lockApiKey, updateApiKeyRow } from './rows.ts'

/**
 * Pauses a key: it ends now, and works again once somebody gives it a later end. A key that has ended stays as it is.
 *
 * @throws {Problem} `not_found`
 */
export async function pauseApiKey(
  { store, publish, now }: Pick<ApiKeyDeps, 'store' | 'publish' | 'now'>,
  {
    orgId,
    keyId,
    caller,
  }: { readonly orgId: string; readonly keyId: string; readonly caller: Caller },
): Promise<ApiKey> {
  const { actor, scope, request } = caller
  const paused = await store.transaction(scope, async (tx) => {
    await lockApiKey(tx, orgId, keyId)
    const key = await findApiKey(tx, orgId, keyId)
    if (key === undefined) throw notFound()
    const expiresAt = now()
    if (apiKeyState(key, expiresAt) !== 'active') return key
    await updateApiKeyRow(tx, { orgId, keyId }, { expiresAt })
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'key.paused',
      target: { type: 'api_key', id: keyId, name: key.name },
      detail: { endBefore: key.expiresAt?.toISOString() ?? null },
      request,
    })
    return { ...key, expiresAt, revision: key.revision + 1 }
  })
  await publish()
  return paused
}

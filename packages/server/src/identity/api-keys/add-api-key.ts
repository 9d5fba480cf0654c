import type { AuditEvent } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import { newToken } from '../../crypto/tokens.ts'
import type { Tx } from '../../store/store.ts'
import type { ApiKey } from './api-key.ts'
import { describeServiceAccounts } from './service-accounts/service-account.ts'
import { insertApiKey, insertSecret, type NewApiKeyRow } from './rows.ts'

/** Describes a key at the one moment when its secret is known. */
export interface ApiKeyWithSecret extends ApiKey {
  /** Shown once and never stored. */
  readonly secret: string
}

/** Adds a key and its first secret in the caller's transaction. `recordKeyCreated` belongs to it. */
export async function addApiKey(tx: Tx, key: Omit<NewApiKeyRow, 'id'>): Promise<ApiKeyWithSecret> {
  const { orgId, createdAt, kind } = key
  const id = newId('key', createdAt)
  const { token, handle, hash } = newToken(kind)
  await insertApiKey(tx, { ...key, id })
  await insertSecret(tx, { orgId, keyId: id, handle, hash, createdAt })
  return {
    ...key,
    id,
    handle,
    revokedAt: null,
    earlierSecretEndsAt: null,
    lastUsedAt: null,
    revision: 1,
    secret: token,
  }
}

/** Records the creation of a key: its author, and what it may read. */
export function recordKeyCreated(
  tx: Tx,
  { id, name, kind, access, environmentIds, schemaIds, allowedNetworks, serviceAccounts }: ApiKey,
  by: Pick<AuditEvent, 'orgId' | 'actor' | 'request'>,
): void {
  recordAuditEvent(tx, {
    ...by,
    action: 'key.created',
    target: { type: 'api_key', id, name },
    detail: {
      kind,
      access,
      environmentIds,
      schemaIds,
      ...(allowedNetworks !== null && { allowedNetworks }),
      ...(serviceAccounts !== null && {
        serviceAccounts: describeServiceAccounts(serviceAccounts),
      }),
    },
  })
}

import { newId } from '../../crypto/ids.ts'
import { newToken } from '../../crypto/tokens.ts'
import type { Tx } from '../../store/store.ts'
import type { ApiKey } from './api-key.ts'
import { insertApiKey, insertSecret, type NewApiKeyRow } from './rows.ts'

/** A key at the one moment when its secret is known. */
export interface ApiKeyWithSecret extends ApiKey {
  /** Shown once and never stored. */
  readonly secret: string
}

/** Adds a key and its first secret in the caller's transaction, which records why. */
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
    secret: token,
  }
}

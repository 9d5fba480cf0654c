import type { AuditEvent } from '../../audit/audit-event.ts'
import { makerOf } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Tx } from '../../store/store.ts'
import { deleteGrantsOfKey } from '../members/grants/rows.ts'
import { addApiKey, recordKeyCreated, type ApiKeyWithSecret } from './add-api-key.ts'
import { requireKeyEnd } from './require-key-end.ts'
import { findApiKey, lockApiKey, markApiKeyRevoked } from './rows.ts'

type By = Pick<AuditEvent, 'orgId' | 'actor' | 'request'>

/** Describes the preview that keys are made for. */
export interface PreviewKeys {
  readonly environmentId: string
  readonly environment: string
  readonly now: Date
}

/** Holds the keys of a preview, at the one moment when their secrets are known. */
export interface AddedKeys {
  readonly browser: ApiKeyWithSecret
  readonly server: ApiKeyWithSecret
}

/** Adds a browser key and a server key that read one preview and nothing else, in the transaction of the caller. */
export async function addPreviewKeys(
  tx: Tx,
  by: By,
  { environmentId, environment, now }: PreviewKeys,
): Promise<AddedKeys> {
  const { orgId, actor, request } = by
  const expiresAt = await requireKeyEnd(tx, { orgId, expiresAt: undefined, now })
  const add = async (kind: 'b2m' | 'm2m', name: string) => {
    const key = await addApiKey(tx, {
      orgId,
      name,
      kind,
      access: 'read',
      environmentIds: [environmentId],
      schemaIds: null,
      allowedOrigins: null,
      allowedNetworks: null,
      serviceAccounts: null,
      expiresAt,
      createdAt: now,
      createdBy: makerOf({ author: actor, request: request ?? {} }),
      isOfPreview: true,
    })
    recordKeyCreated(tx, key, by)
    return key
  }
  const browser = await add('b2m', `${environment}: browser key of the preview`)
  const server = await add('m2m', `${environment}: server key of the preview`)
  tx.announce('credentials')
  return { browser, server }
}

/** Revokes the keys of a preview with all their secrets and access tokens, in the transaction of the caller. */
export async function endPreviewKeys(
  tx: Tx,
  by: By,
  { keyIds, now }: { readonly keyIds: readonly string[]; readonly now: Date },
): Promise<void> {
  const { orgId } = by
  for (const keyId of keyIds) {
    await lockApiKey(tx, orgId, keyId)
    const key = await findApiKey(tx, orgId, keyId)
    if (key === undefined || key.revokedAt !== null) continue
    await markApiKeyRevoked(tx, { orgId, keyId, revokedAt: now })
    await deleteGrantsOfKey(tx, orgId, keyId)
    const target = { type: 'api_key', id: keyId, name: key.name }
    recordAuditEvent(tx, { ...by, action: 'key.revoked', target })
    tx.announce('credentials')
  }
}

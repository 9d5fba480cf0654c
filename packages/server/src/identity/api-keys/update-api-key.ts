import { isDeepStrictEqual } from 'node:util'
import { Problem } from '@signalbox/contract'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { canonicalNetwork } from '../../http/admission/allowed-networks.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'
import { requireSame } from '../../http/input/read-only-fields.ts'
import type { Caller } from '../caller.ts'
import { requireRestrictions, type ApiKey, type KeyRestrictions } from './api-key.ts'
import type { ApiKeyDeps } from './create-api-key.ts'
import { requireKeyEnd } from './require-key-end.ts'
import { findApiKey, lockApiKey, updateApiKeyRow } from './rows.ts'
import { describeServiceAccounts } from './service-accounts/service-account.ts'
import { toStoredRestrictions } from './stored-restrictions.ts'

export interface UpdateApiKey extends KeyRestrictions {
  readonly orgId: string
  readonly keyId: string
  readonly name?: string | undefined
  /** Holds the read-only fields of the key that the request sent back. */
  readonly readOnly: {
    readonly id?: string | undefined
    readonly kind?: ApiKey['kind'] | undefined
  }
  /** Holds the revision that the caller has read. `undefined`: any. */
  readonly ifMatch: number | undefined
  readonly caller: Caller
}

/**
 * Renames a key or changes its restrictions; `null` removes one. Members that the request leaves out stay. A revoked
 * key stays revoked.
 *
 * @throws {Problem} `not_found`, `validation_failed`, `revision_mismatch`
 */
export async function updateApiKey(
  { store, configs, publish, now }: ApiKeyDeps,
  { orgId, keyId, caller, readOnly, ifMatch, ...input }: UpdateApiKey,
): Promise<ApiKey> {
  const { actor, scope, request } = caller
  const updated = await store.transaction(scope, async (tx) => {
    await lockApiKey(tx, orgId, keyId)
    const key = await findApiKey(tx, orgId, keyId)
    if (key === undefined) throw notFound()
    requireSame(key, readOnly)
    requireKind(key, readOnly.kind)
    requireVersion(key.revision, ifMatch)
    const { name, ...restrictions } = listChanges(key, input)
    requireRestrictions(key.kind, restrictions, now())
    const fields = {
      name,
      ...(await toStoredRestrictions(tx, configs, { orgId, ...restrictions })),
    }
    if (fields.expiresAt !== undefined) {
      await requireKeyEnd(tx, { orgId, expiresAt: fields.expiresAt, now: now() })
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
        ...(fields.access !== undefined && { access: fields.access }),
        ...(fields.allowedNetworks !== undefined && {
          allowedNetworks: { from: key.allowedNetworks, to: fields.allowedNetworks },
        }),
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

/** @throws {Problem} `validation_failed` for another kind than that of the key */
function requireKind({ kind }: ApiKey, other: ApiKey['kind'] = kind): void {
  if (other === kind) return
  const detail = `A key keeps its kind. Send "${kind}", or create another key.`
  const errors = [{ pointer: '/kind', code: 'validation_failed' as const, detail }]
  throw new Problem('validation_failed', detail, { errors })
}

type GivenFields = Omit<UpdateApiKey, 'orgId' | 'keyId' | 'caller' | 'readOnly' | 'ifMatch'>

/** Returns the given fields that differ from those of the key. A client may send back what it has read. */
function listChanges(key: ApiKey, input: GivenFields): GivenFields {
  const { expiresAt, serviceAccounts, allowedNetworks } = input
  const stored: Record<string, unknown> = {
    ...key,
    expiresAt: key.expiresAt?.getTime() ?? null,
    serviceAccounts: key.serviceAccounts ?? [],
  }
  const asStored: Record<string, unknown> = {
    ...input,
    ...(typeof expiresAt === 'string' && { expiresAt: new Date(expiresAt).getTime() }),
    ...(allowedNetworks && {
      allowedNetworks: allowedNetworks.map((network) => canonicalNetwork(network) ?? network),
    }),
    ...(serviceAccounts !== undefined && {
      serviceAccounts: (serviceAccounts ?? []).map(({ keys = null, ...account }) => ({
        ...account,
        keys,
      })),
    }),
  }
  return Object.fromEntries(
    Object.entries(input).filter(([field]) => !isDeepStrictEqual(asStored[field], stored[field])),
  )
}

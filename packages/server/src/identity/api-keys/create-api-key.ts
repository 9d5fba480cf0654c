import { limits, Problem, type ApiKeyKind } from '@signalbox/contract'
import { makerOf, toAuthor } from '../../audit/author.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import type { ConfigDirectory } from '../config-directory.ts'
import { lockOrganization } from '../organizations/rows.ts'
import type { PublishChange } from '../publish-change.ts'
import { addApiKey, recordKeyCreated, type ApiKeyWithSecret } from './add-api-key.ts'
import { defaultAccess, requireRestrictions, type KeyRestrictions } from './api-key.ts'
import { requireKeyEnd } from './require-key-end.ts'
import { countApiKeys } from './rows.ts'
import { toStoredRestrictions } from './stored-restrictions.ts'

export interface ApiKeyDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly configs: Pick<ConfigDirectory, 'findEnvironmentIds' | 'findSchemaIds'>
  readonly publish: PublishChange
  readonly now: () => Date
}

export interface CreateApiKey extends KeyRestrictions {
  readonly orgId: string
  readonly name: string
  readonly kind: ApiKeyKind
  readonly caller: Caller
}

/**
 * Creates an API key. Only the result holds its secret.
 *
 * @throws {Problem} `validation_failed`, `quota_exceeded`
 */
export async function createApiKey(
  { store, configs, publish, now }: ApiKeyDeps,
  { orgId, name, kind, caller, ...restrictions }: CreateApiKey,
): Promise<ApiKeyWithSecret> {
  const { actor, scope, request } = caller
  const environmentIds = restrictions.environmentIds ?? null
  requireRestrictions(kind, { ...restrictions, environmentIds }, now())
  const created = await store.transaction(scope, async (tx) => {
    await requireQuota(tx, orgId)
    const createdAt = now()
    const stored = await toStoredRestrictions(tx, configs, { orgId, ...restrictions })
    const key = await addApiKey(tx, {
      orgId,
      name,
      kind,
      access: restrictions.access ?? defaultAccess(kind),
      environmentIds: stored.environmentIds ?? null,
      schemaIds: stored.schemaIds ?? null,
      allowedOrigins: stored.allowedOrigins ?? null,
      allowedNetworks: stored.allowedNetworks ?? null,
      serviceAccounts: stored.serviceAccounts ?? null,
      expiresAt: await requireKeyEnd(tx, { orgId, expiresAt: stored.expiresAt, now: createdAt }),
      createdAt,
      createdBy: makerOf({ author: toAuthor(actor), request }),
    })
    recordKeyCreated(tx, key, { orgId, actor: toAuthor(actor), request })
    return key
  })
  await publish()
  return created
}

/** Holds the organization, so that two requests at once do not both take the last place. */
async function requireQuota(tx: Tx, orgId: string): Promise<void> {
  if (!(await lockOrganization(tx, orgId))) throw notFound()
  if ((await countApiKeys(tx, orgId)) < limits.apiKeysPerOrganization) return
  const detail = `An organization has at most ${limits.apiKeysPerOrganization} API keys. Revoke one that you don’t use.`
  throw new Problem('quota_exceeded', detail)
}

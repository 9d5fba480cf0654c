import type { Tx } from '../../store/store.ts'
import type { ConfigDirectory } from '../config-directory.ts'
import { toServiceAccounts } from './service-accounts/service-account.ts'
import { findOrigin, requireKnownIds, type KeyRestrictions } from './api-key.ts'
import type { ApiKeyFields } from './rows.ts'

interface GivenRestrictions extends KeyRestrictions {
  readonly orgId: string
}

/**
 * Returns the restrictions as they are stored: ids checked, origins as browsers spell them, nothing twice. What was left out
 * is left out.
 *
 * @throws {Problem} `validation_failed` for ids that the organization does not have.
 */
export async function toStoredRestrictions(
  tx: Tx,
  configs: Pick<ConfigDirectory, 'findEnvironmentIds' | 'findSchemaIds'>,
  {
    orgId,
    access,
    environmentIds,
    schemaIds,
    allowedOrigins,
    serviceAccounts,
    expiresAt,
  }: GivenRestrictions,
): Promise<Omit<ApiKeyFields, 'name'>> {
  if (hasIds(environmentIds)) {
    const known = await configs.findEnvironmentIds(tx, orgId, environmentIds)
    requireKnownIds('/environmentIds', environmentIds, known)
  }
  if (hasIds(schemaIds)) {
    const known = await configs.findSchemaIds(tx, orgId, schemaIds)
    requireKnownIds('/schemaIds', schemaIds, known)
  }
  return {
    access,
    environmentIds: unique(environmentIds),
    schemaIds: unique(schemaIds),
    allowedOrigins: unique(
      allowedOrigins?.map((origin) => findOrigin(origin) ?? origin),
      allowedOrigins,
    ),
    serviceAccounts:
      serviceAccounts?.length === 0 ? null : serviceAccounts && toServiceAccounts(serviceAccounts),
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
  }
}

function hasIds(ids: readonly string[] | null | undefined): ids is readonly string[] {
  return ids !== undefined && ids !== null
}

/** `otherwise` tells `null` from `undefined` where a list was mapped. */
function unique(
  items: readonly string[] | null | undefined,
  otherwise: readonly string[] | null | undefined = items,
): readonly string[] | null | undefined {
  return items === null || items === undefined ? otherwise : [...new Set(items)]
}

import type { Tx } from '../../store/store.ts'
import { lookUpWithin, nameWithin, type FindWithin } from '../config-directory.ts'
import { toServiceAccounts } from './service-accounts/service-account.ts'
import { canonicalNetwork } from '../../http/admission/allowed-networks.ts'
import { requireKnownIds } from '../../http/input/known-ids.ts'
import { findOrigin, type KeyRestrictions } from './api-key.ts'
import type { ApiKeyFields } from './rows.ts'

interface GivenRestrictions extends KeyRestrictions {
  readonly orgId: string
}

/**
 * Returns the restrictions as they are stored: ids checked, origins as browsers spell them, and no duplicates. Members
 * that were left out stay left out.
 *
 * @throws {Problem} `validation_failed` for ids that the organization does not have.
 */
export async function toStoredRestrictions(
  tx: Tx,
  configs: FindWithin,
  {
    orgId,
    access,
    environmentIds,
    schemaIds,
    allowedOrigins,
    allowedNetworks,
    serviceAccounts,
    expiresAt,
  }: GivenRestrictions,
): Promise<Omit<ApiKeyFields, 'name'>> {
  const named = nameWithin({ environmentIds, schemaIds })
  requireKnownIds(...(await lookUpWithin(tx, { configs, orgId }, named)))
  return {
    access,
    environmentIds: unique(environmentIds),
    schemaIds: unique(schemaIds),
    allowedOrigins: unique(
      allowedOrigins?.map((origin) => findOrigin(origin) ?? origin),
      allowedOrigins,
    ),
    allowedNetworks: unique(
      allowedNetworks?.map((network) => canonicalNetwork(network) ?? network),
      allowedNetworks,
    ),
    serviceAccounts:
      serviceAccounts?.length === 0 ? null : serviceAccounts && toServiceAccounts(serviceAccounts),
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
  }
}

/** `otherwise` tells `null` from `undefined` where a list was mapped. */
function unique(
  items: readonly string[] | null | undefined,
  otherwise: readonly string[] | null | undefined = items,
): readonly string[] | null | undefined {
  return items === null || items === undefined ? otherwise : [...new Set(items)]
}

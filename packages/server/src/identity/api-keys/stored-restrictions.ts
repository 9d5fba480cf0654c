import type { Tx } from '../../store/store.ts'
import type { ConfigDirectory } from '../config-directory.ts'
import { toServiceAccounts } from './service-accounts/service-account.ts'
import { canonicalNetwork } from '../../http/admission/allowed-networks.ts'
import { describeUnknown, nameIds, requireKnownIds } from '../../http/input/known-ids.ts'
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
  configs: Pick<ConfigDirectory, 'findEnvironmentIds' | 'findSchemaIds'>,
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
  requireKnownIds(
    {
      named: nameIds(['environmentIds'], environmentIds),
      known: new Set(
        environmentIds && (await configs.findEnvironmentIds(tx, orgId, environmentIds)),
      ),
      detail: describeUnknown('environment'),
    },
    {
      named: nameIds(['schemaIds'], schemaIds),
      known: new Set(schemaIds && (await configs.findSchemaIds(tx, orgId, schemaIds))),
      detail: describeUnknown('configuration schema'),
    },
  )
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

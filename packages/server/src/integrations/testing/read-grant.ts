import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Grant } from '../../providers/grant.ts'
import { findCredentialRow } from '../grants/credential-rows.ts'
import { openGrant } from '../grants/sealed-grant.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import { findIntegrationRow } from '../rows.ts'

/** Reads the grant that is stored of an integration; `undefined`: none is. */
export type ReadGrant = (orgId: string, kind: IntegrationKind) => Promise<Grant | undefined>

/** Creates what opens stored grants, as nothing but their use does. */
export function createGrantReader({
  store,
  keys,
}: Pick<IntegrationDeps, 'store' | 'keys'>): ReadGrant {
  return (orgId, kind) =>
    store.transaction({ orgId }, async (tx) => {
      const integration = await findIntegrationRow(tx, { orgId, kind })
      if (integration === undefined) return undefined
      const ref = { orgId, integrationId: integration.id }
      const row = await findCredentialRow(tx, ref)
      if (row === undefined) return undefined
      const { generation, sealed } = row
      return openGrant(await keys.getSealer(tx, orgId), { ...ref, generation }, sealed)
    })
}

import type { Caller } from '../../audit/caller.ts'
import type { IntegrationKind } from '@signalbox/contract/rest'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { deleteCredentialRow } from '../grants/credential-rows.ts'
import { openGrant } from '../grants/sealed-grant.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import { findIntegrationRow } from '../rows.ts'
import { disconnectSharing } from './share-connection.ts'
import { storeDisconnected } from './store-disconnected.ts'

/**
 * Ends an integration: once the transaction commits, no node and no job of this server can use it. Only what its
 * revocation at the provider needs is kept. Integrations that share its connection end with it.
 *
 * @throws {Problem} `not_found` when the kind is not connected.
 */
export async function disconnectIntegration(
  deps: IntegrationDeps,
  caller: Caller,
  { kind }: { readonly kind: IntegrationKind },
): Promise<void> {
  const { store, keys } = deps
  const { orgId } = caller
  await store.transaction(caller.scope, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind }, 'for update')
    if (integration === undefined) throw notFound()
    const ref = { orgId, integrationId: integration.id }
    const row = await deleteCredentialRow(tx, ref)
    const grant =
      row === undefined
        ? null
        : openGrant(
            await keys.getSealer(tx, orgId),
            { ...ref, generation: row.generation },
            row.sealed,
          )
    await storeDisconnected(deps, tx, { integration, grant })
    const sharing = await disconnectSharing(deps, tx, integration)
    for (const { id, provider } of [integration, ...(sharing === undefined ? [] : [sharing])]) {
      recordAuditEvent(tx, {
        orgId,
        actor: caller.author,
        action: 'integration.disconnected',
        target: { type: 'integration', id, name: provider },
        request: caller.request,
      })
    }
  })
}

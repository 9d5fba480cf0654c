import type { Caller } from '../../audit/caller.ts'
import type { IntegrationKind } from '@signalbox/contract/rest'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import type { Tx } from '../../store/store.ts'
import { deleteCredentialRow } from '../grants/credential-rows.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import type { Integration } from '../integration.ts'
import { insertRevocationRow, revocationContext } from './revocation-rows.ts'
import { findIntegrationRow, upsertIntegrationRow } from '../rows.ts'
import { openGrant } from '../grants/sealed-grant.ts'

/** Limits the time in which the provider is asked to end the grant. */
const revokeForMs = 72 * 3600 * 1000

/**
 * Ends an integration: with the commit nothing of this server can use it any more, on no node and in no job. What is left
 * of it is what its revocation at the provider takes.
 *
 * @throws {Problem} `not_found` when the kind is not connected.
 */
export async function disconnectIntegration(
  deps: IntegrationDeps,
  caller: Caller,
  { kind }: { readonly kind: IntegrationKind },
): Promise<void> {
  const { store, emit, now } = deps
  const { orgId } = caller
  await store.transaction(caller.scope, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind }, 'for update')
    if (integration === undefined) throw notFound()
    const isRevoked = await queueRevocation(deps, tx, integration)
    const at = now()
    await upsertIntegrationRow(
      tx,
      {
        ...integration,
        state: 'disconnected',
        stateReason: null,
        revocation: describe(deps, integration, isRevoked, at),
      },
      at,
    )
    if (isRevoked) await emit(tx, 'integration.disconnected', { orgId, id: integration.id })
    recordAuditEvent(tx, {
      orgId,
      actor: caller.author,
      action: 'integration.disconnected',
      target: { type: 'integration', id: integration.id, name: integration.provider },
      request: caller.request,
    })
  })
}

/** Deletes the credential, and keeps a copy for its revocation where the provider offers one. */
async function queueRevocation(
  { keys, connectorOf, now }: IntegrationDeps,
  tx: Tx,
  { orgId, id, kind, provider, account }: Integration,
): Promise<boolean> {
  const ref = { orgId, integrationId: id }
  const row = await deleteCredentialRow(tx, ref)
  if (account === null || connectorOf(kind, provider)?.revoke === undefined) return false
  const at = now()
  const sealer = await keys.getSealer(tx, orgId)
  const grant = row && openGrant(sealer, { ...ref, generation: row.generation }, row.sealed)
  const text = JSON.stringify({ accountId: account.id, grant: grant ?? null })
  await insertRevocationRow(tx, {
    orgId,
    integrationId: id,
    provider,
    sealed: sealer.seal(revocationContext(orgId, id), text),
    giveUpAt: new Date(at.getTime() + revokeForMs),
    createdAt: at,
  })
  return true
}

function describe(
  { connectorOf }: IntegrationDeps,
  { kind, provider, account }: Integration,
  isRevoked: boolean,
  now: Date,
): Integration['revocation'] {
  if (account === null) return null
  const connector = connectorOf(kind, provider)
  const url = connector?.manageUrl ?? null
  const name = displayNameOf(provider)
  const at = now.toISOString()
  if (isRevoked) {
    return { state: 'pending', detail: `${name} is asked to end the access.`, url, at }
  }
  const why =
    connector === undefined
      ? `This server has no application at ${name} any more, so it cannot ask for the end of the access.`
      : `${name} offers no way to end the access from here.`
  const detail = `${why} Our copy is destroyed; remove the application there.`
  return { state: 'not_offered', detail, url, at }
}

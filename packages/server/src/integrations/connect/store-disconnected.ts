import { displayNameOf } from '../../providers/find-provider.ts'
import type { Grant } from '../../providers/grant.ts'
import type { Tx } from '../../store/store.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import type { Integration, Revocation } from '../integration.ts'
import { upsertIntegrationRow } from '../rows.ts'
import { deleteWebhookRow, findMadeHooks } from '../webhooks/webhook-rows.ts'
import { connectorOfIntegration } from './connectors.ts'
import { insertRevocationRow, revocationContext } from './revocation-rows.ts'
import { adviseRevoking, noWayToRevoke } from './revocation-texts.ts'

/** Limits the time in which the provider is asked to end the grant. */
const revokeForMs = 72 * 3600 * 1000

/**
 * Stores an integration as disconnected, and has its provider asked to end the access where it offers a way. Until then the grant
 * is kept sealed for that alone.
 */
export async function storeDisconnected(
  deps: IntegrationDeps,
  tx: Tx,
  {
    integration,
    grant,
  }: {
    readonly integration: Integration
    readonly grant: Grant | null
  },
): Promise<void> {
  const { connectorOf, emit, now } = deps
  const { orgId, id, provider, account } = integration
  const at = now()
  const connector = connectorOfIntegration(connectorOf, integration)
  const ref = { orgId, integrationId: id }
  const { hooks, isInWork } = await findMadeHooks(tx, ref)
  // If the provider can only remove webhooks, it is not called when there is none.
  const hasWork = connector?.revokes !== 'webhooks' || hooks.length > 0 || isInWork
  const isAsked = account !== null && connector?.revoke !== undefined && hasWork
  await upsertIntegrationRow(
    tx,
    {
      ...integration,
      state: 'disconnected',
      stateReason: null,
      revocation: describe(deps, integration, isAsked, at),
    },
    at,
  )
  if (!isAsked) return deleteWebhookRow(tx, ref)
  const sealer = await deps.keys.getSealer(tx, orgId)
  const needed = JSON.stringify({ accountId: account.id, grant })
  await insertRevocationRow(tx, {
    orgId,
    integrationId: id,
    provider,
    sealed: sealer.seal(revocationContext(orgId, id), needed),
    giveUpAt: new Date(at.getTime() + revokeForMs),
    createdAt: at,
  })
  await emit(tx, 'integration.disconnected', { orgId, id })
}

function describe(
  { connectorOf }: IntegrationDeps,
  integration: Integration,
  isAsked: boolean,
  now: Date,
): Revocation | null {
  const { provider, account } = integration
  if (account === null) return null
  const connector = connectorOfIntegration(connectorOf, integration)
  // Nothing was granted to it that could be revoked.
  if (connector?.way === 'shared') return null
  const url = connector?.manageUrl ?? null
  const name = displayNameOf(provider)
  const at = now.toISOString()
  const advice = adviseRevoking(connector, name)
  if (isAsked) {
    const detail =
      connector?.revokes === 'webhooks'
        ? `Signalbox is removing its webhooks. ${noWayToRevoke(name)} ${advice}`
        : `Signalbox is asking ${name} to revoke the access.`
    return { state: 'pending', detail, url, at }
  }
  const why =
    connector === undefined
      ? `This server no longer has an application on ${name}, so it can’t revoke the access.`
      : noWayToRevoke(name)
  const detail = `${why} Signalbox has deleted its copy. ${advice}`
  return { state: 'not_offered', detail, url, at }
}

import { z } from 'zod'
import { systemAuthor } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Connector } from '../../providers/connector.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import {
  displayNameOf,
  findProvider,
  providersOfApplication,
} from '../../providers/find-provider.ts'
import type { Tx } from '../../store/store.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import type { Revocation } from '../integration.ts'
import {
  endRevocationRow,
  findRevocationRow,
  revocationContext,
  type RevocationRow,
} from './revocation-rows.ts'
import { adviseRevoking, noWayToRevoke } from './revocation-texts.ts'
import { isAccountTaken, listIntegrationRows, setRevocation } from '../rows.ts'
import { deleteWebhookRow, findMadeHooks, type MadeHooks } from '../webhooks/webhook-rows.ts'
import { connectorOfIntegration } from './connectors.ts'

const revocationNeeds = z.object({
  accountId: z.string(),
  grant: z
    .object({
      accessToken: z.string(),
      accessExpiresAt: z.coerce.date().nullable(),
      refreshToken: z.string().nullable(),
      refreshExpiresAt: z.coerce.date().nullable(),
      scopes: z.array(z.string()),
    })
    .nullable(),
})

/** Names the integration whose access is revoked. */
export interface RevokeIntegration {
  readonly orgId: string
  readonly integrationId: string
}

/**
 * Asks the provider to end the grant. Throws while another try may succeed; the queue tries again, for 72 hours. An
 * account that was connected again in the meantime is left alone, because its access is in use.
 *
 * @throws {ProviderError}
 */
export async function revokeIntegration(
  deps: IntegrationDeps,
  of: RevokeIntegration,
): Promise<void> {
  const { store, keys, now } = deps
  const { orgId } = of
  const pending = await store.transaction({ orgId }, async (tx) => {
    const row = await findRevocationRow(tx, of)
    if (row === undefined) return undefined
    const context = revocationContext(orgId, of.integrationId)
    const text = (await keys.getSealer(tx, orgId)).open(context, row.sealed).toString('utf8')
    const needed = revocationNeeds.parse(JSON.parse(text))
    const isUsed = await isUsedAgain(tx, row, needed)
    return { row, needed, isUsed, ...(await findMadeHooks(tx, of)) }
  })
  if (pending === undefined) return
  const { row, needed, isUsed, hooks, isInWork } = pending
  if (isUsed) return end(deps, row, 'used_again')
  try {
    // Without the access that ends here, nobody could remove a webhook that is being made.
    if (isInWork) throw unavailable(row.provider, 'webhooks_in_work')
    await revoke(deps, row, { ...needed, hooks })
  } catch (error) {
    if (!isHopeless(error) && now() < row.giveUpAt) throw error
    return end(deps, row, 'failed')
  }
  return end(deps, row, endOf(deps, row))
}

/**
 * Returns whether an organization, this one or another, uses the account. Without a grant the access is the account's, and every
 * provider of the application has the same.
 */
async function isUsedAgain(
  tx: Tx,
  { orgId, provider }: RevocationRow,
  { accountId, grant }: z.output<typeof revocationNeeds>,
): Promise<boolean> {
  const names = grant === null ? providersOfApplication(provider) : [provider]
  const rows = await listIntegrationRows(tx, orgId)
  const isOwn = rows.some(
    (row) =>
      row.state !== 'disconnected' && names.includes(row.provider) && row.account?.id === accountId,
  )
  return isOwn || isAccountTaken(tx, provider, accountId, orgId)
}

async function revoke(
  { connectorOf }: Pick<IntegrationDeps, 'connectorOf'>,
  { provider }: RevocationRow,
  needed: z.output<typeof revocationNeeds> & Pick<MadeHooks, 'hooks'>,
): Promise<void> {
  const connector = connectorOfProvider(connectorOf, provider)
  // The application was taken away from this server. It may come back: the settings of a node are wrong for a while.
  if (connector?.revoke === undefined) throw unavailable(provider, 'not_set_up')
  await connector.revoke(needed)
}

function unavailable(provider: string, code: string): ProviderError {
  return new ProviderError({ provider, failure: 'unavailable', code })
}

/** Returns what the provider has done: it may be able to remove webhooks, and nothing else. */
function endOf(
  { connectorOf }: Pick<IntegrationDeps, 'connectorOf'>,
  { provider }: RevocationRow,
): RevocationEnd {
  return connectorOfProvider(connectorOf, provider)?.revokes === 'webhooks'
    ? 'webhooks_removed'
    : 'revoked'
}

function connectorOfProvider(
  connectorOf: IntegrationDeps['connectorOf'],
  provider: string,
): Connector | undefined {
  const kind = findProvider(provider)?.kind
  // An integration that shares a connection has nothing to revoke, so this access is its own.
  return kind && connectorOfIntegration(connectorOf, { kind, provider, isShared: false })
}

/** Returns whether the provider has said no for good. */
function isHopeless(error: unknown): boolean {
  return (
    error instanceof ProviderError &&
    (error.failure === 'rejected' ||
      error.failure === 'forbidden' ||
      error.failure === 'unauthorized')
  )
}

/**
 * Names how a revocation ended. `used_again`: it was not sent, because it would have ended another connection. `webhooks_removed`:
 * the provider offers nothing more.
 */
type RevocationEnd = 'revoked' | 'webhooks_removed' | 'failed' | 'used_again'

async function end(
  { store, connectorOf, now }: IntegrationDeps,
  row: RevocationRow,
  how: RevocationEnd,
): Promise<void> {
  const { orgId, integrationId, provider } = row
  const isDone = how === 'revoked' || how === 'webhooks_removed'
  const state = isDone ? 'revoked' : 'failed'
  const connector = connectorOfProvider(connectorOf, provider)
  await store.transaction({ orgId }, async (tx: Tx) => {
    await endRevocationRow(tx, row, state)
    await deleteWebhookRow(tx, row)
    await setRevocation(
      tx,
      { orgId, id: integrationId },
      describe({ how, connector, name: displayNameOf(provider) }, now()),
    )
    // Nothing was revoked, and the disconnection itself is recorded.
    if (how === 'webhooks_removed') return
    recordAuditEvent(tx, {
      orgId,
      actor: systemAuthor,
      action: state === 'revoked' ? 'integration.revoke_confirmed' : 'integration.revoke_failed',
      target: { type: 'integration', id: integrationId, name: provider },
      ...(how === 'used_again' && { detail: { reason: how } }),
    })
  })
}

interface EndedRevocation {
  readonly how: RevocationEnd
  readonly connector: Connector | undefined
  readonly name: string
}

const details: Readonly<Record<RevocationEnd, (of: EndedRevocation) => string>> = {
  revoked: ({ name }) => `${name} has revoked the access.`,
  webhooks_removed: ({ name, connector }) =>
    `Signalbox has removed its webhooks and deleted its copy of the access. ${noWayToRevoke(name)} ${adviseRevoking(connector, name)}`,
  failed: ({ name, connector }) =>
    connector?.revokes === 'webhooks'
      ? `${name} did not remove the webhooks. Signalbox has deleted its copy of the access. Remove the webhooks in the repositories. ${adviseRevoking(connector, name)}`
      : `${name} did not revoke the access. Signalbox has deleted its copy. Remove the application on ${name}.`,
  used_again: ({ name }) =>
    `Another connection uses the account by now, so it keeps the access at ${name}.`,
}

const states: Readonly<Record<RevocationEnd, Revocation['state']>> = {
  revoked: 'revoked',
  webhooks_removed: 'not_offered',
  failed: 'failed',
  used_again: 'failed',
}

function describe(of: EndedRevocation, at: Date): Revocation {
  const url = of.how === 'webhooks_removed' ? (of.connector?.manageUrl ?? null) : null
  return { state: states[of.how], detail: details[of.how](of), url, at: at.toISOString() }
}

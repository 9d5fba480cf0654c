import { z } from 'zod'
import { systemAuthor } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { displayNameOf, findProvider } from '../../providers/find-provider.ts'
import type { Tx } from '../../store/store.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import type { Revocation } from '../integration.ts'
import {
  endRevocationRow,
  findRevocationRow,
  revocationContext,
  type RevocationRow,
} from './revocation-rows.ts'
import { findIntegrationRow, isAccountTaken, setRevocation } from '../rows.ts'

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
  hooks: z.array(z.string()).default([]),
})

/** Names the integration whose access is revoked. */
export interface RevokeIntegration {
  readonly orgId: string
  readonly integrationId: string
}

/**
 * Asks the provider to end the grant. Throws while another try may succeed; the queue tries again, for 72 hours.
 * An account that was connected again meanwhile is left alone: its access is the one that is in use.
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
    return { row, needed, isUsed: await isUsedAgain(tx, row, needed.accountId) }
  })
  if (pending === undefined) return
  const { row, needed, isUsed } = pending
  if (isUsed) return end(deps, row, 'used_again')
  try {
    await revoke(deps, row, needed)
  } catch (error) {
    if (!isHopeless(error) && now() < row.giveUpAt) throw error
    return end(deps, row, 'failed')
  }
  return end(deps, row, 'revoked')
}

/** Returns whether an organization, this one or another, has connected the account since. */
async function isUsedAgain(
  tx: Tx,
  { orgId, provider }: RevocationRow,
  accountId: string,
): Promise<boolean> {
  const kind = findProvider(provider)?.kind
  const own = kind && (await findIntegrationRow(tx, { orgId, kind }))
  return own?.account?.id === accountId || isAccountTaken(tx, provider, accountId, orgId)
}

async function revoke(
  { connectorOf }: Pick<IntegrationDeps, 'connectorOf'>,
  { provider }: RevocationRow,
  needed: z.output<typeof revocationNeeds>,
): Promise<void> {
  const kind = findProvider(provider)?.kind
  const connector = kind && connectorOf(kind, provider)
  // The application was taken away from this server. It may come back: the settings of a node are wrong for a while.
  if (connector?.revoke === undefined) {
    throw new ProviderError({ provider, failure: 'unavailable', code: 'not_set_up' })
  }
  await connector.revoke(needed)
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

/** Names how a revocation ended. `used_again`: it was not sent, because it would have ended another connection. */
type RevocationEnd = 'revoked' | 'failed' | 'used_again'

async function end(
  { store, now }: IntegrationDeps,
  row: RevocationRow,
  how: RevocationEnd,
): Promise<void> {
  const { orgId, integrationId, provider } = row
  const state = how === 'revoked' ? 'revoked' : 'failed'
  await store.transaction({ orgId }, async (tx: Tx) => {
    await endRevocationRow(tx, row, state)
    await setRevocation(
      tx,
      { orgId, id: integrationId },
      describe(displayNameOf(provider), how, now()),
    )
    recordAuditEvent(tx, {
      orgId,
      actor: systemAuthor,
      action: state === 'revoked' ? 'integration.revoke_confirmed' : 'integration.revoke_failed',
      target: { type: 'integration', id: integrationId, name: provider },
      ...(how === 'used_again' && { detail: { reason: how } }),
    })
  })
}

const details: Readonly<Record<RevocationEnd, (provider: string) => string>> = {
  revoked: (provider) => `${provider} has revoked the access.`,
  failed: (provider) =>
    `${provider} did not revoke the access. Signalbox has deleted its copy. Remove the application on ${provider}.`,
  used_again: (provider) =>
    `The account was connected again before ${provider} had revoked the access, so the new connection keeps it.`,
}

function describe(provider: string, how: RevocationEnd, at: Date): Revocation {
  const state = how === 'revoked' ? 'revoked' : 'failed'
  return { state, detail: details[how](provider), url: null, at: at.toISOString() }
}

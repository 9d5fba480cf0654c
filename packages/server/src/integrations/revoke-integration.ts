import { z } from 'zod'
import { systemAuthor } from '../audit/audit-event.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { Tx } from '../store/store.ts'
import type { IntegrationDeps } from './integration-deps.ts'
import { kindOfProvider, type Revocation } from './integration.ts'
import {
  endRevocationRow,
  findRevocationRow,
  revocationContext,
  type RevocationRow,
} from './revocation-rows.ts'
import { setRevocation } from './rows.ts'

const kept = z.object({
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

/** Of what a revocation is, as the job says. */
export interface RevokeIntegration {
  readonly orgId: string
  readonly integrationId: string
}

/**
 * Asks the provider to end what it granted. Throws while that is worth another try; the queue tries again, for 72 hours.
 *
 * @throws {ProviderError}
 */
export async function revokeIntegration(
  deps: IntegrationDeps,
  of: RevokeIntegration,
): Promise<void> {
  const { store, keys, connectorOf, now } = deps
  const { orgId } = of
  const pending = await store.transaction({ orgId }, async (tx) => {
    const row = await findRevocationRow(tx, of)
    if (row === undefined) return undefined
    const context = revocationContext(orgId, of.integrationId)
    const text = (await keys.getSealer(tx, orgId)).open(context, row.sealed).toString('utf8')
    return { row, needed: kept.parse(JSON.parse(text)) }
  })
  if (pending === undefined) return
  const { row, needed } = pending
  try {
    await connectorOf(kindOfProvider[row.provider])?.revoke?.(needed)
  } catch (error) {
    if (!isHopeless(error) && now() < row.giveUpAt) throw error
    await end(deps, row, 'failed')
    return
  }
  await end(deps, row, 'revoked')
}

/** Whether the provider has said no for good. */
function isHopeless(error: unknown): boolean {
  return (
    error instanceof ProviderError &&
    (error.failure === 'rejected' ||
      error.failure === 'forbidden' ||
      error.failure === 'unauthorized')
  )
}

async function end(
  { store, now }: IntegrationDeps,
  row: RevocationRow,
  state: 'revoked' | 'failed',
): Promise<void> {
  const { orgId, integrationId, provider } = row
  await store.transaction({ orgId }, async (tx: Tx) => {
    await endRevocationRow(tx, row, state)
    await setRevocation(tx, { orgId, id: integrationId }, describe(provider, state, now()))
    recordAuditEvent(tx, {
      orgId,
      actor: systemAuthor,
      action: state === 'revoked' ? 'integration.revoke_confirmed' : 'integration.revoke_failed',
      target: { type: 'integration', id: integrationId, name: provider },
    })
  })
}

function describe(provider: string, state: 'revoked' | 'failed', at: Date): Revocation {
  const detail =
    state === 'revoked'
      ? `${provider} has ended the access.`
      : `${provider} did not end the access. Our copy is destroyed; remove the application there.`
  return { state, detail, url: null, at: at.toISOString() }
}

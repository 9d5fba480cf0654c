import { systemAuthor } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import type { Integration } from '../integration.ts'
import { markReauthRequired } from '../rows.ts'

/**
 * Records, once, that a person has to connect again. Records nothing when a newer credential is stored: the failure of an old
 * one says nothing about it.
 */
export async function requireReauth(
  { store, emit, now }: Pick<IntegrationDeps, 'store' | 'emit' | 'now'>,
  { orgId, id, provider }: Pick<Integration, 'orgId' | 'id' | 'provider'>,
  { generation, code }: { readonly generation: number; readonly code: string },
): Promise<void> {
  const error = {
    code,
    detail: `${displayNameOf(provider)} revoked access.`,
    nextStep: 'Connect it again.',
    at: now().toISOString(),
  }
  await store.transaction({ orgId }, async (tx) => {
    if (!(await markReauthRequired(tx, { orgId, id }, { generation, error }))) return
    await emit(tx, 'integration.attention', { orgId, id })
    recordAuditEvent(tx, {
      orgId,
      actor: systemAuthor,
      action: 'integration.reauth_required',
      target: { type: 'integration', id, name: provider },
      detail: { code },
    })
  })
}

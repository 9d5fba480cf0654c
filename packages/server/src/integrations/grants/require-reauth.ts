import { systemAuthor } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import type { Integration } from '../integration.ts'
import { markReauthRequired } from '../rows.ts'

/**
 * Notes, once, that somebody has to connect again. Not when a newer credential is in force: who tried an old one learns
 * nothing about the present.
 */
export async function requireReauth(
  { store, emit, now }: Pick<IntegrationDeps, 'store' | 'emit' | 'now'>,
  { orgId, id, provider }: Pick<Integration, 'orgId' | 'id' | 'provider'>,
  { generation, code }: { readonly generation: number; readonly code: string },
): Promise<void> {
  const error = {
    code,
    detail: `${displayNameOf(provider)} no longer accepts our access (${code}).`,
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

import type { CodehostEvent } from '../../providers/codehost.ts'
import { refreshAccess, type AccessDeps } from './refresh-access.ts'
import { findIntegrationRow } from '../rows.ts'

/** Describes an event that says only that something changed. */
type AccessEvent = Extract<
  CodehostEvent,
  { readonly type: 'installation' | 'authorizationRevoked' }
>

/**
 * Brings an integration up to date after something happened to its access. The provider is asked how it stands: events come
 * late and shuffled, and a state is not to be made of the one that was last to arrive. An access that ended there ends the
 * integration, as disconnecting it does.
 *
 * @throws {ProviderError} when the provider does not say: the webhook is tried again.
 */
export async function recordAccessEvent(
  deps: AccessDeps,
  { orgId, integrationId }: { readonly orgId: string; readonly integrationId: string },
  event: AccessEvent,
): Promise<
  { readonly outcome: 'done' } | { readonly outcome: 'ignored'; readonly reason: string }
> {
  if (event.type === 'authorizationRevoked') {
    const reason = 'No access of a person is kept: the installation goes on without it.'
    return { outcome: 'ignored', reason }
  }
  const { store, emit } = deps
  const integration = await store.transaction({ orgId }, (tx) =>
    findIntegrationRow(tx, { orgId, kind: 'codehost' }),
  )
  if (integration?.id !== integrationId) {
    return { outcome: 'ignored', reason: 'The integration was disconnected meanwhile.' }
  }
  await refreshAccess(deps, integration, 'disconnected')
  if (event.change === 'repositories') {
    await store.transaction({ orgId }, (tx) =>
      emit(tx, 'codehost.connected', { orgId, id: integrationId }),
    )
  }
  return { outcome: 'done' }
}

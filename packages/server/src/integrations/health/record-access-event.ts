import type { CodehostEvent } from '../../providers/codehosts/event.ts'
import { refreshAccess, type AccessDeps } from './refresh-access.ts'
import { findSharing } from '../connect/share-connection.ts'
import { findIntegrationRow } from '../rows.ts'

/** Describes an event that says only that something changed. */
type AccessEvent = Extract<CodehostEvent, { readonly type: 'access' | 'authorizationRevoked' }>

/**
 * Updates an integration after its access changed at the provider. Reads the present state from there: events come late and out
 * of order, so that the last one to arrive is not the last state. An access that ended there ends the integration, as
 * disconnecting does.
 *
 * @throws {ProviderError} when the provider does not answer: the webhook is tried again.
 */
export async function recordAccessEvent(
  deps: AccessDeps,
  { orgId, integrationId }: { readonly orgId: string; readonly integrationId: string },
  event: AccessEvent,
): Promise<
  { readonly outcome: 'done' } | { readonly outcome: 'ignored'; readonly reason: string }
> {
  if (event.type === 'authorizationRevoked') {
    const reason = 'Signalbox stores no access of a person, and the connection goes on without it.'
    return { outcome: 'ignored', reason }
  }
  const { store, emit } = deps
  const integration = await store.transaction({ orgId }, (tx) =>
    findIntegrationRow(tx, { orgId, kind: 'codehost' }),
  )
  if (integration?.id !== integrationId) {
    return { outcome: 'ignored', reason: 'The integration was disconnected in the meantime.' }
  }
  await refreshAccess(deps, integration, 'disconnected')
  const sharing = await store.transaction({ orgId }, (tx) => findSharing(tx, integration))
  if (sharing !== undefined) await refreshAccess(deps, sharing, 'disconnected')
  // A new permission allows reads and writes that were left out before.
  if (event.change === 'repositories' || event.change === 'permissions') {
    await store.transaction({ orgId }, (tx) =>
      emit(tx, 'codehost.connected', { orgId, id: integrationId }),
    )
  }
  return { outcome: 'done' }
}

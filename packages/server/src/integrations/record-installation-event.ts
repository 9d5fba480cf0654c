import type { CodehostEvent } from '../providers/codehost.ts'
import { refreshInstallation, type InstallationDeps } from './refresh-installation.ts'
import { findIntegrationRow } from './rows.ts'

export type { InstallationDeps } from './refresh-installation.ts'

/** What an event says is only that something changed. */
type InstallationEvent = Extract<
  CodehostEvent,
  { readonly type: 'installation' | 'authorizationRevoked' }
>

/**
 * Brings an integration up to date after something happened to its installation. GitHub is asked how it stands: events come
 * late and shuffled, and a state is not to be made of the one that was last to arrive. An App that was uninstalled ends the
 * integration, as disconnecting it does.
 *
 * @throws {ProviderError} when GitHub does not say: the webhook is tried again.
 */
export async function recordInstallationEvent(
  deps: InstallationDeps,
  { orgId, integrationId }: { readonly orgId: string; readonly integrationId: string },
  event: InstallationEvent,
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
  await refreshInstallation(deps, integration, 'disconnected')
  if (event.change === 'repositories') {
    await store.transaction({ orgId }, (tx) =>
      emit(tx, 'codehost.connected', { orgId, id: integrationId }),
    )
  }
  return { outcome: 'done' }
}

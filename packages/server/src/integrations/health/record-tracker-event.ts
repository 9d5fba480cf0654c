import { Problem } from '@signalbox/contract'
import { ProviderError } from '../../providers/provider-error.ts'
import type { TrackerEvent } from '../../providers/tracker-event.ts'
import type { OpenTracker } from '../grants/open-provider.ts'
import { findIntegrationRow } from '../rows.ts'
import { refreshAccess, type AccessDeps } from './refresh-access.ts'

/** Lists what following the events of a tracker needs. */
export interface TrackerEventDeps extends AccessDeps {
  readonly openTracker: OpenTracker
}

/** Says what came of an event. */
export type TrackerEventOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'ignored'; readonly reason: string }

/**
 * Follows what a tracker reports. Events may come late, so each is a reason to ask: a revocation of yesterday does not end the
 * connection of today. Asking records that the access has ended, with what to do.
 *
 * @throws {ProviderError} when the tracker cannot be asked: again later.
 */
export async function recordTrackerEvent(
  deps: TrackerEventDeps,
  { orgId, integrationId }: { readonly orgId: string; readonly integrationId: string },
  event: Exclude<TrackerEvent, { readonly type: 'issueChanged' }>,
): Promise<TrackerEventOutcome> {
  if (event.type === 'ignored') return { outcome: 'ignored', reason: event.reason }
  if (event.type === 'accessChanged') return followAccess(deps, { orgId, integrationId })
  try {
    const tracker = await deps.openTracker(orgId)
    await tracker.listProjects({ query: undefined, page: undefined, limit: 1 })
    return { outcome: 'ignored', reason: 'The tracker still accepts Signalbox’s access.' }
  } catch (error) {
    if (hasEnded(error)) return { outcome: 'done' }
    throw error
  }
}

/** Reads what a connection of its own may do now. A shared one follows the integration that it shares. */
async function followAccess(
  deps: AccessDeps,
  { orgId, integrationId }: { readonly orgId: string; readonly integrationId: string },
): Promise<TrackerEventOutcome> {
  const integration = await deps.store.transaction({ orgId }, (tx) =>
    findIntegrationRow(tx, { orgId, kind: 'tracker' }),
  )
  if (integration?.id !== integrationId) {
    return { outcome: 'ignored', reason: 'The integration was disconnected in the meantime.' }
  }
  if (integration.isShared) {
    return { outcome: 'ignored', reason: 'It follows the integration whose connection it uses.' }
  }
  await refreshAccess(deps, integration, 'disconnected')
  return { outcome: 'done' }
}

function hasEnded(error: unknown): boolean {
  return error instanceof Problem
    ? error.code === 'reauth_required' || error.code === 'integration_not_connected'
    : error instanceof ProviderError && error.failure === 'unauthorized'
}

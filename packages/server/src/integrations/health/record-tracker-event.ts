import { Problem } from '@signalbox/contract'
import { ProviderError } from '../../providers/provider-error.ts'
import type { TrackerEvent } from '../../providers/tracker-event.ts'
import type { OpenTracker } from '../grants/open-provider.ts'

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
  { openTracker }: { readonly openTracker: OpenTracker },
  { orgId }: { readonly orgId: string },
  event: TrackerEvent,
): Promise<TrackerEventOutcome> {
  if (event.type === 'ignored') return { outcome: 'ignored', reason: event.reason }
  try {
    const tracker = await openTracker(orgId)
    await tracker.listProjects({ query: undefined, page: undefined, limit: 1 })
    return { outcome: 'ignored', reason: 'The tracker still accepts Signalbox’s access.' }
  } catch (error) {
    if (hasEnded(error)) return { outcome: 'done' }
    throw error
  }
}

function hasEnded(error: unknown): boolean {
  return error instanceof Problem
    ? error.code === 'reauth_required' || error.code === 'integration_not_connected'
    : error instanceof ProviderError && error.failure === 'unauthorized'
}

import { toCaller, toRestrictedCaller } from '../../audit/caller.ts'
import { trackerEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../http/router.ts'
import type { TrackerIssue } from '../../providers/tracker.ts'
import { presentTrackerSync } from '../sync/present-sync.ts'
import { getSync, startTrackerSync } from '../sync/start-sync.ts'
import { enrichMessages } from './enrich-messages.ts'
import type { TrackerDeps } from './tracker-deps.ts'
import { listTrackerProjects } from './tracker-projects.ts'
import { getTracker, presentTracker } from './tracker-status.ts'
import { updateTracker } from './tracker-update.ts'

const position = z.object({ siteId: z.string(), query: z.string(), page: z.string() })

/** Mounts the endpoints of the issue tracker. */
export function mountTracker(router: Router, deps: TrackerDeps): void {
  router
    .add(endpoints.getTracker, {
      handle: (request) => getTracker(deps, toRestrictedCaller(request)),
      present: (view) => presentTracker(view, deps.connectorOf),
    })
    .add(endpoints.updateTracker, {
      async handle(request) {
        const caller = toCaller(request)
        await updateTracker(deps, caller, request.body)
        return getTracker(deps, caller)
      },
      present: (view) => presentTracker(view, deps.connectorOf),
    })
    .add(endpoints.listTrackerProjects, {
      handle(request) {
        const { limit, cursor, query } = request.query
        const after = cursor === undefined ? undefined : request.readCursor(position)
        return listTrackerProjects(deps, toRestrictedCaller(request), { query, limit, after })
      },
      present: ({ projects, next }, request) => ({
        items: [...projects],
        nextCursor: next === undefined ? null : request.writeCursor(next),
      }),
    })
    .add(endpoints.startTrackerSync, {
      handle: (request) => startTrackerSync(deps, toCaller(request)),
      present: presentTrackerSync,
    })
    .add(endpoints.getTrackerSync, {
      handle(request) {
        const { sync_id: id } = request.params
        return getSync(deps, toCaller(request), { id, of: 'tracker' })
      },
      present: presentTrackerSync,
    })
    .add(endpoints.enrichDeployment, {
      handle: (request) => enrichMessages(deps, toRestrictedCaller(request), request.body),
      present: ({ keys, issues, notFound, ignored, notLookedUp }) => ({
        keys: [...keys],
        issues: issues.map(presentIssue),
        notFound: [...notFound],
        ignored: [...ignored],
        notLookedUp: [...notLookedUp],
      }),
    })
}

function presentIssue({ externalId: _ours, title, ...shown }: TrackerIssue) {
  return { ...shown, title: title ?? shown.key }
}

import type { codehostEndpoints, ResponseOf, trackerEndpoints } from '@signalbox/contract/rest'
import type { Sync } from './sync.ts'

/** Returns a sync of the code host as the API shows it. */
export function presentSync(sync: Sync): ResponseOf<typeof codehostEndpoints.getSync> {
  const { repositories, webhooks, environments, deployments, missedWebhooks } = sync.progress
  const counts = { repositories, webhooks, environments, deployments, missedWebhooks }
  return { ...presentState(sync), ...counts }
}

/** Returns a sync of issues as the API shows it. */
export function presentTrackerSync(sync: Sync): ResponseOf<typeof trackerEndpoints.getTrackerSync> {
  const { issues, changedIssues } = sync.progress
  return { ...presentState(sync), issues, changedIssues }
}

function presentState({ id, state, detail, startedAt, finishedAt }: Sync) {
  return {
    syncId: id,
    state,
    detail,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}

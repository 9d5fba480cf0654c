import { createJiraApi } from '../providers/jira/api.ts'
import type { TrackerApi } from '../providers/tracker.ts'
import { openWithGrant, type OpenWithGrantDeps } from './open-with-grant.ts'

/** Opens the site of the tracker that an organization has chosen. */
export type OpenTracker = (orgId: string) => Promise<TrackerApi>

/** The opened tracker throws `Problem` too where the access has ended: `reauth_required`, `integration_not_connected`. */
export function createOpenTracker(deps: OpenWithGrantDeps): OpenTracker {
  return async (orgId) => {
    const { account, call, withAccessToken } = await openWithGrant(deps, orgId, 'tracker')
    if (account.url === null) throw new Error('A site of Jira has no address')
    return createJiraApi({
      call,
      apiUrl: deps.gate.addresses.jiraApi,
      siteId: account.id,
      siteUrl: account.url,
      withAccessToken,
    })
  }
}

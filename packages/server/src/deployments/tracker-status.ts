import type { Connector } from '../integrations/connector.ts'
import type { Integration, IntegrationAccount } from '../integrations/integration.ts'
import { presentIntegration } from '../integrations/present-integration.ts'
import { listIntegrationRows } from '../integrations/rows.ts'
import { trackerSettings, type TrackerSettings } from '../integrations/settings-of-kind.ts'
import type { EnvironmentCaller } from '../integrations/environment-caller.ts'
import type { TrackerDeps } from './tracker-deps.ts'

/** The tracker of an organization: the one in use, or the last one there was. */
export async function getTracker(
  { store }: Pick<TrackerDeps, 'store'>,
  { orgId, scope }: Pick<EnvironmentCaller, 'orgId' | 'scope'>,
): Promise<Integration | undefined> {
  const rows = await store.transaction(scope, (tx) => listIntegrationRows(tx, orgId))
  return rows.find(({ kind }) => kind === 'tracker')
}

/** How the tracker stands, as it is answered. */
export function presentTracker(integration: Integration | undefined, connector?: Connector) {
  const isThere = integration !== undefined && integration.state !== 'disconnected'
  const { sites, projectKeys } = readTrackerSettings(isThere ? integration : undefined)
  const account = isThere ? integration.account : null
  return {
    ...presentIntegration('tracker', integration, connector),
    site: account && toSite(account),
    sites: account === null ? sites : [],
    projectKeys,
  }
}

function toSite({ id, name, url }: IntegrationAccount) {
  return { id, name, url: url ?? '' }
}

/** What was chosen. Settings that a later version wrote in another form are as good as none. */
export function readTrackerSettings(
  integration: Pick<Integration, 'settings'> | undefined,
): TrackerSettings {
  const parsed = trackerSettings.safeParse(integration?.settings ?? {})
  return parsed.success ? parsed.data : trackerSettings.parse({})
}

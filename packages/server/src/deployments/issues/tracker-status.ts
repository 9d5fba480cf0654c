import type { RestrictedCaller } from '../../audit/caller.ts'
import type { ConnectorOf } from '../../integrations/connect/connectors.ts'
import type { ProviderAccount } from '../../providers/connector.ts'
import type { Integration } from '../../integrations/integration.ts'
import { presentIntegration } from '../../integrations/present-integration.ts'
import { listIntegrationRows } from '../../integrations/rows.ts'
import { trackerSettings, type TrackerSettings } from '../../integrations/settings-of-kind.ts'
import type { TrackerDeps } from './tracker-deps.ts'

/** Describes an organization's tracker, with the integrations that it may share. */
export interface TrackerView {
  /** Holds the one in use, or the last one there was. */
  readonly integration: Integration | undefined
  readonly others: readonly Integration[]
}

/** Returns the tracker of an organization. */
export async function getTracker(
  { store }: Pick<TrackerDeps, 'store'>,
  { orgId, scope }: Pick<RestrictedCaller, 'orgId' | 'scope'>,
): Promise<TrackerView> {
  return toTrackerView(await store.transaction(scope, (tx) => listIntegrationRows(tx, orgId)))
}

/** Finds the tracker among the integrations of an organization. */
export function toTrackerView(rows: readonly Integration[]): TrackerView {
  return { integration: rows.find(({ kind }) => kind === 'tracker'), others: rows }
}

/** Returns the status of the tracker as the API shows it. */
export function presentTracker({ integration, others }: TrackerView, connectorOf: ConnectorOf) {
  const isThere = integration !== undefined && integration.state !== 'disconnected'
  const { sites, projectKeys } = readTrackerSettings(isThere ? integration : undefined)
  const account = isThere ? integration.account : null
  return {
    ...presentIntegration('tracker', integration, connectorOf, others),
    site: account && toSite(account),
    sites: account === null ? sites : [],
    projectKeys,
  }
}

function toSite({ id, name, url }: ProviderAccount) {
  return { id, name, url: url ?? '' }
}

/** Reads the settings of a tracker. Settings that a later version wrote in another form count as none. */
export function readTrackerSettings(
  integration: Pick<Integration, 'settings'> | undefined,
): TrackerSettings {
  const parsed = trackerSettings.safeParse(integration?.settings ?? {})
  return parsed.success ? parsed.data : trackerSettings.parse({})
}

import type { codehostEndpoints, ResponseOf } from '@signalbox/contract/rest'
import type { ConnectorOf } from '../../integrations/connect/connectors.ts'
import type { Integration } from '../../integrations/integration.ts'
import { presentIntegration } from '../../integrations/present-integration.ts'
import { listIntegrationRows } from '../../integrations/rows.ts'
import {
  codehostSettings,
  readKeyWorkflows,
  type CodehostSettings,
} from '../../integrations/settings-of-kind.ts'
import type { Tx } from '../../store/store.ts'
import {
  listShownEnvironments,
  listShownRepositories,
  type ShownHostEnvironment,
  type ShownRepository,
} from './codehost-rows.ts'

/** Describes an organization's code host, with what is known of its contents. */
export interface CodehostView {
  readonly integration: Integration | undefined
  /** The integrations of the organization, one of which may share its connection. */
  readonly others: readonly Integration[]
  readonly settings: CodehostSettings
  readonly repositories: readonly ShownRepository[]
  readonly hostEnvironments: readonly ShownHostEnvironment[]
}

/** Parses the settings of a code host; those of another version count as none. */
export function parseCodehostSettings(stored: unknown): CodehostSettings {
  const { data } = codehostSettings.safeParse(stored)
  return data ?? { ...codehostSettings.parse({}), keyWorkflows: readKeyWorkflows(stored) }
}

/** Reads the status of an organization's code host. After a disconnection only its revocation is shown. */
export async function readCodehost(tx: Tx, orgId: string): Promise<CodehostView> {
  const rows = await listIntegrationRows(tx, orgId)
  const integration = rows.find(({ kind }) => kind === 'codehost')
  const isThere = integration !== undefined && integration.state !== 'disconnected'
  return {
    integration,
    others: rows,
    settings: parseCodehostSettings(isThere ? integration.settings : undefined),
    repositories: isThere ? await listShownRepositories(tx, orgId) : [],
    hostEnvironments: isThere ? await listShownEnvironments(tx, orgId) : [],
  }
}

/** Returns the code host as the API shows it. */
export function presentCodehost(
  { integration, others, settings, repositories, hostEnvironments }: CodehostView,
  connectorOf: ConnectorOf,
): ResponseOf<typeof codehostEndpoints.getCodehost> {
  return {
    ...presentIntegration('codehost', integration, connectorOf, others),
    repositories: repositories.map(({ externalId, ...repository }) => ({
      id: externalId,
      ...repository,
    })),
    environmentMap: settings.environmentMap,
    hostEnvironments: hostEnvironments.map((environment) => ({ ...environment })),
    testWorkflows: settings.testWorkflows,
    keyWorkflows: settings.keyWorkflows,
  }
}

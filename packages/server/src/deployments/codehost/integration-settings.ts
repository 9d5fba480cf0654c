import { environmentRule, type IntegrationKind } from '@signalbox/contract/rest'
import { z } from 'zod'
import { listIntegrationRows } from '../../integrations/rows.ts'
import type { Tx } from '../../store/store.ts'
import type { TrackedProjects } from '../issues/issue-keys.ts'
import type { MappingRule } from '../environments/map-environment.ts'

/** Describes the choices of an organization that decide about deployments. */
export interface DeploymentSettings {
  readonly rules: readonly MappingRule[]
  /** Empty without a tracker: nothing is a key then. */
  readonly trackedProjects: TrackedProjects
}

// A rule that a later version wrote in another form is no reason to lose a deployment.
const rulesOf = z
  .object({ environmentMap: z.array(z.unknown()).catch([]) })
  .catch({ environmentMap: [] })
const projectsOf = z
  .object({ projectKeys: z.array(z.string()).nullable().default(null) })
  .catch({ projectKeys: null })

/** Reads the settings of an organization's code host and tracker. */
export async function readDeploymentSettings(tx: Tx, orgId: string): Promise<DeploymentSettings> {
  const rows = await listIntegrationRows(tx, orgId)
  const settingsOf = (kind: IntegrationKind) =>
    rows.find((row) => row.kind === kind && row.state !== 'pending' && row.state !== 'disconnected')
      ?.settings
  const { environmentMap } = rulesOf.parse(settingsOf('codehost'))
  const rules = environmentMap.flatMap((rule) => environmentRule.safeParse(rule).data ?? [])
  const tracker = settingsOf('tracker')
  return { rules, trackedProjects: tracker === undefined ? new Set() : toTracked(tracker) }
}

/** Returns the tracked projects. No keys, like `null`, stand for all projects. */
function toTracked(settings: unknown): TrackedProjects {
  const { projectKeys } = projectsOf.parse(settings)
  if (projectKeys === null || projectKeys.length === 0) return null
  return new Set(projectKeys.map((key) => key.toUpperCase()))
}

import { environmentRule } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Tx } from '../store/store.ts'
import type { TrackedProjects } from './issue-keys.ts'
import type { MappingRule } from './map-environment.ts'

/** What organizations have chosen, as far as it decides about deployments. */
export interface DeploymentSettings {
  readonly rules: readonly MappingRule[]
  /** Empty without a tracker: nothing is a key then. */
  readonly trackedProjects: TrackedProjects
}

interface SettingsRow {
  readonly kind: 'codehost' | 'tracker'
  readonly settings: unknown
}

// A rule that a later version wrote in another form is no reason to lose a deployment.
const rulesOf = z
  .object({ environmentMap: z.array(z.unknown()).catch([]) })
  .catch({ environmentMap: [] })
const projectsOf = z
  .object({ projectKeys: z.array(z.string()).nullable().default(null) })
  .catch({ projectKeys: null })

/** The settings of an organization's code host and tracker. */
export async function readDeploymentSettings(tx: Tx, orgId: string): Promise<DeploymentSettings> {
  const rows = await tx.query<SettingsRow>({
    name: 'read-deployment-settings',
    text: `select kind, settings from integrations
      where org_id = $1 and kind in ('codehost', 'tracker') and state not in ('pending', 'disconnected')`,
    values: [orgId],
  })
  const of = (kind: SettingsRow['kind']) => rows.find((row) => row.kind === kind)
  const { environmentMap } = rulesOf.parse(of('codehost')?.settings)
  const rules = environmentMap.flatMap((rule) => environmentRule.safeParse(rule).data ?? [])
  const tracker = of('tracker')
  return { rules, trackedProjects: tracker === undefined ? new Set() : toTracked(tracker.settings) }
}

/** No keys, like `null`, stand for all projects. */
function toTracked(settings: unknown): TrackedProjects {
  const { projectKeys } = projectsOf.parse(settings)
  if (projectKeys === null || projectKeys.length === 0) return null
  return new Set(projectKeys.map((key) => key.toUpperCase()))
}

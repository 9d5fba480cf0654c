import { environmentRule, type IntegrationKind } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Integration } from '../../integrations/integration.ts'
import { listIntegrationRows } from '../../integrations/rows.ts'
import { sharesWithOf } from '../../providers/find-provider.ts'
import { grammarOf } from '../../providers/issue-keys/issue-grammars.ts'
import type { IssueGrammar, TrackedContainers } from '../../providers/tracker.ts'
import type { Tx } from '../../store/store.ts'
import type { CountedKeys } from '../issues/issue-keys.ts'
import type { MappingRule } from '../environments/map-environment.ts'

/** Describes the choices of an organization that decide about deployments. */
export interface DeploymentSettings {
  readonly rules: readonly MappingRule[]
  /** Nothing is tracked without a tracker: no key counts then. */
  readonly keys: CountedKeys
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
  const find = (kind: IntegrationKind) =>
    rows.find((row) => row.kind === kind && row.state !== 'pending' && row.state !== 'disconnected')
  const { environmentMap } = rulesOf.parse(find('codehost')?.settings)
  const rules = environmentMap.flatMap((rule) => environmentRule.safeParse(rule).data ?? [])
  const tracker = find('tracker')
  const grammar = grammarOf(tracker?.provider)
  const tracked = tracker === undefined ? new Set<string>() : toTracked(grammar, tracker.settings)
  return { rules, keys: { grammar, tracked, areElsewhere: areElsewhere(tracker) } }
}

/** Returns whether the issues are at another host than the code: the tracker could share its connection, and has its own. */
function areElsewhere(tracker: Integration | undefined): boolean {
  if (tracker === undefined || tracker.isShared) return false
  return sharesWithOf(tracker.provider) !== undefined
}

/** Returns the tracked projects. No keys, like `null`, stand for all projects. */
function toTracked(grammar: IssueGrammar, settings: unknown): TrackedContainers {
  const { projectKeys } = projectsOf.parse(settings)
  if (projectKeys === null || projectKeys.length === 0) return null
  return new Set(projectKeys.map((key) => grammar.toContainer(key)))
}

import type { Segments } from '@signalbox/contract'
import type { Definition } from '../schemas/definition.ts'
import type { CurrentValues } from '../values/current-values.ts'
import {
  resolveValues,
  type PublishableState,
  type ResolvedValues,
} from '../values/resolve-values.ts'
import { renderOpenContent, type OpenContent, type SnapshotTarget } from './compile-snapshot.ts'

/** Describes an environment as clients see it, with what it sets itself. */
export interface EnvironmentView {
  readonly current: CurrentValues
  readonly definition: Definition
  readonly target: SnapshotTarget
  readonly resolved: ResolvedValues
  readonly segments: Segments
  readonly tree: PublishableState['tree']
  readonly content: OpenContent
}

/** Returns the views of environments by id. Leaves out environments that hold no values of the schema in `state`. */
export function viewEnvironments(
  state: PublishableState,
  environmentIds: readonly string[],
): ReadonlyMap<string, EnvironmentView> {
  const { schema, tree, currentValues, segments } = state
  const { definition } = schema
  const views = new Map<string, EnvironmentView>()
  for (const environmentId of environmentIds) {
    const current = currentValues.get(environmentId)
    if (current === undefined) continue
    const environment = tree.get(environmentId)?.name ?? ''
    const resolved = resolveValues(state, environmentId)
    views.set(environmentId, {
      current,
      definition,
      target: { schemaId: schema.id, schema: schema.name, environmentId, environment },
      resolved,
      segments,
      tree,
      content: renderOpenContent(definition, resolved, { environment, segments }),
    })
  }
  return views
}

/** Returns whether two views look the same to every browser, and to everybody who asks for an evaluation. */
export function sameToBrowsers(one: EnvironmentView, other: EnvironmentView): boolean {
  return (
    one.content.text === other.content.text &&
    one.target.schema === other.target.schema &&
    one.target.environment === other.target.environment &&
    sameMembers(one.content.flagSources, other.content.flagSources) &&
    sameMembers(one.content.flagRules, other.content.flagRules)
  )
}

function sameMembers(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const entries = Object.entries(other)
  return (
    Object.keys(one).length === entries.length &&
    entries.every(([key, source]) => one[key] === source)
  )
}

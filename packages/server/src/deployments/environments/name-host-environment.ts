import type { Tx } from '../../store/store.ts'
import { isSynonym, type EnvironmentMapping, type OwnEnvironment } from './map-environment.ts'
import { listHostEnvironments } from './mapping-rows.ts'

/** Describes an environment as a pipeline names it. */
export interface PipelineEnvironment {
  readonly repositoryId: string
  readonly name: string
  readonly mapping: EnvironmentMapping
  readonly own: readonly OwnEnvironment[]
}

/**
 * Returns the name under which the deployments of an environment are kept. A pipeline may say `prod` where the code host
 * says `production`: under two names, neither deployment replaces the other.
 */
export async function nameHostEnvironment(
  tx: Tx,
  orgId: string,
  { repositoryId, name, mapping, own }: PipelineEnvironment,
): Promise<string> {
  if (mapping.environmentId === null) return name
  const known = await listHostEnvironments(tx, orgId, repositoryId)
  if (known.some((one) => one.name.toLowerCase() === name.toLowerCase())) return name
  const same = known.find(
    (one) => one.environmentId === mapping.environmentId && isSynonym(one.name, name),
  )
  if (same !== undefined) return same.name
  const ours = own.find(({ id }) => id === mapping.environmentId)
  return ours !== undefined && isSynonym(ours.name, name) ? ours.name : name
}

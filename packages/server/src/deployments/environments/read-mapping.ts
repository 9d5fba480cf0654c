import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import type { Tx } from '../../store/store.ts'
import { readDeploymentSettings } from '../codehost/integration-settings.ts'
import { mapEnvironment, type EnvironmentMapping } from './map-environment.ts'

/** Returns which of our environments the host environment of a repository is; `null`: of one that only pipelines know. */
export type MapName = (name: string, repositoryExternalId: string | null) => EnvironmentMapping

/** Reads by what environments are mapped. Hold the lock of the repository: the rules may change otherwise. */
export async function readMapping(tx: Tx, orgId: string): Promise<MapName> {
  const { rules } = await readDeploymentSettings(tx, orgId)
  const own = await listEnvironmentRows(tx, orgId)
  return (name, repositoryId) => mapEnvironment({ name, repositoryId }, rules, own)
}

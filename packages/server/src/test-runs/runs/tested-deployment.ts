import { testWorkflow } from '@signalbox/contract/rest'
import { z } from 'zod'
import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import {
  findDeploymentOnTarget,
  keepOnTarget,
  type DeploymentOnTarget,
} from '../../deployments/reports/target-rows.ts'
import { isUsable } from '../../integrations/integration.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import type { Tx } from '../../store/store.ts'
import type { TestWorkflow } from '../workflows/choose-workflow.ts'
import { listRunsUnderWay } from './run-rows.ts'

/** Describes a deployment as far as it decides how it is tested. */
export interface TestedDeployment extends DeploymentOnTarget {
  /** Says whether the environment is production. Without a mapped one, the host's name decides: whether it looks like production. */
  readonly isProduction: boolean
}

/** Finds a deployment, and whether it is one to production. */
export async function findTestedDeployment(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<TestedDeployment | undefined> {
  const deployment = await findDeploymentOnTarget(tx, orgId, id)
  if (deployment === undefined) return undefined
  const { environmentId, hostEnvironment } = deployment
  const environments = environmentId === null ? [] : await listEnvironmentRows(tx, orgId)
  const environment = environments.find((row) => row.id === environmentId)
  const isProduction = environment?.production ?? /^(?:live|prod)/i.test(hostEnvironment)
  return { ...deployment, isProduction }
}

/** Lists the runs of other deployments on the same target that were under way when a deployment went live. */
export async function listDisturbedRuns(
  tx: Tx,
  orgId: string,
  { id, liveAt, wasLive }: Pick<TestedDeployment, 'id' | 'liveAt' | 'wasLive'>,
): Promise<string[]> {
  if (!wasLive) return []
  const underWay = await listRunsUnderWay(tx, orgId, liveAt)
  const tested = [...new Set(underWay.map(({ deploymentId }) => deploymentId))]
  const onTarget = await keepOnTarget(tx, orgId, id, tested)
  return underWay.filter(({ deploymentId }) => onTarget.has(deploymentId)).map((run) => run.id)
}

/**
 * Reads which workflows test deployments, from the settings of the connected code host; none without one. Settings of
 * another version may hold entries that are not understood: the others count all the same.
 */
export async function readTestWorkflows(tx: Tx, orgId: string): Promise<TestWorkflow[]> {
  const codehost = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
  if (codehost === undefined || !isUsable(codehost)) return []
  const entries = storedWorkflows.parse(codehost.settings).testWorkflows
  return entries.flatMap((entry) => testWorkflow.safeParse(entry).data ?? [])
}

const storedWorkflows = z
  .object({ testWorkflows: z.array(z.unknown()).catch([]) })
  .catch({ testWorkflows: [] })

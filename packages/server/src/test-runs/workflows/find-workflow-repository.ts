import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import type { TestedDeployment } from '../runs/tested-deployment.ts'
import {
  listTrackedRepositories,
  type TrackedRepository,
} from '../../deployments/codehost/tracked-repository-rows.ts'
import { listRepositoriesWith } from './workflow-rows.ts'

/**
 * Finds the repository of a workflow: the one that is named, else that of the deployment, else the only one that has such
 * a workflow, else the only one there is.
 *
 * @throws {Problem} `not_found`, `validation_failed`
 */
export async function findWorkflowRepository(
  tx: Tx,
  orgId: string,
  of: {
    readonly workflowId: string
    readonly repositoryId?: string | undefined
    readonly deployment: TestedDeployment | undefined
  },
): Promise<TrackedRepository> {
  const { workflowId, deployment } = of
  const externalId = of.repositoryId ?? deployment?.repositoryExternalId ?? undefined
  if (externalId !== undefined) {
    const [named] = await listTrackedRepositories(tx, orgId, externalId)
    if (named === undefined) throw notFound()
    return named
  }
  const tracked = await listTrackedRepositories(tx, orgId)
  const ids = await listRepositoriesWith(tx, orgId, workflowId)
  const having = tracked.filter(({ id }) => ids.includes(id))
  const possible = having.length > 0 ? having : tracked
  const [only, ...others] = possible
  if (only !== undefined && others.length === 0) return only
  const detail = 'No repository matches, or more than one does. Use the id of the repository.'
  throw new Problem('validation_failed', detail, {
    errors: [{ pointer: '/repositoryId', code: 'validation_failed', detail }],
  })
}

import { Problem } from '@signalbox/contract'
import { notFound } from '../http/problem-response.ts'
import type { Tx } from '../store/store.ts'
import type { TestedDeployment } from './deployment-rows.ts'
import {
  listRepositoriesWith,
  listWorkflowRepositories,
  type WorkflowRepository,
} from './workflow-rows.ts'

/**
 * The repository whose workflow is meant: the one that is named, else that of the deployment, else the only one that has such
 * a workflow, else the only one there is.
 *
 * @throws {Problem} `not_found`, `validation_failed`
 */
export async function findWorkflowPlace(
  tx: Tx,
  orgId: string,
  of: {
    readonly workflowId: string
    readonly repositoryId?: string | undefined
    readonly deployment: TestedDeployment | undefined
  },
): Promise<WorkflowRepository> {
  const { workflowId, deployment } = of
  const externalId = of.repositoryId ?? deployment?.repositoryExternalId ?? undefined
  if (externalId !== undefined) {
    const [named] = await listWorkflowRepositories(tx, orgId, externalId)
    if (named === undefined) throw notFound()
    return named
  }
  const having = await listRepositoriesWith(tx, orgId, workflowId)
  const possible = having.length > 0 ? having : await listWorkflowRepositories(tx, orgId, undefined)
  const [only, ...others] = possible
  if (only !== undefined && others.length === 0) return only
  const detail = 'More than one repository, or none, can be meant. Give the number of one.'
  throw new Problem('validation_failed', detail, {
    errors: [{ pointer: '/repositoryId', code: 'validation_failed', detail }],
  })
}

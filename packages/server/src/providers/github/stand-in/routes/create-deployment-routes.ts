import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { notFound } from '../errors.ts'
import { toDeployment, toDeploymentStatus } from '../shapes/deployment.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'

const read = ['deployments', 'read'] as const

/** Creates the routes of deployments and of their statuses. Lists are newest first. `activity` makes both. */
export function createDeploymentRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'GET /deployments', read, listDeployments),
    toRoute(deps, 'GET /deployments/:deployment/statuses', read, listStatuses),
  ]
}

function listDeployments(request: RepositoryRequest): Answer {
  const { repository, addresses, query } = request
  // GitHub's default of these filters is `none`, which filters nothing.
  const isWanted = (name: string, value: string) => {
    const filter = query.get(name)
    return filter === null || filter === 'none' || filter === value
  }
  const deployments = [...repository.deployments.values()].filter(
    ({ sha, ref, task, environment }) =>
      isWanted('sha', sha) &&
      isWanted('ref', ref) &&
      isWanted('task', task) &&
      isWanted('environment', environment),
  )
  const { items, headers } = pageOf(request, deployments.toReversed())
  return json(
    items.map((deployment) => toDeployment(addresses, repository, deployment)),
    200,
    headers,
  )
}

function listStatuses(request: RepositoryRequest): Answer {
  const { repository, addresses, params } = request
  const deployment = repository.deployments.get(Number(params['deployment']))
  if (deployment === undefined) return notFound()
  const { items, headers } = pageOf(request, deployment.statuses.toReversed())
  return json(
    items.map((status) => toDeploymentStatus(addresses, repository, { deployment, status })),
    200,
    headers,
  )
}

import { empty, json } from '../../http/answers.ts'
import type { Answer, Route } from '../../http/route.ts'
import { notFound, refuse } from '../errors.ts'
import { toDeployment } from '../shapes/deployment.ts'
import type { GithubDeployment, GithubRepository } from '../state.ts'
import { createDeployment } from './create-deployment.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'

const read = ['deployments', 'read'] as const
const write = ['deployments', 'write'] as const

/** Creates the routes of deployments. Lists are newest first. */
export function createDeploymentRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'GET /deployments', read, listDeployments),
    toRoute(deps, 'POST /deployments', write, (request) => createDeployment(deps, request)),
    toRoute(deps, 'GET /deployments/:deployment', read, ({ repository, addresses, params }) => {
      const deployment = findDeployment(repository, params['deployment'])
      return deployment === undefined
        ? notFound()
        : json(toDeployment(addresses, repository, deployment))
    }),
    toRoute(deps, 'DELETE /deployments/:deployment', write, ({ repository, params }) => {
      const deployment = findDeployment(repository, params['deployment'])
      if (deployment === undefined) return notFound()
      const isActive = deployment.statuses.at(-1)?.state === 'success'
      if (isActive && repository.deployments.size > 1) {
        return refuse(422, 'We cannot delete an active deployment unless it is the only one.')
      }
      repository.deployments.delete(deployment.id)
      return empty()
    }),
  ]
}

/** Finds a deployment by the id in an address. */
export function findDeployment(
  { deployments }: GithubRepository,
  id = '',
): GithubDeployment | undefined {
  return deployments.get(Number(id))
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

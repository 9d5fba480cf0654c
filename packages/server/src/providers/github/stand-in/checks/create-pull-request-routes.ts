import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import { notFound } from '../errors.ts'
import { toRoute, type RepositoryParts } from '../routes/repository-route.ts'
import { toPullRequest } from './pull-request-shape.ts'

/**
 * Creates the route of a pull request.
 *
 * @see https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request
 */
export function createPullRequestRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'GET /pulls/:number', ['pull_requests', 'read'], (request) => {
      const { repository, addresses, params } = request
      const pull = repository.proposals.get(Number(params['number']))
      return pull === undefined ? notFound() : json(toPullRequest(addresses, repository, pull))
    }),
  ]
}

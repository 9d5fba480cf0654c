import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import type { ForgejoApi } from '../access.ts'
import { notFound } from '../errors.ts'
import type { ForgejoParts } from '../parts.ts'
import { presentPull } from '../pull-shapes.ts'

/**
 * Creates the route of a pull request.
 *
 * @see https://codeberg.org/api/swagger#/repository/repoGetPullRequest
 */
export function pullRoutes({ state }: ForgejoParts, api: ForgejoApi): Route[] {
  return [
    api.inRepository('GET /pulls/:number', ({ request, repository }) => {
      const pull = repository.pulls.get(Number(request.params['number']))
      return pull === undefined ? notFound(state) : json(presentPull(state, repository, pull))
    }),
  ]
}

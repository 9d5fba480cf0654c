import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import { notFound } from '../errors.ts'
import { toEnvironment } from '../shapes/environment.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryParts } from './repository-route.ts'

const read = ['actions', 'read'] as const

/**
 * Creates the routes of environments. Names arrive URL-encoded, with their slashes. Reading needs the permission
 * `actions`, as on GitHub.
 */
export function createEnvironmentRoutes(deps: RepositoryParts): Route[] {
  const one = '/environments/*name'
  return [
    toRoute(deps, 'GET /environments', read, (request) => {
      const { repository, addresses } = request
      const all = [...repository.environments.values()]
      const { items, headers } = pageOf(request, all)
      const environments = items.map((item) => toEnvironment(addresses, repository, item))
      return json({ total_count: all.length, environments }, 200, headers)
    }),
    toRoute(deps, `GET ${one}`, read, ({ repository, addresses, params: { name = '' } }) => {
      const environment = repository.environments.get(name.toLowerCase())
      return environment === undefined
        ? notFound()
        : json(toEnvironment(addresses, repository, environment))
    }),
  ]
}

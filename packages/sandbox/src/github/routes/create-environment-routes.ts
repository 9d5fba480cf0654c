import { empty, json } from '../../http/answers.ts'
import type { Route } from '../../http/route.ts'
import { notFound, refuse } from '../errors.ts'
import { toEnvironment } from '../shapes/environment.ts'
import { createInput } from './create-input.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryParts } from './repository-route.ts'

const read = ['actions', 'read'] as const
const administer = ['administration', 'write'] as const
const nameCharactersMax = 255

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
    toRoute(deps, `PUT ${one}`, administer, (request) => {
      const { repository, addresses, params } = request
      const { name = '' } = params
      const input = createInput(request)
      const policy = input.object('deployment_branch_policy')
      const rejection = input.rejection()
      if (rejection !== undefined) return rejection
      if (name.trim() === '' || name.length > nameCharactersMax) {
        return refuse(422, 'The name of an environment has 1 to 255 characters.')
      }
      if (policy && policy['protected_branches'] === policy['custom_branch_policies']) {
        const message = 'protected_branches and custom_branch_policies cannot have the same value.'
        return refuse(422, message)
      }
      const environment = deps.activity.addEnvironment(repository, name)
      environment.updatedAt = deps.state.clock.now()
      return json(toEnvironment(addresses, repository, environment))
    }),
    toRoute(deps, `DELETE ${one}`, administer, ({ repository, params: { name = '' } }) =>
      deps.activity.removeEnvironment(repository, name) ? empty() : notFound(),
    ),
  ]
}

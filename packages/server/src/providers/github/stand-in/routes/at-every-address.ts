import type { Answer, Route, SandboxRequest } from '../../../../../../sandbox/src/http/route.ts'
import { refuse } from '../errors.ts'
import { addressesOf } from '../shapes/addresses.ts'
import { findRepository, type GithubRepository } from '../state.ts'
import type { GithubParts } from '../parts.ts'

type Parts = Pick<GithubParts, 'state' | 'authorize'>

/**
 * Adds routes to a repository by its id, and redirects from its former names to them: 301, or 307 where the method
 * must stay. A caller who may not see the repository gets 404.
 */
export function atEveryAddress(deps: Parts, routes: readonly Route[]): Route[] {
  return routes.flatMap((route) => [
    { ...route, handle: (request) => redirectToId(deps, request) ?? route.handle(request) },
    {
      ...route,
      path: route.path.replace('/repos/:owner/:repo', '/repositories/:id'),
      handle(request) {
        const repository = deps.state.repositories.get(Number(request.params['id']))
        return route.handle(repository === undefined ? request : nameIn(request, repository))
      },
    },
  ])
}

function redirectToId({ state, authorize }: Parts, request: SandboxRequest): Answer | undefined {
  const { owner = '', repo = '' } = request.params
  if (findRepository(state, owner, repo) !== undefined) return undefined
  const id = state.formerNames.get(`${owner}/${repo}`.toLowerCase())
  const repository = id === undefined ? undefined : state.repositories.get(id)
  if (repository === undefined) return undefined
  const authorized = authorize(nameIn(request, repository), ['metadata', 'read'])
  if ('refused' in authorized) return authorized.refused
  const below = request.path.replace(/^\/repos\/[^/]+\/[^/]+/, '')
  const query = request.query.size > 0 ? `?${request.query.toString()}` : ''
  const url = `${addressesOf(state).api}/repositories/${repository.id}${below}${query}`
  const answer = refuse(request.method === 'GET' ? 301 : 307, 'Moved Permanently', { url })
  return { ...answer, headers: { ...answer.headers, location: url } }
}

/** Returns the request as for the current name of the repository. */
function nameIn(request: SandboxRequest, { owner, name }: GithubRepository): SandboxRequest {
  return { ...request, params: { ...request.params, owner: owner.login, repo: name } }
}

import { json } from '../../../../../sandbox/src/http/answers.ts'
import { bearerOf } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import { notFound, refuse } from './errors.ts'
import type { ForgejoParts } from './parts.ts'
import {
  accessModes,
  findRenamed,
  findRepository,
  type ForgejoAccess,
  type ForgejoRepository,
  type ForgejoUser,
} from './state.ts'

/** Describes a request of a person that the API has admitted. */
export interface ForgejoCall {
  readonly request: SandboxRequest
  readonly user: ForgejoUser
}

/** Describes a request for a repository that the person may see. */
export interface RepositoryCall extends ForgejoCall {
  readonly repository: ForgejoRepository
}

/** Names a category of scopes. */
type Category = 'issue' | 'repository' | 'user'

/** Creates the routes of the API: each checks token, scope, repository and right, in this order. */
export interface ForgejoApi {
  /** Creates a route outside of repositories, with the categories whose scopes it takes. */
  route(
    at: string,
    categories: readonly Category[],
    handle: (call: ForgejoCall) => Answer | Promise<Answer>,
  ): Route
  /**
   * Creates a route below `/repos/:owner/:repo`. `right`: the lowest that may use it. Default `read`. `category`: whose scopes it
   * takes. Default `repository`.
   */
  inRepository(
    at: string,
    handle: (call: RepositoryCall) => Answer | Promise<Answer>,
    right?: ForgejoAccess,
    category?: Category,
  ): Route
}

/** Creates the checks of the API. */
export function createApi({ state, tokens }: ForgejoParts): ForgejoApi {
  const api: ForgejoApi = {
    route(at, categories, handle) {
      return route(at, (request) => {
        const secret = bearerOf(request)
        if (secret === '') return refuse(state, 401, 'token is required')
        const token = tokens.findGood(secret)?.grant
        if (token === undefined) {
          return refuse(state, 401, 'user does not exist [uid: 0, name: ]')
        }
        const missing = missingScope(token.scopes, categories, at.startsWith('GET '))
        if (missing !== undefined) {
          const text = `token does not have at least one of required scope(s): [${missing}]`
          return refuse(state, 403, text)
        }
        return handle({ request, user: token.user })
      })
    },
    inRepository(at, handle, right = 'read', category = 'repository') {
      const full = at.replace(' ', ' /repos/:owner/:repo')
      return api.route(full, [category], ({ request, user }) => {
        const name = `${request.params['owner']}/${request.params['repo']}`
        const repository = findRepository(state, name)
        if (repository === undefined) return redirectRenamed(request, name)
        const own = repository.members.get(user.id)
        if (own === undefined && repository.isPrivate) return notFound(state)
        const held = own ?? 'read'
        const isAllowed = accessModes.indexOf(held) >= accessModes.indexOf(right)
        if (isAllowed) return handle({ request, user, repository })
        return refuse(
          state,
          403,
          'user should be an owner or a collaborator with admin write of a repository',
        )
      })
    },
  }
  return api

  /** A former name leads to the present one, by 307 for every method. */
  function redirectRenamed({ path, query }: SandboxRequest, name: string): Answer {
    const renamed = findRenamed(state, name)
    if (renamed === undefined) return notFound(state)
    const rest = path.split('/').slice(4).join('/')
    const search = query.size === 0 ? '' : `?${query.toString()}`
    const location = `${state.baseUrl}/api/v1/repos/${renamed.fullName}/${rest}${search}`
    return { status: 307, headers: { location } }
  }
}

function missingScope(
  scopes: readonly string[] | undefined,
  categories: readonly Category[],
  isRead: boolean,
): string | undefined {
  if (scopes === undefined) return undefined
  const level = isRead ? 'read' : 'write'
  const missing = categories.find(
    (category) =>
      !scopes.includes('all') &&
      !scopes.includes(`write:${category}`) &&
      !(isRead && scopes.includes(`read:${category}`)),
  )
  return missing && `${level}:${missing}`
}

/** Answers a path that the API does not have. */
export function unknownRoute(): Answer {
  return json({ errors: null, message: 'not found' }, 404)
}

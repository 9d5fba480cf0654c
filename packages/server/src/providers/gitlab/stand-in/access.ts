import { json } from '../../../../../sandbox/src/http/answers.ts'
import { bearerOf } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import { forbidden, notFound, refuse, unauthorized } from './errors.ts'
import type { GitlabParts } from './parts.ts'
import {
  accessLevels,
  findProject,
  type GitlabProject,
  type GitlabRole,
  type GitlabUser,
} from './state.ts'
import type { GitlabGrant } from './tokens.ts'

/** Describes a request of a person that the API has admitted. */
export interface GitlabCall {
  readonly request: SandboxRequest
  readonly user: GitlabUser
}

/** Describes a request for a project that the person may see. */
export interface ProjectCall extends GitlabCall {
  readonly project: GitlabProject
}

/** Creates the routes of the API: each counts the call, and checks token, scope, project and role, in this order. */
export interface GitlabApi {
  /** Creates a route outside of projects. `read`: whatever its method, it only reads. */
  route(at: string, handle: (call: GitlabCall) => Answer | Promise<Answer>, access?: 'read'): Route
  /** Creates a route below `/projects/:id`. `role` is the lowest that may use it; default guest, and nobody for public ones. */
  inProject(
    at: string,
    handle: (call: ProjectCall) => Answer | Promise<Answer>,
    role?: GitlabRole,
  ): Route
}

/** Creates the checks of the API. Reading takes `read_api`, everything else `api`. */
export function createApi(parts: GitlabParts): GitlabApi {
  const api: GitlabApi = {
    route(at, handle, access) {
      const isRead = access === 'read' || at.startsWith('GET ')
      return route(at, async (request) => {
        const authorized = authorize(parts, request)
        if ('refused' in authorized) return authorized.refused
        const { isOver, headers } = parts.limits.count(authorized.user.username)
        if (isOver) return { status: 429, headers, body: 'Retry later\n' }
        const answer =
          missingScope(authorized, isRead) ?? (await handle({ request, user: authorized.user }))
        return { ...answer, headers: { ...headers, ...answer.headers } }
      })
    },
    inProject(at, handle, role = 'guest') {
      return api.route(at.replace(' ', ' /projects/:id'), ({ request, user }) => {
        const named = request.params['id'] ?? ''
        const former = parts.state.formerPaths.get(named.toLowerCase())
        const project = findProject(parts.state, named) ?? parts.state.projects.get(former ?? 0)
        if (project === undefined) return notFound('Project')
        const own = project.members.get(user.id)
        if (own === undefined && project.visibility === 'private') return notFound('Project')
        const isAllowed = own !== undefined && accessLevels[own] >= accessLevels[role]
        const isOpen = role === 'guest' && project.visibility !== 'private'
        if (!isAllowed && !isOpen) return forbidden()
        if (former === project.id) return sendOn(parts.state, request, project)
        return handle({ request, user, project })
      })
    },
  }
  return api
}

/**
 * Sends on to the number of a project that is asked for by a former path.
 *
 * @see https://docs.gitlab.com/api/rest/#redirects
 */
function sendOn(
  { baseUrl }: GitlabParts['state'],
  { method, path, query }: SandboxRequest,
  { id }: GitlabProject,
): Answer {
  if (method !== 'GET') return refuse(405, 'Non GET methods are not allowed for moved projects')
  const rest = path.split('/').slice(3).join('/')
  const search = query.size === 0 ? '' : `?${query.toString()}`
  const location = `${baseUrl}/api/v4/projects/${id}${rest === '' ? '' : `/${rest}`}${search}`
  return {
    ...json({ message: `This resource has been moved permanently to ${location}` }, 301),
    headers: { location },
  }
}

function authorize(
  { tokens }: GitlabParts,
  request: SandboxRequest,
): GitlabGrant | { readonly refused: Answer } {
  const own = request.headers['private-token']
  const secret = own ?? bearerOf(request)
  const token = tokens.find(secret)
  if (token === undefined) {
    if (secret === '' || own !== undefined) return { refused: unauthorized() }
    const text = 'Token was revoked. You have to re-authorize from the user.'
    return { refused: json({ error: 'invalid_token', error_description: text }, 401) }
  }
  // An access token that a person made works in both headers, one of OAuth only as Bearer.
  if (own !== undefined && token.grant.clientId !== undefined) return { refused: unauthorized() }
  if (!tokens.isExpired(token)) return token.grant
  const text = 'Token is expired. You can either do re-authorization or token refresh.'
  return { refused: json({ error: 'invalid_token', error_description: text }, 401) }
}

function missingScope({ scopes }: GitlabGrant, isRead: boolean): Answer | undefined {
  if (scopes.includes('api') || (isRead && scopes.includes('read_api'))) return undefined
  const text = 'The request requires higher privileges than provided by the access token.'
  const scope = isRead ? 'api read_api' : 'api'
  return json({ error: 'insufficient_scope', error_description: text, scope }, 403)
}

/** Answers a path that the API does not have. */
export function unknownRoute(): Answer {
  return json({ error: '404 Not Found' }, 404)
}

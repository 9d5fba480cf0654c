import { json } from '../../../../../sandbox/src/http/answers.ts'
import { bearerOf, readJson } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import { refuse } from './errors.ts'
import {
  storeVariable,
  type VercelProject,
  type VercelState,
  type VercelType,
  type VercelVariable,
} from './state.ts'

const types: readonly VercelType[] = ['plain', 'encrypted', 'sensitive']
const environments = ['production', 'preview', 'development']
const pageItems = 20

/**
 * Creates the routes of projects and their environment variables, as far as they are written from outside.
 *
 * @see https://vercel.com/docs/rest-api/projects
 */
export function projectRoutes(state: VercelState): Route[] {
  const within = (
    handle: (request: SandboxRequest, project: VercelProject) => Answer,
  ): Route['handle'] => {
    return (request) => {
      if (!state.tokens.has(bearerOf(request))) {
        return { ...refuse(403, 'forbidden', 'Not authorized'), status: 403 }
      }
      const project = isOfTeam(state, request) ? findProject(state, request) : undefined
      return project === undefined
        ? refuse(404, 'not_found', 'Project not found.')
        : handle(request, project)
    }
  }
  const one = '/v9/projects/:project/env/:id'
  return [
    route(
      'GET /v9/projects/:project',
      within((_request, { id, name }) => json({ id, name, accountId: state.team.id })),
    ),
    route(
      'GET /v10/projects/:project/env',
      within((request, { variables }) => listVariables(request, [...variables.values()])),
    ),
    route(
      'POST /v10/projects/:project/env',
      within((request, project) => createVariable(state, request, project)),
    ),
    route(
      `PATCH ${one}`,
      within((request, { variables }) => {
        const variable = variables.get(request.params['id'] ?? '')
        if (variable === undefined) return unknownVariable()
        const { value } = readJson(request)
        if (typeof value !== 'string')
          return refuse(400, 'bad_request', '`value` should be string.')
        Object.assign(variable, { value, updatedAt: state.clock.now().getTime() })
        return json(present(variable))
      }),
    ),
    route(
      `DELETE ${one}`,
      within((request, { variables }) => {
        const variable = variables.get(request.params['id'] ?? '')
        if (variable === undefined) return unknownVariable()
        variables.delete(variable.id)
        return json(present(variable))
      }),
    ),
  ]
}

function isOfTeam({ team }: VercelState, { query }: SandboxRequest): boolean {
  return query.get('teamId') === team.id || query.get('slug') === team.slug
}

function findProject({ projects }: VercelState, { params }: SandboxRequest) {
  const { project = '' } = params
  return [...projects.values()].find(({ id, name }) => id === project || name === project)
}

function unknownVariable(): Answer {
  return refuse(404, 'not_found', 'The environment variable was not found.')
}

function listVariables({ query }: SandboxRequest, all: readonly VercelVariable[]): Answer {
  const from = Number(query.get('until') ?? 0)
  const items = all.slice(from, from + pageItems)
  const next = from + pageItems < all.length ? from + pageItems : null
  return json({ envs: items.map(present), pagination: { count: items.length, next, prev: null } })
}

function createVariable(
  state: VercelState,
  request: SandboxRequest,
  project: VercelProject,
): Answer {
  const { key, value, target, type: requestedType, gitBranch } = readJson(request)
  const type = types.find((known) => known === requestedType)
  const environmentNames = Array.isArray(target)
    ? environments.filter((known) => target.includes(known))
    : []
  if (typeof key !== 'string' || typeof value !== 'string' || type === undefined) {
    return refuse(400, 'bad_request', 'Invalid request: `key`, `value` and `type` are required.')
  }
  if (environmentNames.length === 0)
    return refuse(400, 'bad_request', 'Invalid request: `target` is required.')
  if (type === 'sensitive' && environmentNames.includes('development')) {
    const message = 'You cannot set a Sensitive Environment Variable’s target to development.'
    return refuse(400, 'bad_request', message)
  }
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) {
    return refuse(400, 'INVALID_KEY', 'The name contains invalid characters.')
  }
  const branch = typeof gitBranch === 'string' ? gitBranch : null
  const isThere = [...project.variables.values()].some(
    (known) =>
      known.key === key &&
      known.gitBranch === branch &&
      known.target.some((environment) => environmentNames.includes(environment)),
  )
  if (isThere) {
    const message = `A variable with the name \`${key}\` already exists for the target ${environmentNames.join(', ')}.`
    return refuse(400, 'ENV_CONFLICT', message)
  }
  const created = storeVariable(state, project, {
    key,
    value,
    type,
    target: environmentNames,
    gitBranch: branch,
  })
  return json({ created: present(created), failed: [] }, 201)
}

/** Shows no value of a sensitive variable, as Vercel does. */
function present({ value, ...variable }: VercelVariable) {
  return { ...variable, value: variable.type === 'sensitive' ? '' : value, decrypted: false }
}

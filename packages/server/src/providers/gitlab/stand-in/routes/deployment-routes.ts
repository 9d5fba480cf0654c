import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import type { GitlabApi, ProjectCall } from '../access.ts'
import { badParameter, notFound, refuse } from '../errors.ts'
import { answerPage } from '../paging.ts'
import type { GitlabParts } from '../parts.ts'
import { toDeployment, toEnvironment } from '../shapes/deployment.ts'
import {
  findEnvironment,
  type GitlabDeployment,
  type GitlabProject,
  type GitlabState,
} from '../state.ts'

const orders = ['id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref'] as const
const statuses: ReadonlySet<string> = new Set([
  'created',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'blocked',
])

/**
 * Creates the routes of deployments and environments.
 *
 * @see https://docs.gitlab.com/api/deployments/
 */
export function deploymentRoutes({ state }: GitlabParts, api: GitlabApi): Route[] {
  const read = (at: string, handle: (call: ProjectCall) => Answer) =>
    api.inProject(at, handle, 'reporter')
  return [
    read('GET /deployments', (call) => listDeployments(state, call)),
    read('GET /deployments/:deployment_id', ({ request, project }) => {
      const deployment = project.deployments.get(Number(request.params['deployment_id']))
      return deployment === undefined
        ? notFound('Deployment')
        : json(toDeployment(state, project, deployment))
    }),
    read('GET /environments', (call) => listEnvironments(state, call)),
  ]
}

function listDeployments(state: GitlabState, { request, project }: ProjectCall): Answer {
  const { query } = request
  const by = orders.find((order) => order === (query.get('order_by') ?? 'id'))
  if (by === undefined) return badParameter('order_by does not have a valid value')
  const status = query.get('status')
  if (status !== null && !statuses.has(status)) {
    return badParameter('status does not have a valid value')
  }
  const violation = violationOf(query, by)
  if (violation !== undefined) return refuse(400, `400 Bad request - ${violation}`)
  const isRising = query.get('sort') !== 'desc'
  const deployments = [...project.deployments.values()]
    .filter((deployment) => isFound(query, project, deployment))
    .toSorted((one, other) => {
      const [first, second] = [valueOf(one, by), valueOf(other, by)]
      if (first !== second) return first < second === isRising ? -1 : 1
      // Breaks ties by the id, newest first, as the finder does.
      return other.id - one.id
    })
  return answerPage(state, request, deployments, (one) => toDeployment(state, project, one))
}

/** Returns why the finder refuses a query that it cannot answer from an index. */
function violationOf(query: URLSearchParams, by: (typeof orders)[number]): string | undefined {
  const has = (field: string) => query.has(`${field}_after`) || query.has(`${field}_before`)
  if (has('updated') && by !== 'updated_at') {
    // Production answers such a query in another order without a word; a development instance refuses it.
    return '`updated_at` filter and `updated_at` sorting must be paired'
  }
  if (has('finished') !== (by === 'finished_at')) {
    return '`finished_at` filter and `finished_at` sorting must be paired'
  }
  if (has('finished') && query.get('status') !== 'success') {
    return '`finished_at` filter must be combined with `success` status filter.'
  }
  if (query.has('environment') && query.get('environment') === '') return 'environment is invalid'
  return undefined
}

function isFound(
  query: URLSearchParams,
  project: GitlabProject,
  deployment: GitlabDeployment,
): boolean {
  const { status, environmentId, updatedAt, finishedAt } = deployment
  const environment = query.get('environment')
  return (
    (query.get('status') ?? status) === status &&
    (environment === null || project.environments.get(environmentId)?.name === environment) &&
    isWithin(query, 'updated', updatedAt) &&
    isWithin(query, 'finished', finishedAt)
  )
}

function isWithin(query: URLSearchParams, field: string, time: Date | undefined): boolean {
  const after = query.get(`${field}_after`)
  const before = query.get(`${field}_before`)
  if (after === null && before === null) return true
  if (time === undefined) return false
  return (
    (after === null || time.getTime() >= Date.parse(after)) &&
    (before === null || time.getTime() <= Date.parse(before))
  )
}

function valueOf(deployment: GitlabDeployment, by: (typeof orders)[number]): number | string {
  switch (by) {
    case 'created_at':
      return deployment.createdAt.getTime()
    case 'updated_at':
      return deployment.updatedAt.getTime()
    case 'finished_at':
      return deployment.finishedAt?.getTime() ?? 0
    case 'id':
    case 'iid':
    case 'ref':
      return deployment[by]
  }
}

function listEnvironments(state: GitlabState, { request, project }: ProjectCall): Answer {
  const { query } = request
  const name = query.get('name')
  const search = query.get('search')
  if (name !== null && search !== null) return badParameter('name, search are mutually exclusive')
  if (search !== null && search.length < 3) {
    return refuse(400, '400 Bad request - Search query must be at least 3 characters')
  }
  const states = query.get('states')
  const environments = [...project.environments.values()].filter(
    (environment) =>
      (name === null || environment.name === name) &&
      (search === null || environment.name.startsWith(search)) &&
      (states === null || environment.state === states),
  )
  if (name !== null && findEnvironment(project, name) === undefined && environments.length > 0) {
    return notFound('Environment')
  }
  return answerPage(state, request, environments, toEnvironment)
}

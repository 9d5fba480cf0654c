import { json } from '../../http/answers.ts'
import type { Answer, Route } from '../../http/route.ts'
import { notFound } from '../errors.ts'
import { toDeploymentStatus } from '../shapes/deployment.ts'
import type { DeploymentState, GithubDeployment } from '../state.ts'
import { findDeployment } from './create-deployment-routes.ts'
import { createInput } from './create-input.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'
import { validationFailed } from './validation-failed.ts'

const descriptionCharactersMax = 140
const states = [
  'error',
  'failure',
  'inactive',
  'in_progress',
  'queued',
  'pending',
  'success',
] as const satisfies readonly DeploymentState[]

/** Creates the routes of a deployment's statuses. Lists are newest first. */
export function createStatusRoutes(deps: RepositoryParts): Route[] {
  const all = '/deployments/:deployment/statuses'
  return [
    toRoute(deps, `GET ${all}`, ['deployments', 'read'], ofDeployment(listStatuses)),
    toRoute(
      deps,
      `POST ${all}`,
      ['deployments', 'write'],
      ofDeployment((request, deployment) => createStatus(deps, request, deployment)),
    ),
    toRoute(deps, `GET ${all}/:status`, ['deployments', 'read'], ofDeployment(getStatus)),
  ]
}

type Handle = (request: RepositoryRequest, deployment: GithubDeployment) => Answer

function ofDeployment(handle: Handle): (request: RepositoryRequest) => Answer {
  return (request) => {
    const deployment = findDeployment(request.repository, request.params['deployment'])
    return deployment === undefined ? notFound() : handle(request, deployment)
  }
}

function listStatuses(request: RepositoryRequest, deployment: GithubDeployment): Answer {
  const { repository, addresses } = request
  const { items, headers } = pageOf(request, deployment.statuses.toReversed())
  return json(
    items.map((status) => toDeploymentStatus(addresses, repository, { deployment, status })),
    200,
    headers,
  )
}

function getStatus(request: RepositoryRequest, deployment: GithubDeployment): Answer {
  const { repository, addresses, params } = request
  const status = deployment.statuses.find(({ id }) => String(id) === params['status'])
  if (status === undefined) return notFound()
  return json(toDeploymentStatus(addresses, repository, { deployment, status }))
}

function createStatus(
  { activity }: RepositoryParts,
  request: RepositoryRequest,
  deployment: GithubDeployment,
): Answer {
  const { repository, addresses, actor } = request
  const input = createInput(request)
  const stateText = input.requiredText('state')
  const environment = input.text('environment')
  const made = {
    creator: actor,
    description: input.text('description') ?? '',
    // `log_url` replaces `target_url`, which is still accepted.
    logUrl: input.text('log_url') ?? input.text('target_url') ?? '',
    environmentUrl: input.text('environment_url') ?? '',
    autoInactive: input.boolean('auto_inactive') ?? true,
    ...(environment !== undefined && environment !== '' && { environment }),
  }
  const rejection = input.rejection() ?? refuseStatus(made)
  if (rejection !== undefined) return rejection
  const state = states.find((one) => one === stateText)
  if (state === undefined) return refuseField('state', 'state is not included in the list')
  const status = activity.setDeploymentStatus(repository, deployment, { ...made, state })
  const presented = toDeploymentStatus(addresses, repository, { deployment, status })
  return json(presented, 201, { location: presented.url })
}

function refuseStatus(made: {
  readonly description: string
  readonly logUrl: string
  readonly environmentUrl: string
}): Answer | undefined {
  if (made.description.length > descriptionCharactersMax) {
    const message = `description is too long (maximum is ${descriptionCharactersMax} characters)`
    return refuseField('description', message)
  }
  if (!isWebAddress(made.logUrl)) {
    return refuseField('target_url', 'target_url must use http(s) scheme')
  }
  if (!isWebAddress(made.environmentUrl)) {
    return refuseField('environment_url', 'environment_url must use http(s) scheme')
  }
  return undefined
}

function refuseField(field: string, message: string): Answer {
  return validationFailed('DeploymentStatus', field, { code: 'custom', message })
}

function isWebAddress(text: string): boolean {
  return text === '' || /^https?:\/\//i.test(text)
}

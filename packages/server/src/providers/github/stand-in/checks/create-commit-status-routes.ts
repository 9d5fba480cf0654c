import type { components } from '@octokit/openapi-types'
import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { refuse } from '../errors.ts'
import { pageOf } from '../page-of.ts'
import { createInput } from '../routes/create-input.ts'
import {
  toRoute,
  type RepositoryParts,
  type RepositoryRequest,
} from '../routes/repository-route.ts'
import { validationFailed } from '../routes/validation-failed.ts'
import type { GithubAddresses } from '../shapes/addresses.ts'
import { toNodeId } from '../shapes/node-id.ts'
import { repositoryUrl } from '../shapes/repository.ts'
import { toSimpleUser } from '../shapes/simple-user.ts'
import { toTimestamp } from '../shapes/timestamp.ts'
import type { GithubCommitStatus, GithubRepository } from '../state.ts'

const states = ['error', 'failure', 'pending', 'success'] as const
const descriptionMax = 140
const statusesMax = 1_000

/**
 * Creates the routes of the statuses of commits. Lists are newest first.
 *
 * @see https://docs.github.com/en/rest/commits/statuses
 */
export function createCommitStatusRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'POST /statuses/:sha', ['statuses', 'write'], (request) => create(deps, request)),
    toRoute(deps, 'GET /commits/:sha/statuses', ['statuses', 'read'], (request) => {
      const { repository, addresses, params } = request
      const all = repository.commitStatuses.filter(({ sha }) => sha === params['sha'])
      const { items, headers } = pageOf(request, all.toReversed())
      const statuses = items.map((status) => toStatus(addresses, repository, status))
      return json(statuses, 200, headers)
    }),
  ]
}

function create({ state }: RepositoryParts, request: RepositoryRequest): Answer {
  const { repository, addresses, actor, params } = request
  const { sha = '' } = params
  const input = createInput(request)
  const name = input.requiredText('state')
  const description = input.text('description') ?? null
  const context = input.text('context') ?? 'default'
  const targetUrl = input.text('target_url') ?? null
  const refused = input.rejection()
  if (refused !== undefined) return refused
  if (!repository.commits.has(sha)) return refuse(422, `No commit found for SHA: ${sha}`)
  const known = states.find((one) => one === name)
  if (known === undefined) return invalid('state', 'state is not included in the list')
  if ((description ?? '').length > descriptionMax) {
    return invalid(
      'description',
      `description is too long (maximum is ${descriptionMax} characters)`,
    )
  }
  const { commitStatuses } = repository
  const earlier = commitStatuses.filter((one) => one.sha === sha && one.context === context)
  if (earlier.length >= statusesMax) {
    return invalid('base', 'This SHA and context has reached the maximum number of statuses.')
  }
  const status: GithubCommitStatus = {
    id: state.nextId(),
    sha,
    context,
    state: known,
    description,
    targetUrl,
    creator: actor,
    createdAt: state.clock.now(),
  }
  commitStatuses.push(status)
  return json(toStatus(addresses, repository, status), 201)
}

const invalid = (field: string, message: string) =>
  validationFailed('Status', field, { code: 'custom', message })

function toStatus(
  addresses: GithubAddresses,
  repository: GithubRepository,
  status: GithubCommitStatus,
) {
  const { id, sha, creator, createdAt } = status
  const by = toSimpleUser(addresses, creator)
  return {
    url: `${repositoryUrl(addresses, repository)}/statuses/${sha}`,
    avatar_url: by.avatar_url,
    id,
    node_id: toNodeId('StatusContext', id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(createdAt),
    creator: by,
  } satisfies components['schemas']['status']
}

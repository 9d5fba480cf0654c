import { json } from '../../../../../../sandbox/src/http/answers.ts'
import { readJson } from '../../../../../../sandbox/src/http/fields.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import type { ForgejoApi, RepositoryCall } from '../access.ts'
import { notFound, refuse } from '../errors.ts'
import { answerPage } from '../paging.ts'
import type { ForgejoParts } from '../parts.ts'
import { presentUser, toTime } from '../shapes.ts'
import type { ForgejoCommitStatus, ForgejoState } from '../state.ts'

const states = ['pending', 'success', 'error', 'failure', 'warning'] as const

/**
 * Creates the routes of the statuses of commits. Lists are newest first.
 *
 * @see https://codeberg.org/api/swagger#/repository/repoCreateStatus
 */
export function statusRoutes({ state }: ForgejoParts, api: ForgejoApi): Route[] {
  return [
    api.inRepository('POST /statuses/:sha', (call) => create(state, call), 'write'),
    api.inRepository('GET /statuses/:sha', ({ request, repository }) => {
      const { sha } = request.params
      const own = repository.commitStatuses.filter((one) => one.sha === sha)
      return answerPage(state, request, own.toReversed(), (one) => present(state, one))
    }),
  ]
}

function create(state: ForgejoState, { request, repository, user }: RepositoryCall): Answer {
  const sha = request.params['sha'] ?? ''
  if (!repository.commits.has(sha)) return notFound(state)
  const body = readJson(request)
  const textOf = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
  const named = states.find((one) => one === body['state'])
  if (named === undefined) return refuse(state, 422, 'state is not valid')
  const status: ForgejoCommitStatus = {
    id: state.nextId(),
    sha,
    context: textOf('context') === '' ? 'default' : textOf('context'),
    state: named,
    description: textOf('description'),
    targetUrl: textOf('target_url'),
    creator: user,
    createdAt: state.clock.now(),
  }
  repository.commitStatuses.push(status)
  return json(present(state, status), 201)
}

function present(state: ForgejoState, of: ForgejoCommitStatus) {
  return {
    id: of.id,
    status: of.state,
    target_url: of.targetUrl,
    description: of.description,
    url: '',
    context: of.context,
    creator: presentUser(state, of.creator),
    created_at: toTime(of.createdAt),
    updated_at: toTime(of.createdAt),
  }
}
